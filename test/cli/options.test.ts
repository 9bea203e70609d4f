import { expect, test } from 'vitest';
import { runName } from '../../cli/options.ts';

test.each(['trial', 'a', '0-nightly-2', 'x'.repeat(63)])('%j names a run', (name) => {
  expect(runName(name)).toBe(name);
});

test.each(['', '-a', 'A B', 'Foo.Bar', 'a/b', '..', 'é', 'x'.repeat(64)])('%j names no run', (name) => {
  expect(() => runName(name)).toThrow('A name is up to 63 of a-z, 0-9 and "-", with no "-" first.');
});
