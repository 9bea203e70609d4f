import { afterAll, beforeAll, expect, test } from 'vitest';
import { pinsName } from '../../activities/run/documents.ts';
import { putVersion } from '../../activities/store/runs.ts';
import type { CampaignProgress } from '../../domain/plan/boundary.ts';
import { item, type Place, type Story, written } from '../report/written.ts';
import { type Desk, openDesk } from './uturn.ts';

// No Temporal is up, and none is started.
const noTemporal = { env: { TEMPORAL_ADDRESS: '' } };
const items = Array.from({ length: 18 }, (_, at) => item(`i${at}`));
const fine: Story = {
  answer: { text: 'It is 7.\nAnswer: 7' },
  user: { text: 'And twice that?' },
  label: null,
  outcome: 'right',
};
const unlucky: Record<string, Story> = {
  i3: { answer: { failed: 'the server cut the connection' } },
  i4: { ...fine, user: { failed: '\u001b[2Jtoo long' }, label: undefined as never },
};
const zero = { records: 0, errors: 0, made: 0, tokens: 0, requests: 0 };
const tally: CampaignProgress['tally'] = {
  assistant_turn: { ...zero, records: 36, errors: 2, made: 36, tokens: 9_000, requests: 41 },
  user_turn: { ...zero, records: 34, errors: 2, made: 34, tokens: 1_234, requests: 34 },
  judgement: { ...zero, records: 32, made: 32 },
  score: { ...zero, records: 34, made: 34 },
};
const half = (place: Place) => (place.at < 16 ? fine : {});

let at: Desk;
let done: string;
let stopped: string;
beforeAll(async () => {
  at = await openDesk();
  const story = (place: Place) => unlucky[place.item] ?? fine;
  done = await written(at.store, { name: 'done', items, temperatures: [0, 0.7], story, ended: 'complete' });
  await saved(done, { state: 'complete', trees: { done: 4, total: 4 }, tally });
  stopped = await written(at.store, { name: 'stopped', items, temperatures: [0.3], samples: 2, story: half });
  await saved(stopped, { state: 'running', trees: { done: 1, total: 4 } });
});
afterAll(() => at[Symbol.asyncDispose]());

/** What its campaign saved last. */
async function saved(run: string, over: Partial<CampaignProgress>): Promise<void> {
  const trees = { done: 0, total: 2 };
  const progress: CampaignProgress = { model: 'fake', state: 'running', trees, tally: {}, parked: [], ...over };
  const value = { run, execution: 1, model: 'fake', n: 1, pins: [], progress };
  await putVersion(at.store, run, { name: pinsName(1, 'fake'), n: 1, value });
}

/** A plan's hash changes with every field a plan gains. */
const masked = (text: string) => text.replaceAll(/\b[0-9a-f]{8}([0-9a-f]{24})?\b/g, '########');

const status = (run: string, ...args: string[]) =>
  at.uturn<Record<string, unknown>>(['status', run, ...args], noTemporal);

test('a run that ended reads like this', async () => {
  const { stdout, stderr, code } = await status(done);
  expect({ stdout: masked(stdout), stderr: masked(stderr), code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "done-########  complete
    plan ########, begun 2026-01-01 00:00Z

    model  state     blocks  answers  user turns  judgements  scores  errors  parked
    fake   complete     4/4    36/36       34/36       32/36   34/36       4       0

    10 234 tokens generated for this run, 75 requests
    errors, answers: 2 gave_up
    errors, user turns: 2 gave_up
    ",
    }
  `);
});

test('a run that stopped is counted from its records', async () => {
  const { stdout, stderr, code } = await status(stopped);
  expect({ stdout: masked(stdout), stderr: masked(stderr), code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "Nothing works on it now. Go on with: uturn resume stopped-########
    ",
      "stdout": "stopped-########  stopped (from the store; no Temporal is up)
    plan ########, begun 2026-01-01 00:00Z

    model  state    blocks  answers  user turns  judgements  scores  errors  parked
    fake   stopped     1/4    32/36       32/36       32/36   32/36       0       0
    ",
    }
  `);
});

test('the same for a script', async () => {
  const { json } = await status(stopped, '--json');
  expect(json).toEqual({
    run: stopped,
    name: 'stopped',
    state: 'stopped',
    seen_in: 'store',
    version: null,
    plan: expect.stringMatching(/^[0-9a-f]{32}$/),
    tags: [],
    created: '2026-01-01T00:00:00.000Z',
    samples: 36,
    models: [
      {
        model: 'fake',
        state: 'stopped',
        blocks: { done: 1, total: 4 },
        stages: ['assistant_turn', 'user_turn', 'judgement', 'score'].map((stage) => ({
          ...zero,
          stage,
          wanted: 36,
          records: 32,
        })),
        parked: [],
      },
    ],
    in_flight: {},
    waiting: [],
    errors: [],
    tokens: 0,
    requests: 0,
    concurrency: { models: {}, set: false },
    budget: null,
    problems: [],
  });
});

test('parked blocks stand with their reason, a terminal’s escapes without effect', async () => {
  const run = await written(at.store, { name: 'parked', items, temperatures: [0.9], story: () => ({}) });
  const parked = {
    tree: { group: 0, block: 0, sample: 0 },
    reason: 'nobody answers at \u001b[1mhttp://127.0.0.1:9/v1',
  };
  await saved(run, { state: 'parked', parked: [parked, { ...parked, tree: { ...parked.tree, block: 1 } }] });
  const { stdout } = await status(run);
  expect(stdout.split('\n').slice(3)).toMatchInlineSnapshot(`
    [
      "model  state    blocks  answers  user turns  judgements  scores  errors  parked",
      "fake   stopped     0/2     0/18        0/18        0/18    0/18       0       2",
      "",
      "parked, fake, 2 blocks: nobody answers at http://127.0.0.1:9/v1",
      "",
    ]
  `);
});

test('a run taken up again is not what it was before', async () => {
  await putVersion(at.store, done, { name: 'begins', n: 2, value: { execution: 2 } });
  expect((await status(done, '--json')).json['state']).toBe('stopped');
});

test('a Temporal that does not answer leaves the store’s word', async () => {
  const { code, stdout } = await at.uturn(['status', stopped]);
  expect([code, stdout]).toEqual([0, (await status(stopped)).stdout]);
});

test('a run that is not there is a sentence with those that are', async () => {
  const { code, stdout, stderr } = await status('nothing-12345678');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replace(/file:\S+/, '<store>')).toBe(
    `there is no run nothing-12345678 in <store>\n  Runs there: ${[done, 'PARKED', stopped].join(', ')}.\n`.replace(
      'PARKED',
      /parked-[0-9a-f]{8}/.exec(stderr)?.[0] ?? '',
    ),
  );
});
