// What a nightly may say of its baseline and its self-test.
import { expect, test } from 'vitest';
import { sentence } from '../../../domain/problems.ts';
import { readSpec } from '../../../domain/spec/read.ts';

const plain = 'kind: nightly\nname: smoke\nexperiment: sweep.yaml\n';

/** What a nightly with that line more means, or every sentence about it. */
function read(line: string) {
  const found = readSpec(plain + line, { file: 'a.yaml' });
  if ('problems' in found) return found.problems.map(sentence).join('\n');
  if (found.spec.kind !== 'nightly') return found.spec.kind;
  const { baseline, self_test } = found.spec;
  return { baseline, self_test };
}

const usual = { at_least: 0.9, changed: 0.1 };

test.each([
  ['', { baseline: { run: null, pinned: null, nights: 7 }, self_test: usual }],
  ['baseline: { pinned: [a, b] }', { baseline: { run: null, pinned: ['a', 'b'], nights: null }, self_test: usual }],
  [
    'self_test: { at_least: 0, changed: 1 }',
    { baseline: { run: null, pinned: null, nights: 7 }, self_test: { at_least: 0, changed: 1 } },
  ],
])('%j is understood', (line, meant) => {
  expect(read(line)).toEqual(meant);
});

test.each([
  ['baseline: { run: a, pinned: [b] }', 'says not what to hold a night against'],
  ['baseline: {}', 'Give it `run`, `pinned` or `nights`, one of the three.'],
  ['baseline: { pinned: [a, b, a] }', 'names a a second time.'],
  ['baseline: { pinned: [] }', 'baseline.pinned'],
  ['self_test: { at_least: 1.1 }', 'self_test.at_least'],
])('%j is refused', (line, said) => {
  expect(read(line)).toContain(said);
});
