// A perturbation from its config to its tables, by the real command on a real Temporal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PerturbedTurn, StageRecord, Turn } from '../../domain/records/record.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 20, fake: { latencyMs: 2 } });
});
afterAll(() => lab[Symbol.asyncDispose]());

const perturbation = { kind: 'perturbation', name: 'cuts', temperatures: [0, 0.7], doses: [50] };

test('each answer is asked for once, goes through every condition, and stays what it was but for its end', async () => {
  await lab.config(perturbation);
  const { code, json, stderr } = await lab.run(['run', 'sweep.yaml', '--json']);
  if (json === null) throw new Error(stderr);
  // 20 answers at each temperature; four conditions at 0, and base again at 0.7.
  expect([code, json.samples, json.cells.length]).toEqual([0, 180, 2]);
  expect((await lab.model.stats()).kinds).toMatchObject({ assistant: 40, user: 180 });
  expect(json.conditions?.map(({ temperature, condition, samples }) => [temperature, condition, samples])).toEqual([
    ...['base', 'truncated', 'question', 'cut-50'].map((condition) => [0, condition, 20]),
    ...['base', 'again', 'truncated', 'question', 'cut-50'].map((condition) => [0.7, condition, 20]),
  ]);
  for (const { condition, changed, flipped, undecided_pairs, state } of json.conditions ?? []) {
    expect(state).toBe('complete');
    if (condition === 'base') expect([changed, flipped]).toEqual([null, null]);
    else expect([changed?.n, (flipped?.n ?? 0) + (undecided_pairs ?? 0)]).toEqual([20, 20]);
  }

  const records = await told(json.run);
  const answers = new Map(
    records.filter(({ result }) => result.stage === 'assistant_turn').map((one) => [one.hash, bodyOf<Turn>(one)]),
  );
  const perturbed = records.filter(({ result }) => result.stage === 'perturbed_turn');
  expect([answers.size, perturbed.length]).toEqual([40, 120]);
  let emptied = 0;
  for (const one of perturbed) {
    const answer = answers.get(one.result.from ?? '');
    const { text, cut } = bodyOf<PerturbedTurn>(one);
    if (cut === null) expect(text).toMatch(/ (What do you think|Any questions)\?$/);
    else {
      expect(answer?.text.startsWith(text)).toBe(true);
      expect(cut.kept).toBeLessThan(cut.tokens);
      if (one.condition === 'cut-50') expect(cut.tokens - cut.kept).toBeGreaterThanOrEqual(Math.ceil(cut.tokens / 2));
      if (cut.kept === 0) emptied += 1;
    }
  }
  const counted = json.conditions?.reduce((sum, cell) => sum + (cell.emptied ?? 0), 0);
  expect(counted).toBe(emptied);

  const again = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(again.json).toEqual(json);
  expect((await lab.model.stats()).served).toBe(220);
  expect((await lab.run(['replay', json.run, '--from-records'])).code).toBe(0);
  const standing = await lab.run(['status', json.run]);
  expect(standing.stdout).toMatch(/40\/40 .*120\/120 .*180\/180/);
});

test('a sweep of the same finds its answers and user turns, and a wider perturbation computes what is new', async () => {
  const served = async () => (await lab.model.stats()).served;
  const before = await served();
  await lab.config({ name: 'cuts', temperatures: [0, 0.7] });
  expect((await lab.run(['run', 'sweep.yaml', '--json'])).json?.samples).toBe(40);
  expect(await served()).toBe(before);
  await lab.config({ ...perturbation, doses: [50, 90] });
  const plan = await lab.run(['plan', 'sweep.yaml', '--json']);
  expect(plan.code).toBe(0);
  expect((await lab.run(['run', 'sweep.yaml', '--json'])).json?.samples).toBe(220);
  expect(await served()).toBe(before + 40);
});

test('the same condition twice, or a dose of nothing, is refused', async () => {
  await lab.config({ ...perturbation, conditions: ['truncated', 'truncated'], doses: [0] });
  const { code, stderr } = await lab.run(['run', 'sweep.yaml']);
  expect(code).toBe(2);
  expect(stderr).toContain('names truncated a second time.');
  expect(stderr).toContain('doses[0]');
});

type Told = StageRecord & { condition?: string };

async function told(run: string): Promise<Told[]> {
  const { stdout } = await lab.run(['records', run, '--json']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
}

function bodyOf<Body>({ result }: StageRecord): Body {
  if (result.status !== 'ok') throw new Error(`${result.item} failed`);
  return result.body as Body;
}
