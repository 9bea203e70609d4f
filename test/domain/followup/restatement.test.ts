import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fewestExcerptWords, likeness, wordsOf } from '../../../domain/followup/restatement.ts';

/** The textbook table, to compare with. */
function slowSubsequence(a: string[], b: string[]): number {
  let row = b.map(() => 0);
  for (const each of a) {
    const next: number[] = [];
    for (const [k, other] of b.entries()) {
      next.push(each === other ? (row[k - 1] ?? 0) + 1 : Math.max(row[k] ?? 0, next[k - 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

test('the order is measured as the textbook measures it, over word boundaries of 16 bits too', () => {
  const middle = fc.array(fc.constantFrom('red', 'green', 'blue', 'white'), { maxLength: 120 });
  fc.assert(
    fc.property(middle, middle, (a, b) => {
      const frame = (words: string[]) => ['one', 'two', 'three', ...words, 'seven', 'eight', 'nine'];
      const [u, s] = [frame(a), frame(b)];
      const found = likeness(u.join(' '), s.join(' '));
      const excerpt = u.length >= fewestExcerptWords && ` ${s.join(' ')} `.includes(` ${u.join(' ')} `);
      const expected = excerpt ? 1 : slowSubsequence(u, s) / Math.max(u.length, s.length);
      expect(found?.subsequence).toBe(expected);
    }),
  );
});

test('shared words count as often as both have them', () => {
  expect(likeness('one two three x x x seven eight nine', 'one two three x y x z seven eight nine')).toEqual({
    overlap: 0.8,
    subsequence: 0.8,
  });
});

test('an unbroken excerpt is a copy from a certain length on, wherever it stands', () => {
  const source = Array.from({ length: 60 }, (_, k) => `word${k % 7}${k % 5 === 0 ? 'a' : 'b'}${k}`);
  const excerpt = (length: number) => source.slice(20, 20 + length).join(' ');
  expect(likeness(excerpt(fewestExcerptWords), source.join(' '))).toEqual({ overlap: 1, subsequence: 1 });
  expect(likeness(excerpt(fewestExcerptWords).slice(0, -1), source.join(' '))).toEqual({ overlap: 1, subsequence: 1 });
  expect(likeness(excerpt(fewestExcerptWords - 1), source.join(' '))?.overlap).toBeCloseTo(23 / 60);
  expect(likeness(`${excerpt(fewestExcerptWords)} why`, source.join(' '))).toBeNull();
});

test('repeating words do not hide where an excerpt begins', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b'), { minLength: 40, maxLength: 80 }), fc.nat(15), (source, from) => {
      const part = source.slice(from, from + fewestExcerptWords);
      expect(likeness(part.join(' '), source.join(' '))).toEqual({ overlap: 1, subsequence: 1 });
    }),
  );
});

test.each([
  ['Hello, World!', ['hello', 'world']],
  ['it’s 3.5 km', ['it', 's', '3', '5', 'km']],
  ['Cafe\u0301 CAFÉ', ['café', 'café']],
  ['我爱Rust语言', ['我', '爱', 'rust', '语', '言']],
  ['สวัสดี', ['ส', 'ว', 'ั', 'ส', 'ด', 'ี']],
  ['\ud835 \0 …', []],
])('the words of %j', (text, words) => expect(wordsOf(text)).toEqual(words));

test.each([
  ['the same word', () => 'a '.repeat(2 ** 19)],
  ['an almost repeating text', () => `${'a '.repeat(2 ** 18)}b ${'a '.repeat(2 ** 18)}`],
  ['many different words', () => Array.from({ length: 100_000 }, (_, k) => `w${(k * 7919) % 99_991}x`).join(' ')],
])('a megabyte of %s against its reverse is compared in bounded time', (_, make) => {
  const source = make();
  const words = source.trim().split(' ');
  const turned = [...words.slice(0, 3), ...words.slice(3, -3).reverse(), ...words.slice(-3)].join(' ');
  const start = performance.now();
  likeness(turned, source);
  likeness(`b ${source}`, source);
  expect(performance.now() - start).toBeLessThan(5_000); // a full table would take minutes
});

test('texts of 8,000 words in another order are still compared', () => {
  const words = Array.from({ length: 8_000 }, (_, k) => `w${String.fromCharCode(97 + (k % 26))}${'x'.repeat(k % 97)}`);
  const turned = [...words.slice(0, 3), ...words.slice(3, -3).reverse(), ...words.slice(-3)];
  expect(likeness(turned.join(' '), words.join(' '))?.overlap).toBe(1);
});
