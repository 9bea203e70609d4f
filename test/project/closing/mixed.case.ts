import { describe, expect, test } from 'vitest';

test('holds', () => expect(1).toBe(1));
describe('within a group', () => {
  test('holds too', () => expect(2).toBe(2));
  test('does not hold', () => expect(1).toBe(2));
});
test.skipIf(true)('is left out', () => expect(1).toBe(2));
