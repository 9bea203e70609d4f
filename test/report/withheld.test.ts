// Private data: nothing that a run shows or exports holds a word of it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Item } from '../../domain/data/item.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import type { StageRecord } from '../../domain/records/record.ts';
import { withheldRecord } from '../../report/withheld.ts';
import { desk } from '../cli/uturn.ts';
import { item, type Story, written } from './written.ts';

// Words that stand nowhere else: in the question, the choices, the answer, the user turn, an error, a rationale.
const secret = 'zyxomancy quagmorph blivetine frumplenook snarfwidget glomtastic wumpusine';
const [query, choice, answer, turn, failure, reason] = secret.split(' ');
const items: Item[] = ['rec1', 'rec2', 'rec3', 'rec4'].map((id) =>
  item(`gpqa-${id}`, {
    messages: [{ role: 'user', content: `What is ${query}?\n\nA. ${choice}\nB. ${choice}s` }],
    answer: { check: 'choice', expected: 'B' },
  }),
);
const fates: Record<string, Story> = {
  'gpqa-rec1': {
    answer: { text: `It is ${answer}.\nAnswer: B` },
    user: { text: `And ${turn}?` },
    label: null,
    outcome: 'right',
  },
  'gpqa-rec2': {
    answer: { text: `${answer} \ud800` },
    user: { text: '' },
    label: 'degenerate_short',
    outcome: 'unscored',
  },
  'gpqa-rec3': { answer: { text: `${answer}` }, user: { failed: `no place for ${failure}` }, outcome: 'wrong' },
  'gpqa-rec4': { answer: { failed: `no place for ${failure}` } },
};
const story = ({ item: id }: { item: string }) => fates[id] ?? {};
const words = new RegExp(secret.replaceAll(' ', '|'), 'i');

async function finished(isPrivate: boolean) {
  const at = await desk();
  const run = await written(at.store, { name: 'gated', items, story, ended: 'complete', private: isPrivate });
  return { ...at, run };
}

test('a run on private data shows and exports ids, digests, counts and verdicts, and no word of a text', async () => {
  const { uturn, run, dir } = await finished(true);
  const listing = await uturn(['records', run, '--text']);
  const json = await uturn(['records', run, '--json']);
  const report = await uturn(['report', run, '--html', 'page.html', '--csv', 'cells.csv', '--json']);
  const page = await readFile(join(dir, 'page.html'), 'utf8');
  const csv = await readFile(join(dir, 'cells.csv'), 'utf8');
  const status = await uturn(['status', run]);
  await uturn(['report', run, '--out', 'whole']);
  const files = await readdir(join(dir, 'whole'), { recursive: true, withFileTypes: true });
  const whole = await Promise.all(
    files.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'utf8')),
  );
  expect(whole.filter((text) => words.test(text))).toEqual([]);

  const shown = { listing, json, report, status, page: { stdout: page, stderr: '' }, csv: { stdout: csv, stderr: '' } };
  const leaks = Object.entries(shown).filter(([, { stdout, stderr }]) => words.test(`${stdout}${stderr}`));
  expect(leaks.map(([name]) => name)).toEqual([]);

  const digest = sha256(`It is ${answer}.\nAnswer: B`);
  for (const text of [listing.stdout, json.stdout, page]) expect(text).toContain(digest);
  expect(page).toContain('The texts of this data set are private');
  expect(listing.stderr).toBe('Texts of private data are withheld; on your own screen: --show-private\n');
  expect(listing.stdout.split('\n\n').at(0)).toMatchInlineSnapshot(`
    "gpqa-rec1 · sums · fake · T 0.7
      assistant turn  10 tokens, private:
        SHA-256 d0c7f5e4370d67388bedfe7a8c2fbb450ef4e6245d3ff07d4e45a68ec50247ac
      user turn       10 tokens, private:
        SHA-256 25f3e9619115cf523fe4bbe77dc0fe699215968012e6309d5481d8514d0db0c3
      judgement       undecided
      score           right, private"
  `);
  const lines = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StageRecord & { private: boolean });
  expect(lines.every((line) => line.private)).toBe(true);
  expect(lines.map(({ result }) => (result.status === 'ok' ? result.body : result.error))).toMatchInlineSnapshot(`
    [
      {
        "finish": "stop",
        "prompt": {
          "form": "text",
          "sha256": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
          "tokens": 100,
        },
        "seed": 1,
        "sha256": "d0c7f5e4370d67388bedfe7a8c2fbb450ef4e6245d3ff07d4e45a68ec50247ac",
        "tokens": 10,
      },
      {
        "finish": "stop",
        "prompt": {
          "form": "text",
          "sha256": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
          "tokens": 100,
        },
        "seed": 1,
        "sha256": "25f3e9619115cf523fe4bbe77dc0fe699215968012e6309d5481d8514d0db0c3",
        "tokens": 10,
      },
      {
        "at_odds": false,
        "by": null,
        "genuine": null,
        "label": null,
      },
      {
        "check": "number",
        "outcome": "right",
      },
      {
        "finish": "stop",
        "prompt": {
          "form": "text",
          "sha256": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
          "tokens": 100,
        },
        "seed": 1,
        "sha256": "95ee539f2a5987128745a0992e47993f6a63a9ac3981e0ba898b8158e81a2497",
        "tokens": 10,
      },
      {
        "finish": "stop",
        "prompt": {
          "form": "text",
          "sha256": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
          "tokens": 100,
        },
        "seed": 1,
        "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "tokens": 10,
      },
      {
        "at_odds": false,
        "by": "rules@1",
        "genuine": false,
        "label": "degenerate_short",
      },
      {
        "check": "number",
        "outcome": "unscored",
      },
      {
        "finish": "stop",
        "prompt": {
          "form": "text",
          "sha256": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
          "tokens": 100,
        },
        "seed": 1,
        "sha256": "47379b30ef3326a526ffc8db0f50e2112e2f73ad3ff57cbba7ba118190a02463",
        "tokens": 10,
      },
      {
        "kind": "gave_up",
        "message": "withheld",
      },
      {
        "check": "number",
        "outcome": "wrong",
      },
      {
        "kind": "gave_up",
        "message": "withheld",
      },
    ]
  `);
});

