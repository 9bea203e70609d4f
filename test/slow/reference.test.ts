// What people said in the place of the user turn: judged as a model's turns are, once for all models and temperatures.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getPlan } from '../../activities/store/plans.ts';
import type { Judgement } from '../../domain/records/record.ts';
import { type FakeJudge, says, startFakeJudge, verdictReply } from '../fakes/judge-server.ts';
import { Lab } from '../lab.ts';

const word = 'marjoram';
const question = (n: number) => `My ${word} in pot ${n} has yellow leaves at the bottom. What should I do about it?`;
/** What people said next; the second is the question again, and two conversations end with the answer. */
const said = [`And if the ${word} stands in shade?`, question(1), 'Write me a poem.', null, 'Is that so?', null];
const talks = said.map((next, n) => ({
  id: `talk-${n}`,
  messages: [{ role: 'user', content: question(n) }],
  assistant: `Water pot ${n} less often, and cut the yellow leaves off.`,
  ...(next !== null && { reference_user_turn: next }),
}));
const verdicts: Record<string, string> = {
  [`${said[0]}`]: verdictReply('plausible_followup', true, `It asks on about the ${word}.`),
  [`${said[2]}`]: verdictReply('new_task_prompt', false),
  [`${said[4]}`]: 'no verdict',
};
const isPersons = (turn: string) => said.includes(turn);

let lab: Lab;
let judge: FakeJudge;
beforeAll(async () => {
  judge = await startFakeJudge(({ turn }) => says(verdicts[turn] ?? verdictReply('other', false)));
  lab = await Lab.start({});
  await lab.write('talks.jsonl', talks.map((talk) => `${JSON.stringify(talk)}\n`).join(''));
});
beforeEach(async () => {
  judge.reset();
  await lab.model.reset();
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await judge[Symbol.asyncDispose]();
});

const models = (...ids: string[]) =>
  ids.map((id) => ({ url: lab.model.url, model: lab.model.name, id, weights: id.repeat(64), concurrency: 4 }));
const llm = () => ({ url: judge.url, model: 'judge', weights: 'e'.repeat(64) });

const configWith = (fields: Record<string, unknown> = {}) =>
  lab.config({
    name: 'ceiling',
    models: models('a', 'b'),
    data: [{ set: 'jsonl', id: 'talks', path: 'talks.jsonl' }],
    temperatures: [0.5, 0.9],
    samples: 2,
    max_error_share: 1,
    judge: { llm: llm() },
    ...fields,
  });

/** How often the judge was asked about each thing that a person said. */
const askedOf = () => {
  const turns = judge.asked().flatMap(({ turn }) => (isPersons(turn) ? [turn] : []));
  return said.map((next) => turns.filter((turn) => turn === next).length);
};

type Stages = { stages: { stage: string; wanted: number; records: number; held: number }[] };

const counted = { reference_judged: 3, reference_genuine: 1, reference_not_genuine: 2, reference_undecided: 0 };

test('people’s turns are judged once for two models, two temperatures and two samples', async () => {
  await configWith();
  const { code, json, stderr } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('ended in an error')]);
  expect(json.cells).toHaveLength(4);
  for (const cell of json.cells) {
    expect(cell).toMatchObject({ samples: 12, judged: 12, judge_errors: 0, ...counted, reference_judge_errors: 1 });
    expect(cell.reference).toMatchObject({ value: 1 / 3, n: 3 });
    expect(cell.reference_labels).toMatchObject({
      plausible_followup: 1,
      previous_turn_restate: 1,
      new_task_prompt: 1,
    });
  }
  const [first, restated, poem, , failed] = askedOf();
  expect([first, restated, poem]).toEqual([1, 0, 1]);
  expect((failed ?? 0) % 4).toBe(0);

  const records = await lab.records<Judgement>(json.run, 'reference_judgement');
  expect(new Set(records.map(({ result }) => result.key)).size).toBe(1);
  const answers = await lab.records(json.run, 'assistant_turn');
  for (const { result } of records) {
    const answer = answers.find((one) => one.result.item === result.item && one.result.sample === 0);
    expect([result.from, result.sample]).toEqual([answer?.hash, 0]);
  }

  const { stdout } = await lab.run(['records', json.run, '--stage', 'reference_judgement', '--item', 'talk-1']);
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'talk-1 · sample 0 · talks · a · T 0.5',
    expect.stringMatching(/^ {2}reference turn {2}previous_turn_restate \(not genuine\), by rules@1: repeats the last/),
  ]);
  const page = await readFile(resolve(lab.dir, json.report ?? ''), 'utf8');
  expect(page).toMatch(/<th[^>]*>Reference turns<\/th>/);

  const status = await lab.run<{ models: Stages[] }>(['status', json.run, '--json']);
  const stages = status.json.models.map(({ stages: all }) => all.find(({ stage }) => stage === 'reference_judgement'));
  expect(stages.map((one) => [one?.wanted, one?.records])).toEqual([
    [8, 8],
    [8, 8],
  ]);
});

