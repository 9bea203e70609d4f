// A run on GPQA: its texts are on the owner's disk, in the store, and in nothing that is shown or handed on.
import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { getPlan } from '../../activities/store/plans.ts';
import { Lab } from '../lab.ts';

const word = 'zyxomancy';
const header = 'Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,Record ID';
const rows = Array.from(
  { length: 20 },
  (_, n) => `What does ${word} number ${n} divine?,Sky ${word},Sea ${word},Salt ${word},Sand ${word},rec${n}`,
);

test('GPQA is asked, and the word of its questions is in no page, table, listing, log or history', async () => {
  await using lab = await Lab.start({ config: { data: [{ set: 'gpqa-diamond', id: 'hard', path: 'g.csv' }] } });
  await lab.write('g.csv', [header, ...rows, ''].join('\r\n'));
  const { code, json, stdout, stderr } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect([code, json.samples, json.totals.errors]).toEqual([0, 20, 0]);
  expect(stderr).toContain('g.csv holds 20 items; gpqa-diamond as published has 198.');
  expect((await getPlan(lab.store, json.plan)).data).toMatchObject([{ adapter: 'gpqa-diamond', private: true }]);

  const records = await lab.run(['records', json.run, '--json']);
  const listing = await lab.run(['records', json.run, '--text']);
  const page = await readFile(resolve(lab.dir, json.report ?? ''), 'utf8');
  for (const text of [stdout, stderr, records.stdout, listing.stdout, page]) expect(text).not.toContain(word);

  const holds: string[] = [];
  for await (const entry of glob('**/*', { cwd: lab.home.dir, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(path)).includes(word)) holds.push(path.slice(lab.home.dir.length));
  }
  expect(holds.filter((path) => !path.startsWith('/store/'))).toEqual([]);
  expect(holds.some((path) => path.startsWith('/store/blobs/'))).toBe(true);
  expect((await lab.run(['records', json.run, '--text', '--show-private'])).stdout).toContain(word);
});
