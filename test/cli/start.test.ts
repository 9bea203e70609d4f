import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileStore } from '../../activities/store/file.ts';
import { createDoc } from '../../activities/store/runs.ts';
import { placeOf } from '../../cli/start.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { todays } from '../../domain/plan/semantics.ts';
import { temporaryFolder } from '../activities/store/folder.ts';

const wanted = { name: 'trial', plan: 'a'.repeat(32) };
const changed = { again: 'when changed' } as const;

const there: RunDoc = {
  format: 1,
  run: 'trial-aaaaaaaa',
  ...wanted,
  tags: [],
  occasion: 'trial-0',
  created: '2026-01-01T00:00:00.000Z',
  attempts: 1,
  engines: {},
  config: { file: 'trial.yaml', text: '' },
  uturn: '0.1.0',
};

test('a run that another command is just beginning is begun under the same name, not looked for', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  await mkdir(join(folder.path, 'runs', 'trial-aaaaaaaa'), { recursive: true });
  expect(await placeOf(store, wanted, changed)).toEqual({
    run: 'trial-aaaaaaaa',
    occasion: 'trial-aaaaaaaa',
    semantics: todays,
    there: false,
  });
});

test('a run that is there is returned to with its occasion; another is numbered', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  const doc = there;
  await createDoc(store, doc.run, 'run.json', doc);
  expect(await placeOf(store, wanted, changed)).toEqual({
    run: 'trial-aaaaaaaa',
    occasion: 'trial-0',
    semantics: todays,
    there: true,
  });
  expect(await placeOf(store, wanted, { again: 'always' })).toEqual({
    run: 'trial-aaaaaaaa-2',
    occasion: 'trial-aaaaaaaa-2',
    semantics: todays,
    there: false,
  });
});

test('a run of other versions is not gone on with: the same plan begins another', async () => {
  await using folder = await temporaryFolder();
  const store = await fileStore(folder.path);
  const doc: RunDoc = { ...there, semantics: { ...todays, accuracy: 0 } };
  await createDoc(store, doc.run, 'run.json', doc);
  expect(await placeOf(store, wanted, changed)).toEqual({
    run: 'trial-aaaaaaaa-2',
    occasion: 'trial-0',
    semantics: todays,
    there: false,
  });
});
