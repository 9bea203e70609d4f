// Files of a run that are damaged or gone: every command names the file, and says what to do.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk } from '../cli/uturn.ts';
import { item, written } from '../report/written.ts';

const commands = ['status', 'report', 'records'];

async function damaged(file: string, text: string | null) {
  const at = await desk();
  const story = () => ({ answer: { text: '7' }, user: { text: 'And 8?' }, label: null, outcome: 'right' as const });
  const run = await written(at.store, { name: 'done', items: [item('a')], story, ended: 'complete' });
  const path = join(at.home.store, 'runs', run, file);
  await (text === null ? rm(path) : writeFile(path, text));
  const said = await Promise.all(commands.map((command) => at.uturn([command, run])));
  const listed = await at.uturn(['list']);
  const uri = `${at.store.uri}/runs/${run}/`;
  return {
    codes: said.map(({ code }) => code),
    said: [...new Set(said.map(({ stderr }) => stderr.replace(uri, '')))],
    state: /^\S+\s+(\S+)/m.exec(listed.stdout.split('\n')[1] ?? '')?.[1],
  };
}

const restore = 'Restore it from a copy of the store, or';

test.each<[what: string, file: string, text: string | null, sentence: string]>([
  [
    'without its first document',
    'run.json',
    null,
    `run.json this file is missing, which says what the run was started with\n  ${restore} run the same config again: what was computed is found.\n`,
  ],
  [
    'whose first document is empty',
    'run.json',
    '{}',
    `run.json this file is damaged: it does not say what a run was started with\n  ${restore} delete it and run the same config again: what was computed is found.\n`,
  ],
  [
    'whose end is cut off',
    'ends/000001.json',
    '{"end":{"run":',
    `ends/000001.json this file is damaged: it does not hold JSON\n  ${restore} delete it and go on with the run (uturn resume <run>): what was computed is found.\n`,
  ],
  [
    'whose end says nothing',
    'ends/000001.json',
    '{"end":{},"summary":{}}',
    `ends/000001.json this file is damaged: it does not say how a run ended\n  ${restore} delete it and go on with the run (uturn resume <run>): what was computed is found.\n`,
  ],
  [
    'whose pins are none',
    'pins/0001/fake/000000.json',
    '[]',
    `pins/0001/fake/000000.json this file is damaged: it does not say pins of a run\n  ${restore} make another run from the same records: uturn run <config> --new.\n`,
  ],
])('a run %s', async (_, file, text, sentence) => {
  expect(await damaged(file, text)).toEqual({ codes: [2, 2, 2], said: [sentence], state: 'damaged' });
});
