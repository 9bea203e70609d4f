// The copy of the paper that configs/reference was read from, where somebody has it: UTURN_SEEDS names its folder.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reference } from '../../domain/reference.ts';

const folder = process.env['UTURN_SEEDS'];
const file = join(import.meta.dirname, '..', '..', 'configs', 'reference', 'probe.json');

test.skipIf(folder === undefined)('every published figure stands in the copy, on the line it names', () => {
  const { copy, sources, settings } = reference.parse(JSON.parse(readFileSync(file, 'utf8')));
  const texts = globSync('*.txt', { cwd: folder ?? '' }).map((name) => readFileSync(join(folder ?? '', name)));
  const text = texts.find((bytes) => createHash('sha256').update(bytes).digest('hex') === copy.sha256);
  expect(text, `UTURN_SEEDS has a .txt with the SHA-256 ${copy.sha256}`).toBeDefined();

  const lines = String(text).split('\n');
  const printed = [...sources.flatMap(({ figures }) => figures), ...settings].filter(({ line }) => line !== null);
  expect(printed.length).toBeGreaterThan(180);
  expect(printed.filter((one) => !lines[(one.line ?? 0) - 1]?.includes(one.printed ?? ''))).toEqual([]);
});
