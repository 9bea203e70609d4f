// A run replayed, by the real command on a real Temporal.
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readEnding, readRun } from '../../activities/run/documents.ts';
import { keptHistories } from '../../activities/run/kept.ts';
import type { ReplayedWorkflow } from '../../cli/replay/history.ts';
import type { RecordsReplay } from '../../cli/replay/records.ts';
import { todays } from '../../domain/plan/semantics.ts';
import type { Judgement, StageRecord } from '../../domain/records/record.ts';
import { listServices } from '../../local/services.ts';
import type { ComparedCell } from '../../report/compare.ts';
import type { Change, Changes } from '../../report/replay/changes.ts';
import type { Regenerated } from '../../report/replay/regenerated.ts';
import type { AskedServers } from '../../report/replay/servers.ts';
import { says, startFakeJudge, verdictReply } from '../fakes/judge-server.ts';
import { startFakeServer } from '../fakes/model-server.ts';
import { Lab } from '../lab.ts';
import { item, written } from '../report/written.ts';

let lab: Lab;
let run: string;
beforeAll(async () => {
  lab = await Lab.start({ items: 10 });
  await lab.config({ name: 'again', temperatures: [0, 0.7] });
  run = (await lab.run(['run', 'sweep.yaml', '--json'])).json.run;
});
afterAll(() => lab[Symbol.asyncDispose]());

type Told = { equal: boolean; workflows: ReplayedWorkflow[] };

async function histories({ store }: Lab, name: string): Promise<unknown[]> {
  const found = [];
  for await (const { history } of keptHistories(store, name)) found.push(history);
  return found;
}

const withoutOrigin = ({ workflows }: Told) => workflows.map(({ from: _, ...one }) => one);

test('the histories of a run go on under the code that made them, from Temporal and from files', async () => {
  const { code, json } = await lab.run<Told>(['replay', run, '--history', '--save-histories', 'kept', '--json']);
  expect([code, json.equal]).toEqual([0, true]);
  expect(json.workflows.map(({ type, workflow, from }) => [type, workflow, from])).toEqual([
    ['sweep', run, 'temporal'],
    ['campaign', `${run}/fake`, 'temporal'],
  ]);
  expect((await readdir(join(lab.dir, 'kept'))).length).toBe(2);
  const fromFiles = await lab.run<Told>(['replay', run, '--history', '--history-file', 'kept', '--json']);
  expect(withoutOrigin(fromFiles.json)).toEqual(withoutOrigin(json));
});

test('of a run that Temporal has forgotten the store still knows what it did, and no Temporal is started for it', async () => {
  await using other = await lab.fresh();
  const env = { UTURN_STORE: lab.home.store };
  const { code, json } = await other.run<Told>(['replay', run, '--history', '--json'], { env });
  expect([code, json.equal]).toEqual([0, true]);
  expect(json.workflows.map(({ type, from }) => [type, from])).toEqual([
    ['sweep', 'store'],
    ['campaign', 'store'],
  ]);
  expect(await listServices(other.home)).toEqual([]);
  const said = await other.run(['replay', run, '--history'], { env });
  expect(said.stdout).toMatch(/^goes on {2}sweep .*, \d+ events, from the store$/m);
});

test('where the store has none either it is said what to give instead', async () => {
  await using other = await lab.fresh();
  await cp(join(lab.home.store), join(other.dir, 'copy'), { recursive: true });
  await rm(join(other.dir, 'copy', 'runs', run, 'histories'), { recursive: true });
  const env = { UTURN_STORE: join(other.dir, 'copy') };
  const { code, stdout } = await other.run(['replay', run, '--history'], { env });
  expect([code, stdout]).toEqual([
    3,
    `Neither Temporal nor the store has a history of ${run}: Temporal forgets them after a time. Give one: --history-file <path>\n`,
  ]);
  await rm(join(other.dir, 'copy'), { recursive: true });
});

type Anew = { run: string; anew: string | null; compared: number; changed: Change[] };

