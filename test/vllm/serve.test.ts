// vLLM as uturn serves it: killed in the middle, with the worker that holds it, and the answers are what they would have been.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Result, StageRecord } from '../../domain/records/record.ts';
import { identify } from '../../local/process.ts';
import { listServices } from '../../local/services.ts';
import { until } from '../../local/until.ts';
import { dataPath } from '../data/folder.ts';
import { adapter, smollm2, vllmPython } from './environment.ts';
import { openRig, type Rig } from './rig.ts';
import { forCpu } from './server.ts';

const { url, base } = inject('vllm');
/** Three starts of vLLM: a minute each on a quiet machine, five on a busy one. */
const halfAnHour = 1_800_000;
const sweep = {
  data: [{ set: 'gsm8k', path: dataPath('gsm8k', 'test.jsonl') }],
  temperatures: [0.8],
  limit: 16,
  max_tokens: { assistant: 64, user: 32 },
};

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ UTURN_VLLM_PYTHON: await vllmPython(), VLLM_CPU_KVCACHE_SPACE: '1' });
});
afterAll(() => rig[Symbol.asyncDispose]());

test(
  'killed in the middle, and its worker too, it is started again and the turns are those of one that was not',
  async () => {
    const serve = { serve: await smollm2(), max_model_len: 2_048, args: forCpu, concurrency: 8 };
    const models = [
      { ...serve, id: 'plain' },
      { ...serve, id: 'noisy', lora: await adapter() },
    ];
    await rig.config({ ...sweep, name: 'served', models });
    const run = rig.begin(['run', 'sweep.yaml', '--json'], { limitMs: halfAnHour });
    const over = run.done.then(({ stderr }) => Promise.reject(new Error(`the run ended too early: ${stderr}`)));
    over.catch(() => undefined);

    await Promise.race([recorded(8), over]);
    const first = await engine(null);
    process.kill(first, 'SIGKILL');
    await Promise.race([engine(first), over]);
    await Promise.race([recorded(20), over]);
    const last = await engine(first);
    await killWorker();
    expect(await until(() => identify(last) === null, 30_000)).toBe(true);

    const { code, json, stderr } = await run.done;
    expect([code, stderr]).toEqual([0, expect.stringContaining('served')]);
    expect(json).toMatchObject({ samples: 32, totals: { errors: 0 } });
    // The last one out of this home has given the engine back: nothing of it runs.
    expect(await until(async () => (await engines()).length === 0, 60_000)).toBe(true);

    await using undisturbed = await openRig();
    const asked = await undisturbed.sweep({
      ...sweep,
      name: 'asked',
      models: [{ url, model: base, id: 'plain', dtype: 'float32', concurrency: 8 }],
    });
    expect(await turnsOf(rig, json.run, 'plain')).toEqual(await turnsOf(undisturbed, asked.run, 'plain'));
    expect(await turnsOf(rig, json.run, 'noisy')).not.toEqual(await turnsOf(rig, json.run, 'plain'));
  },
  halfAnHour,
);

async function engines(): Promise<number[]> {
  const services = await listServices(rig.home);
  return services.filter(({ name, alive }) => alive && name.startsWith('engine')).map((one) => one.process.pid);
}

/** The process of a served model that is not `before`. */
async function engine(before: number | null): Promise<number> {
  let found: number | undefined;
  const look = async () => {
    found = (await engines()).find((pid) => pid !== before);
    return found !== undefined;
  };
  if (!(await until(look, 900_000, { everyMs: 500 })) || found === undefined) throw new Error('no engine was started');
  return found;
}

async function killWorker(): Promise<void> {
  const worker = (await listServices(rig.home)).find(({ name }) => name === 'worker');
  if (worker === undefined) throw new Error('no worker runs');
  process.kill(worker.process.pid, 'SIGKILL');
}

/** Waits until so many turns lie in the store. */
async function recorded(count: number): Promise<void> {
  const there = async () => (await rig.stored()) >= count;
  if (!(await until(there, 900_000, { everyMs: 500 }))) throw new Error(`no ${count} turns came`);
}

/** What was said, and by which token ids, whatever the stages are called. */
async function turnsOf(at: Rig, run: string, model: string): Promise<string[]> {
  const { stdout } = await at.run(['records', run, '--json']);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const records = lines.map((line) => JSON.parse(line) as StageRecord & { model: string });
  const turns = records.filter((one) => one.model === model && one.result.stage.endsWith('_turn'));
  return turns.map(({ result: { stage, item, ...end } }) => JSON.stringify([stage, item, bodyOf(end)])).toSorted();
}

function bodyOf(end: Pick<Result<unknown>, 'status'>): unknown {
  return 'body' in end ? end.body : end;
}
