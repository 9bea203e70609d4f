import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Judgement,
  labels,
  makeRecord,
  type Result,
  type Score,
  type Stage,
  type StageRecord,
  type Turn,
} from '../../domain/records/record.ts';
import { clusteredRate } from '../../domain/stats/bootstrap.ts';
import { rate } from '../../domain/stats/wilson.ts';
import { type CellInput, cellFrom, failedSamples } from './told.ts';

const none = { value: null, low: null, high: null, n: 0 };
const noLabels = Object.fromEntries(labels.map((label) => [label, 0]));

const meta = { attempt: 'a1', at: '2026-01-01T00:00:00Z', ms: 1, host: 'h', requests: 1 };
const failure = { status: 'error', error: { kind: 'gave_up', message: 'five times' } } as const;

/** A record of one stage: the body, or an error. */
function made<Body>(stage: Stage, place: [item: string, sample: number], body: Body | 'error') {
  const [item, sample] = place;
  const origin = { stage, key: 'k', item, sample, from: null };
  const result: Result<Body> = body === 'error' ? { ...origin, ...failure } : { ...origin, status: 'ok', body };
  return makeRecord(result, meta);
}

function turn(finish: Turn['finish'], tokens = 10): Turn {
  const prompt = { form: 'text', sha256: 'p', tokens: 100, ids: null } as const;
  const given = finish === 'given';
  return {
    text: 't',
    finish,
    ids: null,
    prompt: given ? null : prompt,
    tokens: given ? 0 : tokens,
    seed: given ? null : 1,
  };
}

function score(outcome: Score['outcome']): Score {
  return { outcome, check: 'number', extracted: '1', expected: '1', reason: null };
}

function judgement(decision: 'genuine' | 'artifact' | 'undecided'): Judgement {
  const label = { genuine: 'plausible_followup', artifact: 'malformed_artifact', undecided: null } as const;
  const genuine = decision === 'undecided' ? null : decision === 'genuine';
  return { label: label[decision], genuine, by: genuine === null ? null : 'rules@1', rationale: '', at_odds: false };
}

/** What each stage said of one item and sample; an absent stage has no record. */
type Story = {
  assistant?: Turn['finish'] | 'error';
  user?: Turn['finish'] | 'error';
  judgement?: 'genuine' | 'artifact' | 'undecided' | 'error';
  reference?: 'genuine' | 'artifact' | 'undecided' | 'error';
  score?: Score['outcome'] | 'error';
};
type Told = { item: string; sample: number; story: Story };

type Records = CellInput['records'] & { score: object[] };

function recordsOf(told: Told[]): CellInput['records'] {
  const reference: StageRecord<Judgement>[] = [];
  const records = { assistant: [], user: [], judgement: [], reference, score: [] } as Records;
  for (const { item, sample, story } of told) {
    const place: [string, number] = [item, sample];
    const body = <Word extends string, Body>(word: Word | 'error', make: (word: Word) => Body) =>
      word === 'error' ? ('error' as const) : make(word);
    if (story.assistant) records.assistant.push(made('assistant_turn', place, body(story.assistant, turn)));
    if (story.user) records.user.push(made('user_turn', place, body(story.user, turn)));
    if (story.judgement) records.judgement.push(made('judgement', place, body(story.judgement, judgement)));
    if (story.reference) reference.push(made('reference_judgement', place, body(story.reference, judgement)));
    if (story.score) records.score.push(made('score', place, body(story.score, score)));
  }
  return records;
}

function input(stories: Story[], opts: Partial<CellInput> = {}): CellInput {
  const told = stories.map((story, index) => ({ item: `i${index}`, sample: 0, story }));
  return {
    model: 'smol',
    data: 'sums',
    temperature: 0.7,
    items: told.map(({ item }) => item),
    samples: 1,
    records: recordsOf(told),
    maxErrorShare: 0.1,
    seed: 3,
    ...opts,
  };
}

const good: Story = { assistant: 'stop', user: 'stop', judgement: 'genuine', score: 'right' };

