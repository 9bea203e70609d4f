// What docs/store.md shows is what the store holds.
import { expect, test } from 'vitest';
import { readRecords } from '../../activities/store/lines.ts';
import { labels } from '../../domain/records/record.ts';
import { blocks, page } from './pages.ts';

const store = page('docs/store.md');

test('the record shown is a whole one, with the hash it states', () => {
  const [example] = blocks(store).filter(({ language }) => language === 'json');
  const line = JSON.stringify(JSON.parse(example?.text ?? ''));
  const { records, damaged } = readRecords(new TextEncoder().encode(`${line}\n`));
  expect({ damaged, stages: records.map((record) => record.result.stage) }).toEqual({
    damaged: 0,
    stages: ['user_turn'],
  });
});

test('the labels are those there are', () => {
  const listed = /^Labels: ([\s\S]*?)\n\n/m.exec(store.text)?.[1] ?? '';
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, label]) => label)).toEqual([...labels]);
});
