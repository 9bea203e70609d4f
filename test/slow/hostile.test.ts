// A whole run over texts that break things: kept exactly, the same in every reader, shown and never obeyed.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf } from '../../domain/records/canonical.ts';
import type { Turn } from '../../domain/records/record.ts';
import { exactText, storeText } from '../../domain/records/text.ts';
import type { RunJson } from '../../report/json.ts';
import { hostileItems, hostileLines } from '../lab/hostile.ts';
import { Lab } from '../lab.ts';

const sets = hostileItems();
const items = [...sets.asked, ...sets.given];
const said = Object.fromEntries(items.map(({ question, says }) => [question, says]));
const served = '<b>mödel</b> \u202e"x"\u2028\u001b[31m/\u0000';
const tag = '\u001b[31m<b>tag</b>\u2028=1+1 \u202e';

let lab: Lab;
let shown: string;
let json: RunJson;

beforeAll(async () => {
  lab = await Lab.start({ fake: { model: served, world: { said } } });
  for (const [name, some] of Object.entries(sets)) await lab.write(`${name}.jsonl`, hostileLines(some));
  await lab.config({
    data: Object.keys(sets).map((id) => ({ set: 'jsonl', id, path: `${id}.jsonl` })),
    max_tokens: { assistant: 1_000, user: 1_000 },
  });
  const { stdout, stderr } = await lab.run(['run', 'sweep.yaml', '--tag', tag]);
  shown = stdout + stderr;
  ({ json } = await lab.run(['run', 'sweep.yaml', '--json']));
});
afterAll(() => lab?.[Symbol.asyncDispose]());

test('every text comes through whole, with the hash it had', async () => {
  expect([json?.samples, json?.totals.errors, json?.cells.map(({ state }) => state)]).toEqual([
    items.length,
    0,
    ['complete', 'complete'],
  ]);
  for (const role of ['answer', 'user'] as const) {
    const records = await lab.records<Turn>(json.run, role === 'answer' ? 'assistant_turn' : 'user_turn');
    const kept = records.map(({ hash, result }) => ({
      item: result.item,
      same: hashOf(result) === hash,
      text: result.status === 'ok' ? exactText(result.body) : null,
    }));
    expect(kept).toEqual(
      items.map(({ id, given, says }) => ({
        item: id,
        same: true,
        text: role === 'answer' && given !== null ? given : says[role],
      })),
    );
  }
});

type Seen = Record<'item' | 'stage' | 'status' | 'stated' | 'computed', string> & {
  text: string | null;
  utf16: string | null;
  error: string | null;
};

function readByPython(store: string): Seen[] {
  const script = join(import.meta.dirname, 'parts.py');
  const printed = execFileSync('python3', [script, store], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Seen);
}

test('Python reads the same records with its standard library, and comes to the same hashes', async () => {
  const seen = readByPython(lab.home.store);
  expect(seen.filter(({ stated, computed }) => stated !== computed)).toEqual([]);
  expect(seen.length).toBe((await lab.records(json.run)).length);
  const turns = seen.filter(({ stage }) => stage === 'user_turn');
  expect(byItem(turns.map(({ item, text, utf16 }) => ({ item, text, utf16 })))).toEqual(
    byItem(
      items.map(({ id, says }) => {
        const stored = storeText(says.user);
        return { item: id, text: stored.text, utf16: stored.utf16 ?? null };
      }),
    ),
  );
});

function byItem<Row extends { item: string }>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (a.item < b.item ? -1 : 1));
}

/** What a terminal, or a reader of lines, might obey: everything but the line feed. */
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/u;
const directions = /[\u202a-\u202e\u2066-\u2069]/u;

test('no command prints what a terminal would obey', async () => {
  const { run } = json;
  expect(shown).not.toMatch(obeyed);
  for (const args of [['records', run], ['records', run, '--text'], ['status', run], ['list'], ['report', run]]) {
    const { code, stdout, stderr } = await lab.run(args);
    expect([args, code]).toEqual([args, 0]);
    // Of the text itself a tab stays.
    expect((stdout + stderr).replaceAll('\t', '')).not.toMatch(obeyed);
    for (const line of stdout.split('\n')) expect(closed(line)).toBe(true);
  }
});

/** Every direction that a line opens it also closes. */
function closed(line: string): boolean {
  const opened = line.match(/[\u202a\u202b\u202d\u202e\u2066-\u2068]/gu)?.length ?? 0;
  return opened === (line.match(/[\u202c\u2069]/gu)?.length ?? 0);
}

test('what is printed for scripts is ASCII where a terminal could obey it, and reads back the same', async () => {
  const { run } = json;
  const printed = await Promise.all(
    [
      ['records', run, '--json'],
      ['status', run, '--json'],
      ['list', '--json'],
      ['report', run, '--json'],
    ].map((args) => lab.run(args)),
  );
  for (const { code, stdout } of printed) {
    expect([code, stdout.search(obeyed), stdout.search(directions)]).toEqual([0, -1, -1]);
  }
  const lines = (printed[0]?.stdout ?? '').trim().split('\n');
  const records = await lab.records(run);
  expect(lines.map((line) => hashOf(JSON.parse(line).result)).sort()).toEqual(records.map(({ hash }) => hash).sort());
  expect(printed[1]?.json).toMatchObject({ tags: [tag] });
});

test('the page holds the texts as text', async () => {
  const page = await readFile(resolve(lab.dir, json.report ?? ''), 'utf8');
  expect(page).toContain('&lt;script&gt;alert(1)');
  expect(page).toContain('&lt;b onclick=&quot;x&quot;&gt;id&lt;/b&gt;');
  expect(page).not.toMatch(/<script>alert|<img|<b onclick|<b>mödel/);
  expect(page.replaceAll('\t', '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u);
});