test('ten items with every fate there is', () => {
  const cell = cellFrom(
    input(
      [
        good,
        { ...good, judgement: 'artifact', score: 'wrong' },
        { ...good, judgement: 'undecided', score: 'unscored' },
        { ...good, assistant: 'length', score: 'truncated', judgement: 'undecided' },
        { ...good, user: 'length' },
        { ...good, judgement: 'error' },
        { ...good, score: 'error' },
        { assistant: 'stop', user: 'error', judgement: 'error', score: 'right' },
        { assistant: 'error', user: 'error', judgement: 'error', score: 'error' },
        { assistant: 'error' },
      ],
      { maxErrorShare: 0.5 },
    ),
  );
  expect(cell).toEqual({
    model: 'smol',
    data: 'sums',
    temperature: 0.7,
    samples: 10,
    accuracy: { right: 4, wrong: 1, unscored: 1, truncated: 1, error: 3, rate: rate(4, 7) },
    follow_up: {
      judged: 6,
      genuine: 3,
      not_genuine: 1,
      undecided: 2,
      judge_error: 1,
      error: 3,
      if_none: rate(3, 6),
      if_all: rate(5, 6),
      labels: { ...noLabels, plausible_followup: 3, malformed_artifact: 1 },
    },
    capped: { assistant: rate(1, 8), user: rate(1, 7) },
    tokens: { prompt: 1500, completion: 150 },
    state: 'complete',
  });
});

test('data without answers has no accuracy', () => {
  const { records, ...rest } = input([good, good]);
  const cell = cellFrom({ ...rest, records: { ...records, score: null } });
  expect([cell.accuracy, cell.state, cell.follow_up.if_none]).toEqual([null, 'complete', rate(2, 2)]);
});

test('given answers count neither as tokens nor under the cap', () => {
  const cell = cellFrom(
    input([
      { ...good, assistant: 'given' },
      { ...good, assistant: 'given', user: 'length' },
    ]),
  );
  expect([cell.capped, cell.tokens]).toEqual([
    { assistant: none, user: rate(1, 2) },
    { prompt: 200, completion: 20 },
  ]);
});

test.each<[name: string, story: Story]>([
  ['nothing yet', {}],
  ['no user turn', { assistant: 'stop', score: 'right' }],
  ['no judgement', { assistant: 'stop', user: 'stop', score: 'right' }],
  ['no score', { assistant: 'stop', user: 'stop', judgement: 'genuine' }],
  ['no answer', { user: 'stop', judgement: 'genuine', score: 'right' }],
])('a record that is missing leaves the cell pending: %s', (_, story) => {
  expect(cellFrom(input([good, story])).state).toBe('pending');
  expect(cellFrom(input([good, story, { assistant: 'error' }], { maxErrorShare: 0 })).state).toBe('pending');
});

test.each<[name: string, story: Story]>([
  ['answer', { assistant: 'error' }],
  ['user turn', { ...good, user: 'error', judgement: 'error' }],
  ['judgement', { ...good, judgement: 'error' }],
  ['score', { ...good, score: 'error' }],
  ['both ends', { ...good, score: 'error', judgement: 'error' }],
])('a sample that failed at its %s counts once against the limit', (_, story) => {
  const stories = [story, good, good, good];
  expect(cellFrom(input(stories, { maxErrorShare: 0.25 })).state).toBe('complete');
  expect(cellFrom(input(stories, { maxErrorShare: 0.24 })).state).toBe('failed');
  expect(failedSamples(input(stories))).toBe(1);
});

test('what is missing has not failed', () => {
  expect(failedSamples(input([good, {}, { assistant: 'stop' }, { assistant: 'error' }]))).toBe(1);
});

test('several samples are clustered by item', () => {
  const told = ['a', 'b', 'c', 'd'].flatMap((item, index) =>
    [0, 1, 2].map((sample) => ({
      item,
      sample,
      story: { ...good, score: sample < index ? ('right' as const) : ('wrong' as const) },
    })),
  );
  const cell = cellFrom(input([], { items: ['a', 'b', 'c', 'd'], samples: 3, records: recordsOf(told) }));
  const clusters = [0, 1, 2, 3].map((successes) => ({ successes, n: 3 }));
  expect(cell.samples).toBe(12);
  expect(cell.accuracy?.rate).toEqual(clusteredRate(clusters, { seed: 3 }));
  expect(cell.accuracy?.rate).not.toEqual(rate(6, 12));
});