test('another judge decides over the same turns, nothing is generated, and each change is listed', async () => {
  await using judge = await startFakeJudge(({ turn }) => says(verdictReply('other', turn.length % 2 === 0)));
  await lab.write('judge.yaml', `judge:\n  rules: { enabled: false }\n  llm: { url: "${judge.url}", model: judge }\n`);
  const before = await lab.records<Judgement>(run, 'judgement');
  await lab.model.reset();
  await lab.model.kill();

  const { code, json, stderr } = await lab.run<Anew>(['replay', run, '--rejudge', 'judge.yaml', '--json']);
  expect([code, json.compared, json.anew], stderr).toEqual([
    0,
    20,
    expect.stringMatching(new RegExp(`^${run}-rejudged-[0-9a-f]{8}$`)),
  ]);
  const after = await lab.records<Judgement>(json.anew ?? '', 'judgement');
  const labelOf = ({ result }: StageRecord<Judgement>) => (result.status === 'ok' ? result.body.label : 'error');
  expect(after.map(labelOf)).toEqual(before.map(() => 'other'));
  expect(json.changed.length).toBe(before.filter((record) => labelOf(record) !== 'other').length);
  const turns = async (name: string) => (await lab.records(name, 'user_turn')).map(({ hash }) => hash);
  expect(await turns(json.anew ?? '')).toEqual(await turns(run));
  const asked = judge.asked().length;
  expect([asked, (await lab.run<Anew>(['replay', run, '--rejudge', 'judge.yaml', '--json'])).json]).toEqual([20, json]);
  expect(judge.asked().length).toBe(asked);

  const said = await lab.run(['replay', run, '--rejudge', 'judge.yaml']);
  expect(said.stdout).toContain(`20 verdicts over the turns of ${run}`);
  const replayed = await lab.run(['replay', json.anew ?? '', '--from-records']);
  expect(replayed.code, replayed.stdout).toBe(0);
  await lab.model.start();
});

test('a run that an older version scored is scored anew, and failures of its turns stay what they were', async () => {
  const items = ['a', 'b', 'c'].map((id) => item(id));
  const older = await written(lab.store, {
    name: 'older',
    items,
    semantics: { ...todays, probe: 0, accuracy: 0 },
    story: ({ item: id }) =>
      id === 'c'
        ? { answer: { failed: 'the server cut the connection' } }
        : {
            answer: { text: 'Answer: 7' },
            user: { text: 'And?' },
            label: 'other',
            outcome: id === 'a' ? 'right' : 'wrong',
          },
    ended: 'failed',
  });
  const { code, json } = await lab.run<Anew>(['replay', older, '--rescore', '--json']);
  const cell = { model: 'fake', data: 'sums', temperature: 0.7, sample: 0, stage: 'score' };
  expect([code, json]).toEqual([
    0,
    {
      run: older,
      anew: expect.any(String),
      compared: 2,
      changed: [{ ...cell, item: 'b', before: 'wrong', after: 'right' }],
    },
  ]);
  const summary = (await readEnding(lab.store, json.anew ?? ''))?.summary;
  expect(summary?.cells.map(({ accuracy }) => [accuracy?.right, accuracy?.error])).toEqual([[2, 1]]);
  const again = await lab.run<Anew>(['replay', json.anew ?? '', '--rescore', '--json']);
  expect(again.json).toEqual({ run: json.anew, anew: null, compared: 0, changed: [] });
  const resumed = await lab.run(['resume', older]);
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('was begun by a uturn that scored')]);
});

test('two runs of one plan are judged anew each for itself', async () => {
  await lab.write('other.yaml', 'judge:\n  rules: { short_characters: 30 }\n');
  const second = (await lab.run(['run', 'sweep.yaml', '--new', '--json'])).json.run;
  expect(second).not.toBe(run);
  const runs = [];
  for (const one of [run, second]) {
    const { code, json } = await lab.run<Anew>(['replay', one, '--rejudge', 'other.yaml', '--json']);
    expect([code, json.run]).toEqual([0, one]);
    runs.push(json.anew);
  }
  expect(runs.map((name) => name?.replace(/-[0-9a-f]{8}$/, ''))).toEqual([`${run}-rejudged`, `${second}-rejudged`]);
});

test('a judge that is the run’s own judges nothing anew', async () => {
  const { code, stdout } = await lab.run(['replay', run, '--rejudge', 'sweep.yaml']);
  expect([code, stdout]).toEqual([0, `${run} was judged by the judge of sweep.yaml already: nothing is made anew.\n`]);
});

type Generated = Regenerated & {
  equal: boolean;
  anew: string;
  servers: AskedServers[];
  outcomes: ComparedCell[];
  verdicts: Changes;
};

test('turns generated again by the same server come out token for token, of some items or of all', async () => {
  await lab.model.reset();
  const { code, json } = await lab.run<Generated>(['replay', run, '--regenerate', '--sample', '4', '--json']);
  const all = { compared: 8, same: 8, failed: 0, apart: 0, parted: null };
  expect([code, json]).toMatchObject([0, { equal: true, answers: all, user_turns: all, diverged: [] }]);
  expect([json.verdicts, (await lab.model.stats()).served]).toEqual([{ compared: 16, changed: [] }, 16]);
  const again = await lab.run(['replay', run, '--regenerate', '--sample', '4']);
  expect([again.code, (await lab.model.stats()).served], again.stderr).toEqual([0, 32]);
  expect(again.stdout).toContain('answers     8 of 8 exactly the same (100 % [51.0, 100]); ');
  expect(again.stdout).toContain('batch-invariant: the server does not say');
});

