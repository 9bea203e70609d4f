import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordsReplay } from '../../cli/replay/records.ts';
import { soundRun } from '../report/replay/spoilt.ts';
import { item, written } from '../report/written.ts';
import { desk } from './uturn.ts';

test('a run goes from one store to another as a file, and is replayed there', async () => {
  const [here, there] = [await desk(), await desk()];
  const run = await soundRun(here.store);
  const exported = await here.uturn(['export', run, 'run.tar.gz']);
  expect([exported.code, exported.stdout]).toEqual([
    0,
    `run.tar.gz: ${run} with 8 parts and 1 blob, ${/[\d.]+ MB/.exec(exported.stdout)?.[0]}.\n`,
  ]);
  await here.uturn(['export', run, 'again.tar.gz']);
  const archive = await readFile(join(here.dir, 'run.tar.gz'));
  expect(archive.equals(await readFile(join(here.dir, 'again.tar.gz')))).toBe(true);

  await writeFile(join(there.dir, 'run.tar.gz'), archive);
  const imported = await there.uturn(['import', 'run.tar.gz']);
  expect([imported.code, imported.stdout]).toEqual([
    0,
    expect.stringContaining(`See whether it holds: uturn replay ${run} --from-records\n`),
  ]);
  await here.uturn(['report', run, '--out', 'report']);
  const against = join(here.dir, 'report');
  const { code, json } = await there.uturn<RecordsReplay>([
    'replay',
    run,
    '--from-records',
    '--against',
    against,
    '--json',
  ]);
  expect([code, json.equal, json.checked.faults]).toEqual([0, true, []]);
});

test('where private texts are left out it is said what cannot be made again', async () => {
  const [here, there] = [await desk(), await desk()];
  const story = () => ({ answer: { text: 'a' }, user: { text: 'u' }, label: null, outcome: 'right' as const });
  const run = await written(here.store, {
    name: 'hidden',
    items: [item('a')],
    private: true,
    story,
    ended: 'complete',
  });
  const exported = await here.uturn(['export', run, join(there.dir, 'run.tar.gz')]);
  const left = 'Of sums, which is private, it holds no item and no record: their cells cannot be made again from it.\n';
  expect(exported.stdout).toContain(left);
  expect((await there.uturn(['import', 'run.tar.gz'])).stdout).toContain(left);
  const { code, stdout } = await there.uturn(['replay', run, '--from-records']);
  expect([code, stdout]).toEqual([
    3,
    '0 records in 0 parts and 0 blobs were read, 0.0 MB: every record is what was hashed when it was made.\n' +
      'Of sums, which is private, nothing can be made here: its texts were left out of the archive. So there are no totals and no files.\n',
  ]);
  expect((await there.uturn(['store', 'verify'])).code).toBe(0);
  const missing = [
    `${run} was imported. Of sums, which is private, nothing can be made here: its texts were left out of the archive.`,
    `  What is here can be looked through: uturn replay ${run} --from-records. The rest needs the data: run its config where that is.`,
    '',
  ].join('\n');
  await writeFile(join(there.dir, 'judge.yaml'), 'judge:\n  rules: { overlap: 0.5 }\n');
  for (const asked of [
    ['report', run],
    ['compare', run, run],
    ['resume', run, '--no-worker'],
    ['replay', run, '--rejudge', 'judge.yaml'],
    ['replay', run, '--regenerate'],
  ]) {
    const { code: refused, stderr } = await there.uturn(asked);
    expect([asked[0], refused, stderr]).toEqual([asked[0], 2, expect.stringContaining(missing)]);
  }
});

test('where the data is there after all and what came of it too, nothing is missing', async () => {
  const [here, there] = [await desk(), await desk()];
  const story = () => ({ answer: { text: 'a' }, user: { text: 'u' }, label: null, outcome: 'right' as const });
  const mine = { name: 'hidden', items: [item('a')], private: true, story, ended: 'complete' as const };
  const run = await written(here.store, mine);
  await here.uturn(['export', run, join(there.dir, 'run.tar.gz')]);
  expect((await there.uturn(['import', 'run.tar.gz'])).code).toBe(0);
  await here.uturn(['store', 'sync', here.store.uri, there.store.uri]);
  const compared = await there.uturn(['compare', run, run]);
  expect([compared.code, compared.stdout]).toEqual([0, expect.stringContaining('Answers right')]);
});

test.each([
  ['nowhere.tar.gz', 'nowhere.tar.gz cannot be read: there is no such file\n'],
  ['text.tar.gz', 'text.tar.gz cannot be read: it is damaged, cut off, or no gzip\n'],
])('%s is no archive', async (file, said) => {
  const at = await desk();
  await writeFile(join(at.dir, 'text.tar.gz'), 'not at all');
  const { code, stderr } = await at.uturn(['import', file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});