test('records of other items and later samples are left aside', () => {
  const told = [
    { item: 'a', sample: 0, story: good },
    { item: 'a', sample: 1, story: { ...good, score: 'wrong' as const } },
    { item: 'b', sample: 0, story: { assistant: 'error' as const } },
  ];
  const cell = cellFrom(input([], { items: ['a'], records: recordsOf(told) }));
  expect(cell).toEqual(cellFrom(input([], { items: ['a'], records: recordsOf(told.slice(0, 1)) })));
});

test('a retried success stands, whichever record comes first', () => {
  const told: Told[] = [
    { item: 'a', sample: 0, story: { assistant: 'error', user: 'error', judgement: 'error', score: 'error' } },
    { item: 'a', sample: 0, story: good },
  ];
  const expected = cellFrom(input([good], { items: ['a'], records: recordsOf(told.slice(1)) }));
  for (const order of [told, told.toReversed()]) {
    expect(cellFrom(input([], { items: ['a'], records: recordsOf(order) }))).toEqual(expected);
  }
});

test('a cell of no items has no rates', () => {
  const cell = cellFrom(input([]));
  expect([cell.samples, cell.accuracy?.rate, cell.follow_up.if_all, cell.capped.user, cell.state]).toEqual([
    0,
    none,
    none,
    none,
    'complete',
  ]);
});

const word = <Word extends string>(...words: Word[]) => fc.constantFrom(...words, 'error' as const);
const story: fc.Arbitrary<Story> = fc.record(
  {
    assistant: word('stop', 'length', 'given'),
    user: word('stop', 'length'),
    judgement: word('genuine', 'artifact', 'undecided'),
    score: word('right', 'wrong', 'unscored', 'truncated'),
  },
  { requiredKeys: [] },
);
/** Every item and sample with a story of its own. */
const study = fc.record({ items: fc.nat({ max: 6 }), samples: fc.integer({ min: 1, max: 3 }) }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    stories: fc.array(story, { minLength: size.items * size.samples, maxLength: size.items * size.samples }),
  }),
);

function studyInput({ size, stories }: { size: { items: number; samples: number }; stories: Story[] }): CellInput {
  const told = stories.map((story, index) => ({
    item: `i${Math.floor(index / size.samples)}`,
    sample: index % size.samples,
    story,
  }));
  const items = Array.from({ length: size.items }, (_, index) => `i${index}`);
  return input([], { items, samples: size.samples, records: recordsOf(told) });
}

test('counts add up to items × samples, less what is missing', () => {
  fc.assert(
    fc.property(study, (drawn) => {
      const cell = cellFrom(studyInput(drawn));
      const { accuracy: a, follow_up: f } = cell;
      const answered = a!.right + a!.wrong + a!.unscored + a!.truncated;
      expect(cell.samples).toBe(drawn.stories.length);
      expect(a!.rate.n).toBe(answered);
      expect(f.genuine + f.not_genuine + f.undecided).toBe(f.judged);
      expect([f.if_none.n, f.if_all.n]).toEqual([f.judged, f.judged]);
      expect(Object.values(f.labels).reduce((sum, count) => sum + count, 0)).toBe(f.judged - f.undecided);
      const gaps = cell.state === 'pending' ? 'some' : 'none';
      const counted = [answered + a!.error, f.judged + f.judge_error + f.error];
      if (gaps === 'none') expect(counted).toEqual([cell.samples, cell.samples]);
      else expect(Math.min(...counted)).toBeLessThan(cell.samples);
    }),
  );
});

test('the order of items and records does not matter', () => {
  fc.assert(
    fc.property(study, (drawn) => {
      const given = studyInput(drawn);
      const { assistant, user, judgement, score } = given.records;
      const reversed = {
        ...given,
        items: given.items.toReversed(),
        records: {
          assistant: assistant.toReversed(),
          user: user.toReversed(),
          judgement: judgement.toReversed(),
          score: score!.toReversed(),
        },
      };
      expect(cellFrom(reversed)).toEqual(cellFrom(given));
    }),
  );
});