test('their owner reads them on a screen, and exports them in no way', async () => {
  const { uturn, run } = await finished(true);
  const shown = await uturn(['records', run, '--text', '--show-private']);
  expect(shown.stdout).toContain(`It is ${answer}.`);
  expect(await uturn(['records', run, '--show-private', '--json'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: '--show-private and --json: private texts are not exported\n  Read them without --json.\n',
  });
});

test('the words would be found where data is not private', async () => {
  const { uturn, run, dir } = await finished(false);
  const { stdout, stderr } = await uturn(['records', run, '--text']);
  await uturn(['report', run, '--html', 'page.html']);
  expect([words.test(stdout), stderr, words.test(await readFile(join(dir, 'page.html'), 'utf8'))]).toEqual([
    true,
    '',
    true,
  ]);
});

test('what a record holds beyond the fields that are shown is withheld as well', () => {
  const meta = { attempt: 'a', at: '2026-01-01T00:00:00.000Z', ms: 1, host: 'h', requests: 1 };
  const origin = { key: 'k', item: 'i', sample: 0, from: null, status: 'ok' as const };
  const bodies: [StageRecord['result']['stage'], object][] = [
    [
      'assistant_turn',
      { text: query, utf16: query, ids: [1, 2], prompt: { form: 'ids', sha256: 'p', tokens: 2, ids: [7] }, new: query },
    ],
    ['user_turn', { text: query, finish: 'stop', prompt: null, new: query }],
    ['judgement', { label: 'other', genuine: false, by: 'x', at_odds: false, rationale: reason, reply: reason }],
    ['reference_judgement', { label: 'other', genuine: false, by: 'x', at_odds: false, rationale: reason }],
    ['score', { outcome: 'wrong', check: 'exact', extracted: query, expected: query, reason }],
  ];
  for (const [stage, body] of bodies) {
    const record = withheldRecord({ format: 1, hash: 'h', meta, result: { ...origin, stage, body } });
    expect(JSON.stringify(record)).not.toMatch(words);
    expect(JSON.stringify(record)).not.toContain('"ids":[');
  }
});
