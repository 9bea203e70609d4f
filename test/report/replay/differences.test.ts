import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differences, firstDifference } from '../../../report/replay/differences.ts';

test('fields that differ are named by their path, and those that only one has', () => {
  const there = { a: 1, cells: [{ n: 1, rate: null }, { n: 2 }], gone: 'x', same: [1, 2] };
  const made = { a: 1, cells: [{ n: 1, rate: 0 }, { n: 3 }, { n: 4 }], same: [1, 2], more: {} };
  expect(differences(there, made)).toEqual([
    { field: 'cells[0].rate', there: null, made: 0 },
    { field: 'cells[1].n', there: 2, made: 3 },
    { field: 'cells[2]', made: { n: 4 } },
    { field: 'gone', there: 'x' },
    { field: 'more', made: {} },
  ]);
  expect(differences([], {})).toEqual([{ field: '', there: [], made: {} }]);
});

test('a value that was changed in one place differs there and nowhere else', () => {
  const values = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(values, fc.nat(), (value, which) => {
      const there = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
      const names = Object.keys(there);
      const name = names[which % names.length] ?? '';
      expect(differences(there, structuredClone(there))).toEqual([]);
      expect(differences(there, { ...there, [name]: 'another' }).map(({ field }) => field)).toEqual(
        there[name] === 'another' ? [] : [name],
      );
    }),
  );
});

test.each([
  ['a\nb\n', 'a\nb\n', null],
  ['a\nb\n', 'a\nc\n', { line: 2, there: 'b', made: 'c' }],
  ['a\nb', 'a', { line: 2, there: 'b', made: null }],
  ['a', 'a\nb', { line: 2, there: null, made: 'b' }],
  ['', 'x', { line: 1, there: '', made: 'x' }],
])('%j and %j', (there, made, first) => {
  expect(firstDifference(there, made)).toEqual(first);
});