test('the band runs from all undecided false to all true', () => {
  fc.assert(
    fc.property(study, (drawn) => {
      const { if_none, if_all, undecided, judged } = cellFrom(studyInput(drawn)).follow_up;
      if (judged === 0) expect([if_none, if_all]).toEqual([none, none]);
      else expect(if_all.value! - if_none.value!).toBeCloseTo(undecided / judged, 12);
      if (undecided === 0) expect(if_all).toEqual(if_none);
    }),
  );
});

test('an item without an answer to check is in no count of the accuracy and leaves no cell pending', () => {
  const checked: Story = { assistant: 'stop', user: 'stop', judgement: 'undecided', score: 'right' };
  const unchecked: Story = { assistant: 'stop', user: 'stop', judgement: 'undecided' };
  const cell = cellFrom(input([checked, unchecked], { unchecked: new Set(['i1']) }));
  expect(cell.state).toBe('complete');
  expect(cell.accuracy).toEqual({ right: 1, wrong: 0, unscored: 0, truncated: 0, error: 0, rate: rate(1, 1) });
  expect(cell.follow_up.judged).toBe(2);
  expect(cellFrom(input([checked, unchecked])).state).toBe('pending');
});

const held: Story = { assistant: 'given', user: 'stop', judgement: 'artifact', score: 'right' };
const ids = (...places: number[]) => new Set(places.map((place) => `i${place}`));

test('what people said has counts of its own, of the items where somebody said something', () => {
  const stories: Story[] = [
    { ...held, reference: 'genuine' },
    { ...held, reference: 'genuine' },
    { ...held, reference: 'artifact' },
    { ...held, reference: 'undecided' },
    { ...held, reference: 'error' },
    { ...held, user: 'error', judgement: 'error', reference: 'genuine' },
    held,
  ];
  const given = input(stories, { referenced: ids(0, 1, 2, 3, 4, 5), maxErrorShare: 0.5 });
  const cell = cellFrom(given);
  expect(cell.reference).toEqual({
    judged: 5,
    genuine: 3,
    not_genuine: 1,
    undecided: 1,
    judge_error: 1,
    error: 0,
    if_none: rate(3, 5),
    if_all: rate(4, 5),
    labels: { ...noLabels, plausible_followup: 3, malformed_artifact: 1 },
  });
  expect([cell.follow_up.genuine, cell.follow_up.judged, cell.state, failedSamples(given)]).toEqual([
    0,
    6,
    'complete',
    2,
  ]);
  const { reference: _, ...rest } = cell;
  expect(rest).toEqual(cellFrom(input(stories, { maxErrorShare: 0.5 })));
});

test('a person’s turn that is not judged yet leaves the cell pending, one whose judgement failed may fail it', () => {
  const state = (story: Story, maxErrorShare = 0.5) =>
    cellFrom(input([{ ...held, reference: 'genuine' }, story], { referenced: ids(0, 1), maxErrorShare })).state;
  expect(state(held)).toBe('pending');
  expect(state({ ...held, reference: 'error' })).toBe('complete');
  expect(state({ ...held, reference: 'error' }, 0.4)).toBe('failed');
});

test('of several samples the first has what was said there, so the interval is of single observations', () => {
  const told = ['a', 'b', 'c'].flatMap((item) =>
    [0, 1, 2].map((sample) => ({
      item,
      sample,
      story: sample > 0 ? held : { ...held, reference: item === 'a' ? ('genuine' as const) : ('artifact' as const) },
    })),
  );
  const items = ['a', 'b', 'c'];
  const cell = cellFrom(input([], { items, samples: 3, records: recordsOf(told), referenced: new Set(items) }));
  expect([cell.samples, cell.state, cell.reference?.if_none]).toEqual([9, 'complete', rate(1, 3)]);
});

test('where nobody said anything there is no such figure', () => {
  expect(cellFrom(input([held, held], { referenced: new Set() }))).not.toHaveProperty('reference');
});
