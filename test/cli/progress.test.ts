import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { lineFor, progressLine, roughly } from '../../cli/progress.ts';
import type { RunView } from '../../cli/view.ts';
import type { CampaignProgress, StageTally } from '../../domain/plan/boundary.ts';

const tally = (records: number, tokens: number, errors = 0): StageTally => ({
  records,
  errors,
  made: records,
  tokens,
  requests: records,
});

function campaign(over: Partial<CampaignProgress> = {}): CampaignProgress {
  return { model: 'm', state: 'running', trees: { done: 0, total: 4 }, tally: {}, parked: [], ...over };
}

function view(over: Partial<RunView> = {}): RunView {
  return {
    run: 'trial-1',
    state: 'running',
    campaigns: [campaign()],
    inFlight: {},
    waiting: [],
    end: null,
    budget: null,
    trouble: null,
    ...over,
  };
}

const shards = {
  assistant_turn: { done: 13, total: 16, tokens: 700 },
  user_turn: { done: 2, total: 16, tokens: 40 },
};
const busy = view({
  campaigns: [campaign({ tally: { assistant_turn: tally(16, 1_000, 2), user_turn: tally(4, 30) } })],
  inFlight: shards,
});
const unreachable = { why: 'nobody answers at http://127.0.0.1:8000/v1', tries: 4 };
const parked = { tree: { group: 0, block: 0, sample: 0 }, reason: 'no' };

describe('the line', () => {
  const none = { tokensPerSecond: null, secondsLeft: null };
  test.each([
    ['at the start', view(), none, 'trial-1  running · answers 0/40 · user turns 0/40 · 0 tokens'],
    [
      'counts judgements and their errors where a model makes them',
      view({
        campaigns: [campaign({ tally: { user_turn: tally(16, 30), judgement: tally(8, 900, 3) } })],
        inFlight: { judgement: { done: 2, total: 8, tokens: 50 } },
      }),
      none,
      'trial-1  running · answers 0/40 · user turns 16/40 · judged 10/40 · 3 errors · 30 tokens',
    ],
    [
      'is silent about judgements by rules, which ask nobody',
      view({
        campaigns: [campaign({ tally: { user_turn: tally(4, 30), judgement: { ...tally(4, 0), requests: 0 } } })],
      }),
      none,
      'trial-1  running · answers 0/40 · user turns 4/40 · 30 tokens',
    ],
    [
      'counts what open shards have done',
      busy,
      { tokensPerSecond: 84.6, secondsLeft: 118 },
      'trial-1  running · answers 29/40 · user turns 6/40 · 2 errors · 1770 tokens, 85/s · about 2 min left',
    ],
    [
      'says what is waited for, and then no pace',
      { ...busy, waiting: [unreachable, { why: 'something else', tries: 2 }] },
      { tokensPerSecond: 3, secondsLeft: 118 },
      'trial-1  running · answers 29/40 · user turns 6/40 · 2 errors · waiting (try 4): nobody answers at http://127.0.0.1:8000/v1',
    ],
    [
      'what never was tried has no number of tries',
      view({ waiting: [{ why: 'no worker takes up the work', tries: 0 }] }),
      none,
      'trial-1  running · answers 0/40 · user turns 0/40 · waiting: no worker takes up the work',
    ],
    [
      'a server’s words cannot move the cursor or take more than their line',
      view({ waiting: [{ why: 'bad\u001b[2J\r\nreply', tries: 2 }] }),
      none,
      'trial-1  running · answers 0/40 · user turns 0/40 · waiting (try 2): bad reply',
    ],
    [
      'parked blocks of all models',
      view({ campaigns: [campaign({ parked: [parked, parked] }), campaign({ parked: [parked] })] }),
      none,
      'trial-1  running · answers 0/40 · user turns 0/40 · 3 parked · 0 tokens',
    ],
  ])('%s', (_, seen, pace, line) => {
    expect(lineFor(seen, { samples: 40, pace })).toBe(line);
  });
});

test.each([
  [1, 'about 10 s'],
  [41, 'about 50 s'],
  [56, 'about 1 min'],
  [600, 'about 10 min'],
  [7_000, 'about 2 h'],
  [200_000, 'about 2 days'],
])('%d seconds are %s', (seconds, words) => {
  expect(roughly(seconds)).toBe(words);
});

/** Shows the views, `every` milliseconds one, and returns what was written. */
function written(views: RunView[], opts: { every: number; tty?: { columns: number } }): string {
  const stream = Object.assign(new PassThrough(), { isTTY: opts.tty !== undefined, ...opts.tty }) as unknown;
  let now = 0;
  const line = progressLine(stream as NodeJS.WriteStream, { samples: 40, clock: () => now });
  for (const one of views) {
    line.show(one);
    now += opts.every;
  }
  line.end();
  return String((stream as PassThrough).read() ?? '');
}

test('outside a terminal there is a line at most every fifteen seconds, and none that says nothing new', () => {
  const numbers = [0, 1, 2, 3, 4, 5];
  const views = numbers.map((n) => view({ campaigns: [campaign({ tally: { assistant_turn: tally(n, 0) } })] }));
  expect(written(views, { every: 8_000 }).match(/answers \d/g)).toEqual(['answers 0', 'answers 2', 'answers 4']);
  const waiting = view({ waiting: [unreachable] });
  expect(written([waiting, waiting, waiting], { every: 20_000 }).match(/\n/g)).toHaveLength(1);
});

test('on a terminal the line is rewritten, fits, and is gone in the end', () => {
  const text = written([view(), busy], { every: 1_000, tty: { columns: 40 } });
  expect(text).toBe(
    '\r\u001b[2Ktrial-1  running · answers 0/40 · user…' +
      '\r\u001b[2Ktrial-1  running · answers 29/40 · use…' +
      '\r\u001b[2K',
  );
});

test('numbers do not fall back while no worker answers', () => {
  const lines = written([busy, view({ waiting: [{ why: 'no worker answers', tries: 0 }] })], { every: 20_000 });
  expect(lines.split('\n')[1]).toBe('trial-1  running · answers 29/40 · user turns 6/40 · waiting: no worker answers');
});
