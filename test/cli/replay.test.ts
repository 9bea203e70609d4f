import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordsReplay } from '../../cli/replay/records.ts';
import { changeBytes, partOf, soundRun } from '../report/replay/spoilt.ts';
import { item, written } from '../report/written.ts';
import { type Desk, desk, openDesk } from './uturn.ts';

let at: Desk;
let run: string;
beforeAll(async () => {
  at = await openDesk();
  run = await soundRun(at.store);
});
afterAll(() => at[Symbol.asyncDispose]());

/** What may differ between two machines, or two days. */
const elsewhere = {
  TZ: 'Pacific/Kiritimati',
  LANG: 'ar_EG.UTF-8',
  LC_ALL: 'tr_TR.UTF-8',
  COLUMNS: '40',
  FORCE_COLOR: '1',
};

test('all that a run said is made again, byte for byte, whatever the clock, the language and the terminal', async () => {
  await at.uturn(['report', run, '--out', 'report']);
  const { code, json } = await at.uturn<RecordsReplay>(
    ['replay', run, '--from-records', '--against', 'report', '--json'],
    { env: elsewhere },
  );
  expect([code, json.equal, json.checked.faults, json.ending?.differences]).toEqual([0, true, [], []]);
  expect(json.files?.files.map(({ path, equal }) => [path, equal])).toEqual([
    ['report.html', true],
    ['report.md', true],
    ['cells.csv', true],
    ['figures/accuracy-sums.svg', true],
    ['figures/accuracy-sums.vl.json', true],
    ['figures/follow-up-sums.svg', true],
    ['figures/follow-up-sums.vl.json', true],
    ['figures/labels-sums.svg', true],
    ['figures/labels-sums.vl.json', true],
  ]);
});

test('it says in sentences what was read, what was made and what it was held against', async () => {
  const { code, stdout } = await at.uturn(['replay', run, '--from-records']);
  expect([
    code,
    stdout.replaceAll(/\d+\.\d MB/g, 'MB').replaceAll(/\d\.\d+ bytes|\d[\d ,]+ bytes/g, 'N bytes'),
  ]).toEqual([
    0,
    '48 records in 8 parts and 1 blob were read, MB: every record is what was hashed when it was made.\n' +
      'The summary made from them is that of runs/RUN/ends/000001.json, byte for byte (N bytes).\n'.replace(
        'RUN',
        run,
      ) +
      '9 files of a report were made (MB), and held against nothing: --against <folder> does that.\n',
  ]);
});

test('a file that differs is told with its first line that does, one that is gone and one that is none of a report', async () => {
  await at.uturn(['report', run, '--out', 'changed']);
  const csv = join(at.dir, 'changed', 'cells.csv');
  await writeFile(csv, (await readFile(csv, 'utf8')).replace(',0.7,6,', ',0.7,7,'));
  await writeFile(join(at.dir, 'changed', 'notes.txt'), 'mine');
  const { code, stdout } = await at.uturn(['replay', run, '--from-records', '--against', 'changed']);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `1 of 9 files of a report are not those in changed:\n  cells.csv line 3: there it is ${run}`,
  );
  expect(stdout).toContain('changed holds what no report of this run has: notes.txt\n');
});

test('a summary that says something else is told by cell and field', async () => {
  const own = await desk();
  const name = await soundRun(own.store);
  await changeBytes(own.store, `runs/${name}/ends/000001.json`, (bytes) =>
    Buffer.from(bytes.toString().replace('"right":4,"wrong":2', '"right":5,"wrong":1')),
  );
  const { code, stdout } = await own.uturn(['replay', name, '--from-records']);
  expect(code).toBe(1);
  expect(stdout.split('\n').slice(1, 4)).toEqual([
    `The summary made from them is not that of runs/${name}/ends/000001.json:`,
    '  fake · sums · T 0: accuracy.right was 5, and is 4 by the records',
    '  fake · sums · T 0: accuracy.wrong was 1, and is 2 by the records',
  ]);
});

test('a changed byte in a part is found, and nothing is made of what is left', async () => {
  const own = await desk();
  const name = await soundRun(own.store);
  const path = await partOf(own.store, name, 'judgement');
  await changeBytes(own.store, path, (bytes) => Buffer.from(bytes.map((byte, n) => (n === 200 ? byte ^ 1 : byte))));
  const { code, stdout } = await own.uturn(['replay', name, '--from-records']);
  expect(code).toBe(1);
  expect(stdout).toContain(`  ${path} record `);
  expect(stdout).toContain('Nothing was made of records that are not what they were.');
});

test('a run that has not ended has nothing to be held against, which is no success', async () => {
  const name = await written(at.store, { name: 'begun', items: [item('a')], story: () => ({ answer: { text: 'a' } }) });
  const { code, stdout } = await at.uturn(['replay', name, '--from-records']);
  expect([code, stdout.split('\n')[1]]).toEqual([
    3,
    `${name} has not ended: there is no summary to hold this one against.`,
  ]);
});

test.each<[args: string[], said: string]>([
  [
    [],
    'nothing says what is to be replayed\n  Give --from-records, --rescore, --rejudge <file>, --regenerate or --history.\n',
  ],
  [
    ['--from-records', '--history'],
    'one thing is replayed at a time\n  Give --from-records, --rescore, --rejudge <file>, --regenerate or --history.\n',
  ],
  [
    ['--from-records', '--against', 'nowhere'],
    'nowhere cannot be read: it is not there\n  Give a folder that uturn report --out has written.\n',
  ],
])('%j is refused', async (args, said) => {
  const { code, stdout, stderr } = await at.uturn(['replay', run, ...args]);
  expect([code, stdout, stderr]).toEqual([2, '', said]);
});
