import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putVersion } from '../../activities/store/runs.ts';
import type { RecordsReplay } from '../../cli/replay/records.ts';
import type { RunJson } from '../../report/json.ts';
import { type Desk, desk, openDesk } from '../cli/uturn.ts';
import { Lab } from '../lab.ts';
import { item, type Story, written } from '../report/written.ts';

const fates: Record<string, Story> = {
  i0: {
    answer: { text: 'Answer: 7' },
    user: { text: 'And twice that?' },
    label: 'plausible_followup',
    outcome: 'right',
  },
  i1: { answer: { text: 'Answer: 8' }, user: { text: '' }, label: 'degenerate_short', outcome: 'wrong' },
  i2: { answer: { text: 'Hm' }, user: { text: 'Hm?' }, label: null, outcome: 'unscored' },
  i3: { answer: { failed: 'the server cut the connection' } },
};
const items = Object.keys(fates).map((id) => item(id));
const story = ({ item: id }: { item: string }) => fates[id] ?? {};

let at: Desk;
let run: string;
let begun: string;
beforeAll(async () => {
  at = await openDesk();
  run = await written(at.store, { name: 'told', items, temperatures: [0, 0.7], story, ended: 'complete' });
  const first = (place: { item: string; temperature: number }) => (place.temperature === 0 ? story(place) : {});
  begun = await written(at.store, { name: 'begun', items, temperatures: [0, 0.5], story: first });
});
afterAll(() => at[Symbol.asyncDispose]());

