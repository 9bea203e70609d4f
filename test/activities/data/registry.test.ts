// Data sets by name: registered once, resolved from configs, verified later.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addData, listData, resolveData, verifyData } from '../../../activities/data/registry.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { sha256 } from '../../../domain/records/canonical.ts';
import { folder } from './folder.ts';

async function said(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'fine',
    (error: unknown) => (error instanceof ConfigProblem ? sentence(error) : `not ours: ${String(error)}`),
  );
}

const gsm8kRow = '{"question": "1 + 1?", "answer": "#### 2"}\n';
const ownRow = '{"id": "a", "question": "Why?"}\n';
const entry = { set: 'gsm8k', id: 'gsm8k', path: null, sha256: null };

test('sets are listed by name with their path, digest and count', async () => {
  await using home = await folder();
  expect(await listData(home)).toEqual([]);
  await home.source('own.jsonl', ownRow.replace('a', 'b') + ownRow);
  await home.source('g.jsonl', gsm8kRow.repeat(3));
  const mine = await addData('my-questions', 'own.jsonl', { home, cwd: home.dir });
  const gsm8k = await addData('gsm8k', join(home.dir, 'g.jsonl'), { home });
  expect([gsm8k, mine]).toEqual([
    { name: 'gsm8k', adapter: 'gsm8k', path: join(home.dir, 'g.jsonl'), sha256: sha256(gsm8kRow.repeat(3)), count: 3 },
    {
      name: 'my-questions',
      adapter: 'jsonl',
      path: join(home.dir, 'own.jsonl'),
      sha256: sha256(ownRow.replace('a', 'b') + ownRow),
      count: 2,
    },
  ]);
  expect(await listData(home)).toEqual([gsm8k, mine]);
  expect((await readdir(home.dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a name that is added again points to the new file', async () => {
  await using home = await folder();
  await home.source('one', gsm8kRow);
  await home.source('two', gsm8kRow.repeat(2));
  await addData('gsm8k', 'one', { home, cwd: home.dir });
  await addData('gsm8k', 'two', { home, cwd: home.dir });
  expect((await listData(home)).map((set) => [set.name, set.count])).toEqual([['gsm8k', 2]]);
});

test('what cannot be registered', async () => {
  await using home = await folder();
  await home.source('own', ownRow);
  const add = (name: string, path = 'own') => said(addData(name, path, { home, cwd: home.dir }));
  expect(await add('starter')).toBe('"starter": starter comes with uturn.\n  Register your file under another name.');
  expect(await add('jsonl')).toBe(
    '"jsonl": jsonl is the name of a format.\n  Give the set a name of its own, such as my-questions; it is read as jsonl.',
  );
  expect(await add('../x')).toBe(
    '"../x": is no short name: up to 64 letters, digits, ".", "_" and "-", no other first than a letter or digit.\n  Choose a name such as my-questions.',
  );
  expect(await add('mine', 'none')).toBe(
    'none does not exist.\n  Give the path of the data file; a relative one counts from the folder of the config.',
  );
  expect(await add('gsm8k')).toBe('own:1  answer: is missing.\n  This file looks like jsonl.');
  expect(await listData(home)).toEqual([]);
});

test('verifying says of every set whether its file is still the one that was registered', async () => {
  await using home = await folder();
  for (const name of ['a', 'b', 'c']) {
    await home.source(name, ownRow);
    await addData(name, name, { home, cwd: home.dir });
  }
  await home.source('b', ownRow.repeat(1).replace('Why', 'How'));
  await rm(join(home.dir, 'c'));
  const problems = (await verifyData(home)).map(({ name, problem }) => [name, problem && problem.message]);
  expect(problems).toEqual([
    ['a', null],
    ['b', `has the SHA-256 ${sha256(ownRow.replace('Why', 'How'))}, but ${sha256(ownRow)} is stated.`],
    ['c', 'does not exist.'],
  ]);
  expect((await verifyData(home, 'a')).map(({ name }) => name)).toEqual(['a']);
  expect(await said(verifyData(home, 'A'))).toBe(
    'no data set is registered as A.\n  Did you mean a? If not: Register it with `uturn data add A <path>`, or give its `path`.',
  );
});

test('a config names the starter set, a file beside it, or a registered set', async () => {
  await using home = await folder();
  await home.source('g', gsm8kRow.repeat(2));
  const baseDir = home.dir;
  const resolved = async (more: object) => {
    const { id, adapter, items, scored, held_out } = await resolveData({ ...entry, ...more }, { home, baseDir });
    return [id, adapter, items.length, scored, held_out];
  };
  expect(await resolved({ set: 'starter', id: 's' })).toEqual(['s', 'starter', 40, true, false]);
  expect(await resolved({ path: './g', sha256: sha256(gsm8kRow.repeat(2)) })).toEqual([
    'gsm8k',
    'gsm8k',
    2,
    true,
    false,
  ]);
  expect(await said(resolved({}))).toBe(
    'no data set is registered as gsm8k.\n  Register it with `uturn data add gsm8k <path>`, or give its `path`.',
  );
  expect(await said(resolved({ set: 'startr' }))).toBe(
    'no data set is registered as startr.\n  Did you mean starter? If not: Register it with `uturn data add startr <path>`, or give its `path`.',
  );
  await addData('gsm8k', 'g', { home, cwd: baseDir });
  expect(await resolved({ sha256: sha256(gsm8kRow.repeat(2)) })).toEqual(['gsm8k', 'gsm8k', 2, true, false]);
  expect(await said(resolved({ sha256: 'a'.repeat(64) }))).toBe(
    `the registered set gsm8k has the SHA-256 ${sha256(gsm8kRow.repeat(2))}, but ${'a'.repeat(64)} is stated.\n  Register the stated file with \`uturn data add gsm8k <path>\`, or state the other checksum.`,
  );
  await home.source('g', gsm8kRow);
  expect((await said(resolved({}))).split('\n')[0]).toBe(
    `${join(home.dir, 'g')} has the SHA-256 ${sha256(gsm8kRow)}, but ${sha256(gsm8kRow.repeat(2))} is stated.`,
  );
});

test('items that bring their answer are held out; some with and some without are refused', async () => {
  await using home = await folder();
  const own = { set: 'jsonl', id: 'own', path: 'own', sha256: null };
  const row = (id: string, more: object) => `${JSON.stringify({ id, question: 'Why?', ...more })}\n`;
  await home.source('own', row('a', { assistant: '' }) + row('b', { assistant: 'Because.' }));
  const { scored, held_out } = await resolveData(own, { home, baseDir: home.dir });
  expect([scored, held_out]).toEqual([false, true]);
  await home.source('own', row('a', { assistant: '' }) + row('b', {}));
  expect(await said(resolveData(own, { home, baseDir: home.dir }))).toBe(
    'own 1 of 2 items bring their own answer in `assistant`.\n  Either all or none may: split the file in two.',
  );
});

test.each(['', '{', '[]', '{"format": 2, "sets": []}', '{"format": 1, "sets": [{"name": "a"}]}'])(
  'a registry that holds %j is not guessed at',
  async (text) => {
    await using home = await folder();
    await writeFile(join(home.dir, 'data.json'), text);
    await home.source('own', ownRow);
    const sentences = `${join(home.dir, 'data.json')} is not what uturn wrote there.\n  Move it away and register the data sets again with \`uturn data add\`.`;
    expect(await said(listData(home))).toBe(sentences);
    expect(await said(addData('own', 'own', { home, cwd: home.dir }))).toBe(sentences);
    expect(await readFile(join(home.dir, 'data.json'), 'utf8')).toBe(text);
  },
);

test('a home that is not there', async () => {
  await using home = await folder();
  await home.source('own', ownRow);
  const gone = { dir: join(home.dir, 'gone') };
  expect(await listData(gone)).toEqual([]);
  expect(await said(addData('own', 'own', { home: gone, cwd: home.dir }))).toBe(
    `${join(gone.dir, 'data.json')} cannot be read or written.\n  Set UTURN_HOME to a folder that can be written, or start uturn somewhere else.`,
  );
});