test('the same again asks nobody, and resumed it asks for what failed alone', async () => {
  await configWith();
  const { json } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect([judge.asked(), (await lab.model.stats()).served]).toEqual([[], 0]);
  verdicts[`${said[4]}`] = verdictReply('plausible_followup', true);
  const resumed = await lab.run(['resume', json.run, '--json']);
  expect([askedOf(), judge.asked().length]).toEqual([[0, 0, 0, 0, 1, 0], 1]);
  expect(resumed.json.cells.map((cell) => [cell.reference_genuine, cell.reference_judge_errors])).toEqual(
    Array.from({ length: 4 }, () => [2, 0]),
  );
});

test('a third model finds them judged', async () => {
  await configWith({ models: models('a', 'b', 'c') });
  const plan = await lab.run<{ cells: Stages[] }>(['plan', 'sweep.yaml', '--json']);
  for (const { stages } of plan.json.cells)
    expect(stages.find(({ stage }) => stage === 'reference_judgement')).toMatchObject({ wanted: 4, held: 4 });
  await lab.run(['run', 'sweep.yaml', '--json']);
  expect(askedOf()).toEqual([0, 0, 0, 0, 0, 0]);
});

test('another prompt judges them anew, once', async () => {
  await lab.write('mine.md', 'Label it.\n<!-- data -->\nconversation:\n{{q}}\nanswer:\n{{a}}\nlast_message:\n{{u}}\n');
  await configWith({ judge: { llm: { ...llm(), prompt: 'mine.md' } } });
  // Of 2 models, 2 temperatures and 2 samples every turn, and 4 that people said.
  const plan = await lab.run<{ judge: { calls: number } }>(['plan', 'sweep.yaml', '--json']);
  expect(plan.json.judge.calls).toBe(8 * talks.length + 4);
  const { json } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(askedOf()).toEqual([1, 0, 1, 0, 1, 0]);
  expect(json.totals.judge_prompt_tokens).toBe(100 * judge.asked().length);
  expect(json.cells.map((cell) => cell.reference_genuine)).toEqual([2, 2, 2, 2]);
});

test('conversations of HealthBench bring people’s turns; by the rules alone the ceiling is a band', async () => {
  const rows = talks.map(({ id, messages, assistant, reference_user_turn: next }) => {
    const answered = [...messages, { role: 'assistant', content: assistant }];
    return { prompt_id: id, prompt: [...answered, { role: 'user', content: next ?? 'Thanks.' }] };
  });
  await lab.write('health.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const data = [{ set: 'healthbench', id: 'health', path: 'health.jsonl' }];
  await configWith({ judge: {}, samples: 1, temperatures: [0], models: models('a'), data, name: 'health' });
  const { json } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(json.cells[0]).toMatchObject({
    reference: { value: null, n: 6 },
    reference_undecided: 5,
    reference_not_genuine: 1,
  });
  const { stdout } = await lab.run(['report', json.run]);
  expect(stdout).toMatch(/reference turns.*\n.*0–83 %/);
});

test('answers that are generated leave a person’s turn, which follows another answer, aside', async () => {
  await lab.write('asked.jsonl', `${JSON.stringify({ id: 'q', question: 'Why?', reference_user_turn: 'Because?' })}\n`);
  await configWith({ data: [{ set: 'jsonl', id: 'asked', path: 'asked.jsonl' }], name: 'asked' });
  const { json } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect((await getPlan(lab.store, json.plan)).data[0]).not.toHaveProperty('references');
  expect(json.cells[0]).toMatchObject({ reference: null, reference_judged: null });
  expect(askedOf()).toEqual([0, 0, 0, 0, 0, 0]);
});

test('of private data no word of what people said, or of what a judge says of it, is shown', async () => {
  await configWith({ data: [{ set: 'jsonl', id: 'talks', path: 'talks.jsonl', private: true }], name: 'hidden' });
  const { json, stdout } = await lab.run(['run', 'sweep.yaml', '--json']);
  const records = await lab.run(['records', json.run, '--json', '--stage', 'reference_judgement']);
  expect(records.stdout.split('\n').filter((line) => line.includes('"label"'))).toHaveLength(16);
  const listing = await lab.run(['records', json.run, '--text']);
  const page = await readFile(resolve(lab.dir, json.report ?? ''), 'utf8');
  for (const text of [stdout, records.stdout, listing.stdout, page]) expect(text).not.toContain(word);
});
