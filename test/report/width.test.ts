import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, displayWidth, pad } from '../../report/width.ts';

test.each<[text: string, width: number]>([
  ['', 0],
  ['smol-135m', 9],
  ['naïve', 5],
  ['nai\u0308ve', 5],
  ['模型', 4],
  ['ﾓﾃﾞﾙ', 4],
  ['Ｔ', 2],
  ['한국어', 6],
  ['🦜', 2],
  ['👩‍🔬', 2],
  ['❤️', 2],
  ['a\u200bb\u202ec', 3],
  ['0–63 % […]', 10],
])('%j takes %d columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each<[text: string, width: number, left: string]>([
  ['qwen3', 5, 'qwen3'],
  ['qwen3-4b', 5, 'qwen…'],
  ['模型模型', 5, '模型…'],
  ['模型模型', 4, '模…'],
  ['👩‍🔬👩‍🔬', 3, '👩‍🔬…'],
])('%j cut to %d columns', (text, width, left) => {
  expect(cut(text, width)).toBe(left);
});

test('what is cut and padded takes exactly its width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      expect(displayWidth(cut(text, width))).toBeLessThanOrEqual(width);
      expect(displayWidth(pad(cut(text, width), width, 'right'))).toBe(width);
    }),
  );
});
