import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { starterData } from '../../activities/data/registry.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import { desk } from './uturn.ts';

const rows = [
  { id: 'a', question: 'What is 3 + 4?', check: 'number', answer: 7 },
  { id: 'b', question: 'What is 3 + 5?', check: 'number', answer: 8 },
];
const content = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const short = sha256(content).slice(0, 12);

test('a file is registered, listed, verified, and refused once it has changed', async () => {
  const { dir, uturn } = await desk();
  const file = join(dir, 'mine.jsonl');
  await writeFile(file, content);

  const added = await uturn(['data', 'add', 'mine', 'mine.jsonl']);
  expect(added).toMatchObject({
    code: 0,
    stdout: `name  format  items  sha256        file\nmine  jsonl       2  ${short}  ${file}\n`,
    stderr: 'A config names it with: data: [{ set: mine }]\n',
  });

  const starter = await starterData();
  const mine = { name: 'mine', adapter: 'jsonl', path: file, sha256: sha256(content), count: 2 };
  expect((await uturn(['data', 'list', '--json'])).json).toEqual([starter, mine]);
  expect((await uturn(['data', 'list'])).stdout.split('\n').map((line) => line.split(/\s+/).slice(0, 4))).toEqual([
    ['name', 'format', 'items', 'sha256'],
    ['starter', 'starter', '40', starter.sha256.slice(0, 12)],
    ['mine', 'jsonl', '2', short],
    [''],
  ]);

  expect(await uturn(['data', 'verify', 'mine'])).toMatchObject({
    code: 0,
    stdout: `name  items  sha256        state\nmine      2  ${short}  as registered\n`,
    stderr: '',
  });

  await appendFile(file, '\n');
  const changed = sha256(await readFile(file));
  const sentence = `${file} has the SHA-256 ${changed}, but ${sha256(content)} is stated.\n  The file is another one, or was changed. Get the stated one, or state the new checksum.`;
  expect(await uturn(['data', 'verify'])).toMatchObject({
    code: 2,
    stdout: `name  items  sha256        state\nmine      2  ${short}  not usable\n`,
    stderr: `${sentence}\n`,
  });
  expect(await uturn(['data', 'verify', '--json'])).toMatchObject({ code: 2, json: [{ ...mine, problem: sentence }] });
});

test('a set is read as the format of its name, and what is worth knowing of it is said', async () => {
  const { dir, uturn } = await desk();
  const header = 'Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3';
  await writeFile(join(dir, 'g.csv'), `${header}\r\n"Which, of these,\r\nfloats?",Cork,Iron,Lead,Glass\r\n`);
  const { code, stdout, stderr } = await uturn(['data', 'add', 'gpqa-diamond', 'g.csv']);
  expect([code, stdout.split('\n')[1]?.split(/\s+/).slice(0, 3)]).toEqual([0, ['gpqa-diamond', 'gpqa-diamond', '1']]);
  expect(stderr).toBe(
    'g.csv holds 1 items; gpqa-diamond as published has 198.\nA config names it with: data: [{ set: gpqa-diamond }]\n',
  );
  expect(await uturn(['data', 'verify', 'gpqa-diamond'])).toMatchObject({ code: 0, stderr: '' });
  expect(await uturn(['data', 'add', 'math', 'g.csv'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This file looks like gpqa-main or gpqa-diamond.\n') as string,
  });
});

test('before anything is registered there is the set that comes with uturn', async () => {
  const { uturn } = await desk();
  expect(await uturn(['data', 'verify'])).toMatchObject({
    code: 0,
    stderr: 'No data set is registered here: uturn data add <name> <file>\n',
  });
  expect((await uturn(['data', 'verify', 'starter'])).stdout).toMatch(/^starter +40 .* comes with uturn$/m);
});

test.each<[args: string[], said: string]>([
  [['add', 'starter', 'x.jsonl'], '"starter": starter comes with uturn.\n  Register your file under another name.\n'],
  [['add', 'mine', 'broken.jsonl'], 'broken.jsonl:2 is no JSON.\n  Every line holds one whole object, { … }.\n'],
  [
    ['verify', 'nine'],
    'no data set is registered as nine.\n  Register it with `uturn data add nine <path>`, or give its `path`.\n',
  ],
])('uturn data %j is refused with a sentence', async (args, said) => {
  const { dir, uturn } = await desk();
  await writeFile(join(dir, 'broken.jsonl'), `${JSON.stringify(rows[0])}\nnot json\n`);
  const { code, stdout, stderr } = await uturn(['data', ...args]);
  expect([code, stdout, stderr]).toEqual([2, '', said]);
});