test('turns generated by another server are held against the first one’s: who was asked, where they part, what that does to the rates', async () => {
  const world = { key: Object.fromEntries(lab.items.map(({ question, answer }) => [question, answer])) };
  await using other = await startFakeServer({ model: 'fake-two', version: '0.33.0', batchInvariant: true, world });
  const models = [{ url: other.url, model: 'fake-two', id: 'fake', concurrency: 4 }];
  await lab.write('other-server.yaml', stringify({ models }));
  await lab.model.reset();
  const command = ['replay', run, '--regenerate', '--sample', '6', '--servers', 'other-server.yaml'];
  const { code, json, stderr } = await lab.run<Generated>([...command, '--json']);
  expect([code, json.equal, (await lab.model.stats()).served], stderr).toEqual([1, false, 0]);
  expect(other.stats().served).toBe(24);
  expect(json.servers).toEqual([
    {
      model: 'fake',
      before: expect.objectContaining({ address: `${lab.model.url}/v1`, weights: 'f'.repeat(64), concurrency: 8 }),
      after: {
        address: `${other.url}/v1`,
        served: 'fake-two',
        engine: 'vllm 0.33.0',
        weights: null,
        dtype: null,
        batch_invariant: true,
        concurrency: 4,
      },
      differ: ['address', 'served'],
    },
  ]);
  const { answers } = json;
  expect(answers.compared).toBe(12);
  expect(answers.rate).toMatchObject({ n: 12, value: answers.same / 12 });
  expect(answers.tokens.same).toBeLessThan(answers.tokens.compared);
  expect(answers.parted?.n).toBe(json.diverged.filter(({ stage }) => stage === 'assistant_turn').length);
  expect(json.in_flight[0]?.before).toBeNull();
  expect(json.in_flight[0]?.after).toBeGreaterThan(0);
  expect(json.outcomes.map(({ measure, temperature }) => `${measure} ${temperature}`).sort()).toEqual([
    'accuracy 0',
    'accuracy 0.7',
    'follow_up 0',
    'follow_up 0.7',
  ]);
  expect(json.outcomes.find(({ measure }) => measure === 'accuracy')).toMatchObject({ items: 6, test: 'mcnemar' });
  const asked = (await readRun(lab.store, json.anew)).engines['fake'];
  expect(asked).toMatchObject({ kind: 'url', url: `${other.url}/v1`, served: 'fake-two' });

  const said = await lab.run(command);
  expect(said.stdout).toContain(`fake: asked of ${other.url}/v1 (fake-two, vllm 0.33.0), then of ${lab.model.url}/v1 `);
  expect(said.stdout).toContain('batch-invariant: the server says that it is started so');
  expect(said.stdout).toContain('Answers right');
});

test('a file of servers that names no model of the run is refused, with the models it has', async () => {
  await lab.write('wrong.yaml', stringify({ models: [{ url: lab.model.url, model: 'fake-chat', id: 'other' }] }));
  const { code, stderr } = await lab.run(['replay', run, '--regenerate', '--servers', 'wrong.yaml']);
  expect([code, stderr]).toEqual([
    2,
    `wrong.yaml:2  models[0]: ${run} has no model other\n  Give the entry the \`id\` of the one it stands for: fake\n`,
  ]);
});

test('a run on public and on private data goes elsewhere as a file: the public cells are made again there, and no private word left', async () => {
  const secret = [
    { id: 's1', messages: [{ role: 'user', content: 'A secret sum: 1 + 1?' }], check: 'number', answer: '2' },
  ];
  await lab.write('secret.jsonl', secret.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const data = [
    { set: 'jsonl', id: 'sums', path: 'sums.jsonl' },
    { set: 'jsonl', id: 'secret', path: 'secret.jsonl', private: true },
  ];
  await lab.config({ name: 'mixed', data }, 'mixed.yaml');
  const mixed = (await lab.run(['run', 'mixed.yaml', '--json'])).json.run;
  await lab.run(['export', mixed, 'mixed.tar.gz']);

  await using other = await lab.fresh();
  expect((await other.run(['import', 'mixed.tar.gz'])).code).toBe(0);
  const items = (await other.stored()).map(({ record }) => record.result.item);
  expect([items.length, items.includes('s1')]).toEqual([40, false]);
  const told = await other.run<Told>(['replay', mixed, '--history', '--json']);
  expect([told.json.equal, told.json.workflows.map(({ from }) => from)]).toEqual([true, ['store', 'store']]);
  expect(JSON.stringify(await histories(other, mixed))).not.toMatch(/secret sum|s1\b/);
  const { code, json } = await other.run<RecordsReplay>(['replay', mixed, '--from-records', '--json']);
  expect([code, json.equal, json.withheld, json.files, json.ending?.differences]).toEqual([
    0,
    true,
    ['secret'],
    null,
    [],
  ]);
  const said = await other.run(['replay', mixed, '--from-records']);
  expect(said.stdout).toContain('The other cells made from them are those of');
});
