// A `python` that has a vLLM which is none: `<program> -m vllm.entrypoints.openai.api_server …` serves the fake model.
// It is healthy before it completes anything, has a child of its own that ignores SIGTERM, and notes every start.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type FakeOptions, startFakeServer } from './model-server.ts';

/** What it does from its next start on. `says`: printed, and then it ends. */
export type Conduct = {
  version: string;
  build: 'gpu' | 'other';
  /** Where the running server claims another version than its package. */
  claims?: string;
  readyMs: number;
  says?: string;
  /** The first start finds its port taken. */
  takenOnce?: boolean;
  fake: FakeOptions;
};

export type Started = { pid: number; child: number; port: number; args: string[] };

const files = { conduct: 'conduct.json', starts: 'starts.jsonl', program: 'python' };

/** Writes the program into a folder and returns its path, for `UTURN_VLLM_PYTHON`. */
export function writeFakeVllm(folder: string, conduct: Partial<Conduct> = {}): string {
  conductFake(folder, conduct);
  const program = join(folder, files.program);
  const script = `#!/bin/sh\nexec "${process.execPath}" --no-warnings "${import.meta.filename}" "${folder}" "$@"\n`;
  writeFileSync(program, script, { mode: 0o755 });
  return program;
}

export function conductFake(folder: string, conduct: Partial<Conduct>): void {
  const all: Conduct = { version: '0.32.0', build: 'gpu', readyMs: 300, fake: {}, ...conduct };
  writeFileSync(join(folder, files.conduct), JSON.stringify(all));
}

/** Every server started so far, oldest first. */
export function startsOf(folder: string): Started[] {
  const text = readFileSync(join(folder, files.starts), { encoding: 'utf8', flag: 'a+' });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Started]));
}

async function main([folder = '', ...argv]: string[]): Promise<void> {
  const conduct = JSON.parse(readFileSync(join(folder, files.conduct), 'utf8')) as Conduct;
  if (argv[0] === '-c') return console.log(`vllm ${conduct.version} ${conduct.build}`);
  if (argv[0] !== '-m' || argv[1] !== 'vllm.entrypoints.openai.api_server') throw new Error(`no module ${argv[1]}`);
  await serve(folder, conduct, argv.slice(2));
}

async function serve(folder: string, conduct: Conduct, argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      model: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      'served-model-name': { type: 'string' },
      dtype: { type: 'string' },
      seed: { type: 'string' },
      revision: { type: 'string' },
      'generation-config': { type: 'string' },
      'tensor-parallel-size': { type: 'string' },
      'max-model-len': { type: 'string' },
      'enable-prefix-caching': { type: 'boolean' },
      'enable-lora': { type: 'boolean' },
      'max-loras': { type: 'string' },
      'max-lora-rank': { type: 'string' },
      'lora-modules': { type: 'string' },
      'enforce-eager': { type: 'boolean' },
    },
  });
  // As vLLM's engine core: it must be ended with the server, and does not end by itself.
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; sleep 100000'], { stdio: 'ignore' });
  const port = Number(values.port);
  const note: Started = { pid: process.pid, child: child.pid ?? 0, port, args: argv };
  appendFileSync(join(folder, files.starts), `${JSON.stringify(note)}\n`);
  console.log(`INFO vLLM API server version ${conduct.version}`);
  const taken = conduct.takenOnce === true && startsOf(folder).length === 1;
  const says = taken ? `OSError: [Errno 98] error while attempting to bind: address already in use` : conduct.says;
  if (says !== undefined) {
    console.error(says);
    process.exit(1);
  }
  // One option takes all that follow it.
  const adapters = [values['lora-modules'] ?? [], positionals]
    .flat()
    .map((json) => (JSON.parse(json) as { name: string }).name);
  const fake = await startFakeServer({
    ...conduct.fake,
    port,
    model: values['served-model-name'] ?? 'model',
    adapters,
    version: conduct.claims ?? conduct.version,
    faults: [{ fault: 503, when: { rate: 1 } }],
  });
  process.once('SIGTERM', () => void fake.stop().then(() => process.exit(0)));
  await sleep(conduct.readyMs);
  fake.setFaults(conduct.fake.faults ?? []);
}

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((problem: unknown) => {
    console.error(`api_server.py: error: ${problem instanceof Error ? problem.message : String(problem)}`);
    process.exit(2);
  });
}
