// The examples of docs/data.md are data.
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adapt } from '../../activities/data/adapt.ts';
import { blocks, page } from './pages.ts';

test('the lines of the general format are read, checked each in its way', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'uturn-docs-'));
  const [example] = blocks(page('docs/data.md')).filter(({ language }) => language === 'jsonl');
  const path = join(folder.path, 'example.jsonl');
  await writeFile(path, example?.text ?? '');
  const { items } = await adapt({ id: 'example', adapter: 'jsonl', path, shown: 'docs/data.md', sha256: null });
  expect(items.map(({ id, answer }) => [id, answer?.check ?? null])).toEqual([
    ['sum-1', 'number'],
    ['pick-1', 'choice'],
    ['form-1', 'format'],
    ['open-1', null],
  ]);
});
