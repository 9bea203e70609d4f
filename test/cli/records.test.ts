import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StageRecord } from '../../domain/records/record.ts';
import { item, type Story, written } from '../report/written.ts';
import { type Desk, openDesk } from './uturn.ts';

const odd = 'one\u2028two\u0085three \ud800 \0 \u001b[31mred\u001b[0m\r\n\u202eback';
const fates: Record<string, Story> = {
  i0: { answer: { text: 'It is 7.\nAnswer: 7' }, user: { text: 'And twice that?' }, label: null, outcome: 'right' },
  i1: { answer: { text: odd }, user: { text: '', finish: 'length' }, label: 'degenerate_short', outcome: 'unscored' },
  i2: { answer: { failed: 'the server cut the connection' } },
};
const items = Array.from({ length: 18 }, (_, at) => item(`i${at}`));

let at: Desk;
let run: string;
let begun: string;
beforeAll(async () => {
  at = await openDesk();
  const story = ({ item: id }: { item: string }) => fates[id] ?? fates['i0'] ?? {};
  run = await written(at.store, { name: 'reading', items, temperatures: [0, 0.7], story, ended: 'complete' });
  const half = (place: { at: number; item: string }) => (place.at < 16 ? story(place) : {});
  begun = await written(at.store, { name: 'begun', items, temperatures: [0.3], samples: 2, story: half });
});
afterAll(() => at[Symbol.asyncDispose]());

test('a listing reads like this', async () => {
  const { stdout, stderr, code } = await at.uturn([
    'records',
    run,
    '--temperature',
    '0.7',
    '--status',
    'ok',
    '--label',
    'degenerate_short',
  ]);
  expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "i1 · sums · fake · T 0.7
      assistant turn  10 tokens: one two three � ␀ ␛[31mred␛[0m ‮back‬
      user turn       cut off after 10 tokens, empty
      judgement       degenerate_short (not genuine), by rules@1
      score           unscored: nothing read, expected 7 (no marker)
    ",
    }
  `);
});

test('whole texts stand below, without what a terminal would act on', async () => {
  const { stdout } = await at.uturn(['records', begun, '--sample', '1', '--item', 'i1', '--text']);
  expect(stdout).toMatchInlineSnapshot(`
    "i1 · sample 1 · sums · fake · T 0.3
      assistant turn  10 tokens:
        one
        two
        three � ␀ ␛[31mred␛[0m
        ‮back‬
      user turn       cut off after 10 tokens, empty
      judgement       degenerate_short (not genuine), by rules@1
      score           unscored: nothing read, expected 7 (no marker)
    "
  `);
});

test('a run that has not ended says so, and what it has finished is shown', async () => {
  const { stdout, stderr, code } = await at.uturn(['records', begun, '--stage', 'user_turn', '--json']);
  expect(stdout.split('\n').length - 1).toBe(2 * 15);
  expect([stderr, code]).toEqual([`${begun} has not ended: these are the records of the shards it has finished.\n`, 0]);
});

test('JSON lines hold each record as it is, with its cell beside it', async () => {
  const { stdout, stderr, code } = await at.uturn(['records', run, '--stage', 'score', '--item', 'i0', '--json']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StageRecord & { temperature: number });
  expect(lines.map(({ temperature }) => temperature)).toEqual([0, 0.7]);
  expect({ ...lines[0], hash: lines[0]?.hash.length }).toEqual({
    model: 'fake',
    data: 'sums',
    temperature: 0,
    format: 1,
    hash: 64,
    result: {
      stage: 'score',
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      item: 'i0',
      sample: 0,
      from: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'ok',
      body: { outcome: 'right', check: 'number', extracted: '7', expected: '7', reason: null },
    },
    meta: { attempt: 'a1', at: '2026-01-01T00:00:00.000Z', ms: 1, host: 'h', requests: 1 },
  });
  expect([stderr, code]).toEqual(['', 0]);
});

test('any JSON reader takes them line by line, whatever the texts hold', async () => {
  const { stdout } = await at.uturn(['records', run, '--item', 'i1', '--stage', 'assistant_turn', '--json']);
  const python = [
    'import json, sys',
    'lines = sys.stdin.buffer.read().decode("utf-8", "strict").splitlines()',
    'print(json.dumps([json.loads(line)["result"]["body"]["text"] for line in lines]))',
  ].join('\n');
  const reader = spawn('python3', ['-c', python], { stdio: ['pipe', 'pipe', 'inherit'] });
  reader.stdin.end(stdout);
  expect(JSON.parse(await text(reader.stdout))).toEqual([odd.toWellFormed(), odd.toWellFormed()]);
});

test('a reader that leaves early ends it without a word', async () => {
  const shell = ['bash', '-c', '"$@" | head -n 1; echo "ended with ${PIPESTATUS[0]}"', '-'];
  const { stdout, stderr } = await at.uturn(['records', run, '--json'], { prefix: shell });
  expect(stdout.split('\n').slice(1)).toEqual(['ended with 0', '']);
  expect(stderr).toBe('');
});

test('a full disk is told', async () => {
  const { code, stderr } = await at.uturn(['records', run], { prefix: ['bash', '-c', '"$@" > /dev/full', '-'] });
  expect([code, stderr]).toEqual([1, 'standard output cannot be written: ENOSPC: no space left on device, write\n']);
});

test('records go into a Parquet file, those that are asked for', async () => {
  const all = await at.uturn(['records', run, '--stage', 'user_turn', '--format', 'parquet', '--out', 'turns.parquet']);
  expect([all.code, all.stdout, all.stderr]).toEqual([0, '', 'turns.parquet: 34 records.\n']);
  expect((await readFile(join(at.dir, 'turns.parquet'))).subarray(0, 4).toString()).toBe('PAR1');
});

test.each<[args: string[], said: string]>([
  [['--format', 'parquet'], '--format and --out go together\n  Give both: --format parquet --out <file>\n'],
  [
    ['--format', 'parquet', '--out', 'nowhere/r.parquet'],
    'nowhere/r.parquet cannot be written: its folder does not exist.\n  Give the path of a file in a folder that is there.\n',
  ],
  [
    ['--format', 'parquet', '--out', 'r.parquet', '--show-private'],
    '--show-private and --format: private texts are not exported\n  Read them without --format.\n',
  ],
  [
    ['--stage', 'usr_turn'],
    "error: option '--stage <stage>' argument 'usr_turn' is invalid. Did you mean user_turn? Allowed are assistant_turn, perturbed_turn, user_turn, judgement, reference_judgement, score.\nTry --help.\n",
  ],
  [['--sample', '1'], 'this run has no sample 1\n  It has one sample per item, counted from 0.\n'],
  [['--item', 'i99'], 'this run has no item i99\n  Did you mean i9? It has 18, such as i0, i1, i2.\n'],
])('%j is refused, with what is there', async (args, said) => {
  const { code, stdout, stderr } = await at.uturn(['records', run, ...args]);
  expect([code, stdout, stderr]).toEqual([2, '', said]);
});

test('a filter that nothing passes prints nothing and says so', async () => {
  const { code, stdout, stderr } = await at.uturn(['records', run, '--label', 'other', '--json']);
  expect([code, stdout, stderr]).toEqual([0, '', 'No record is like that.\n']);
});

test('an unknown run is refused with those that are there', async () => {
  const { code, stderr } = await at.uturn(['records', 'nothing']);
  expect([code, stderr]).toEqual([
    2,
    `there is no run nothing in ${at.store.uri}\n  Runs there: ${[begun, run].join(', ')}.\n`,
  ]);
});