test('a run is told from its records: the table on stdout, the page beside it', async () => {
  const { stdout, stderr, code } = await at.uturn(['report', run]);
  expect({
    stdout: stdout.replaceAll(run, 'RUN'),
    stderr: stderr.replaceAll(run, 'RUN'),
    code,
  }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "
    2 samples ended in an error. Try them again: uturn resume RUN
    ",
      "stdout": "model  data    T    n  answers right  genuine follow-ups  undecided  unscored  errors
    fake   sums    0  3/4   33 % [6, 79]     33–67 % [6, 94]          1         1   1/1/0
    fake   sums  0.7  3/4   33 % [6, 79]     33–67 % [6, 94]          1         1   1/1/0

    8 user turns, 1200 prompt and 120 completion tokens, 2 errors.
    Bands: undecided turns all not genuine – all genuine. Brackets: 95 % intervals, of both ends.
    n: turns judged/asked for.
    errors: at answers/up to user turns/at judgements; they are in no rate.


    Report: .uturn/reports/RUN.html
    ",
    }
  `);
  expect(await readFile(join(at.home.dir, 'reports', `${run}.html`), 'utf8')).toContain('And twice that?');
});

test('a run that has not ended is shown as far as it has come', async () => {
  const { stdout, stderr, code, json } = await at.uturn<RunJson>(['report', begun, '--json']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(json.cells.map(({ temperature, state, judged, samples }) => [temperature, state, judged, samples])).toEqual([
    [0, 'complete', 3, 4],
    [0.5, 'pending', 0, 4],
  ]);
  expect([stderr, code]).toEqual([
    `\n${begun} has not ended: 1 of 2 cells are pending. Go on with it: uturn resume ${begun}\n`,
    3,
  ]);
});

test('a run that was taken up again has not ended, whatever it ended as before', async () => {
  const again = await written(at.store, { name: 'again', items, story, ended: 'complete' });
  await putVersion(at.store, again, { name: 'begins', n: 2, value: { execution: 2 } });
  const { stderr, code } = await at.uturn(['report', again, '--json']);
  expect([stderr, code]).toEqual([
    `\n${again} has not ended: 0 of 1 cells are pending. Go on with it: uturn resume ${again}\n`,
    3,
  ]);
});

test('page and CSV go where somebody wants them', async () => {
  const { stderr, code, json } = await at.uturn<RunJson>([
    'report',
    run,
    '--html',
    'p.html',
    '--csv',
    'c.csv',
    '--json',
  ]);
  expect([json.report, code, stderr.split('\n')[0]]).toEqual(['p.html', 0, 'CSV: c.csv']);
  expect((await stat(join(at.dir, 'p.html'))).size).toBeGreaterThan(10_000);
  const onStdout = await at.uturn(['report', run, '--csv', '-']);
  expect(onStdout.stdout).toBe(await readFile(join(at.dir, 'c.csv'), 'utf8'));
  expect(onStdout.stdout.split('\r\n').map((line) => line.split(',').slice(2, 7).join())).toEqual([
    'model,data,temperature,samples,state',
    'fake,sums,0,4,complete',
    'fake,sums,0.7,4,complete',
    '',
  ]);
});

test('everything goes into one folder, which is made, and a second time gives the same bytes', async () => {
  const { code, stdout, stderr } = await at.uturn(['report', run, '--out', 'new/folder']);
  expect([code, stdout.trimEnd().split('\n').at(-1), stderr.trim()]).toEqual([
    0,
    'Report: new/folder/report.html',
    `2 samples ended in an error. Try them again: uturn resume ${run}`,
  ]);
  const bytes = async (folder: string) => {
    const files = await readdir(join(at.dir, folder), { recursive: true, withFileTypes: true });
    const paths = files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    return new Map(
      await Promise.all(
        paths.map(async (path) => [relative(join(at.dir, folder), path), await readFile(path, 'utf8')] as const),
      ),
    );
  };
  const written = await bytes('new/folder');
  expect([...written.keys()].sort((a, b) => (a < b ? -1 : 1))).toMatchInlineSnapshot(`
    [
      "cells.csv",
      "figures/accuracy-sums.svg",
      "figures/accuracy-sums.vl.json",
      "figures/follow-up-sums.svg",
      "figures/follow-up-sums.vl.json",
      "figures/labels-sums.svg",
      "figures/labels-sums.vl.json",
      "report.html",
      "report.md",
    ]
  `);
  expect(written.get('report.html')).toContain('the server cut the connection');
  await at.uturn(['report', run, '--out', 'again']);
  expect(await bytes('again')).toEqual(written);
});

test('a folder that stands where a file goes is said, and nothing half-written is left', async () => {
  await mkdir(join(at.dir, 'taken', 'cells.csv'), { recursive: true });
  const { code, stderr } = await at.uturn(['report', run, '--out', 'taken']);
  expect([code, stderr]).toEqual([
    2,
    'taken/cells.csv cannot be written: it is a folder.\n  Give the path of a file in a folder that is there.\n',
  ]);
  expect((await readdir(join(at.dir, 'taken'))).sort()).toEqual(['cells.csv', 'report.html', 'report.md']);
});

test.each<[args: string[], said: string]>([
  [['--out', ''], '--out is empty\n  Give it a path, or leave it out.\n'],
  [['--csv', '-', '--json'], '--csv - and --json would both print on standard output\n  Give --csv a file.\n'],
  [
    ['--out', 'a-file'],
    'a-file/report.html cannot be written: a part of its path is a file.\n  Give the path of a file in a folder that is there.\n',
  ],
  [
    ['--html', 'nowhere/p.html'],
    'nowhere/p.html cannot be written: its folder does not exist.\n  Give the path of a file in a folder that is there.\n',
  ],
])('%j is refused', async (args, said) => {
  await writeFile(join(at.dir, 'a-file'), '');
  const { code, stdout, stderr } = await at.uturn(['report', run, ...args]);
  expect([code, stdout, stderr]).toEqual([2, '', said]);
});

test('a pinned part that is gone is named', async () => {
  const { store, uturn } = await desk();
  const spoilt = await written(store, { name: 'spoilt', items, story, ended: 'complete' });
  const key = (await store.list('stages/'))[0] ?? '';
  const folder = `stages/${key}000000-0000/`;
  const part = (await store.list(folder)).find((name) => name.endsWith('.gz')) ?? '';
  await rm(fileURLToPath(`${store.uri}/${folder}${part}`));
  const { code, stdout, stderr } = await uturn(['report', spoilt]);
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    `${store.uri}/${folder}${part} this part is missing\n  Restore it from a copy of the store, or have it made again: uturn resume <run>. Records that other files still hold are not computed again.\n`,
  ]);
});

test('after a real run, report, replay and records say just what the run said, with everything else gone', async () => {
  await using lab = await Lab.start({ items: 10, config: { temperatures: [0, 0.8], samples: 1 }, services: 'ended' });
  const ran = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(ran.code).toBe(0);
  await lab.kill('model');
  const told = await lab.run(['report', ran.json.run, '--json']);
  expect([told.code, told.json]).toEqual([0, ran.json]);
  const replayed = await lab.run<RecordsReplay>(['replay', ran.json.run, '--from-records', '--json']);
  expect([replayed.code, replayed.json.equal, replayed.json.checked.records]).toEqual([0, true, 4 * ran.json.samples]);
  const { stdout } = await lab.run(['records', ran.json.run, '--stage', 'user_turn', '--json']);
  expect(stdout.split('\n').length - 1).toBe(ran.json.samples);
});
