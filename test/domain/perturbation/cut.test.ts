import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conditionName, questionFor, tokensToDrop } from '../../../domain/perturbation/condition.ts';
import { aroundVisible, cutTokens, type Tokenizer } from '../../../domain/perturbation/cut.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Every byte is a token, as of a byte-level tokenizer that has merged nothing: cuts fall into characters. */
const bytes: Tokenizer = {
  tokenize: async (text) => [...encoder.encode(text)],
  detokenize: async (ids) => decoder.decode(Uint8Array.from(ids)),
};

/** Every word is a token, and the text comes back with a space before it, as of some sentence-piece models. */
function words(): Tokenizer {
  const known: string[] = [];
  const idOf = (word: string) => (known.includes(word) ? known.indexOf(word) : known.push(word) - 1);
  return {
    tokenize: async (text) => (text.match(/\s*\S+|\s+/g) ?? []).map(idOf),
    detokenize: async (ids) => ` ${ids.map((id) => known[id] ?? '').join('')}`,
  };
}

const characters = (text: string) => [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
const texts = fc.string({ unit: 'grapheme', maxLength: 60 });

test('of a truncated answer a quarter goes, and at least 25 tokens; of a dose its percentage, rounded up', () => {
  const truncated = [0, 1, 24, 25, 26, 99, 100, 101, 1_000].map((n) => tokensToDrop({ kind: 'truncated' }, n));
  expect(truncated).toEqual([25, 25, 25, 25, 25, 25, 25, 26, 250]);
  const doses = [10, 50, 70, 90].map((percent) => tokensToDrop({ kind: 'cut', percent }, 10));
  expect(doses).toEqual([1, 5, 7, 9]);
  expect(tokensToDrop({ kind: 'cut', percent: 10 }, 1)).toBe(1);
  for (const kind of ['base', 'again', 'question'] as const) expect(tokensToDrop({ kind }, 100)).toBe(0);
});

test('what is left begins the answer, has no more tokens than it should, and ends with a whole character', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 0, max: 120 }), fc.boolean(), async (text, drop, byWords) => {
      const tokenizer = byWords ? words() : bytes;
      const cut = await cutTokens(text, () => drop, tokenizer);
      const n = (await tokenizer.tokenize(text))?.length ?? 0;
      const wanted = Math.max(0, n - drop);
      expect(cut?.tokens).toBe(n);
      expect(cut?.kept).toBeLessThanOrEqual(wanted);
      expect(text.startsWith(cut?.text ?? '?')).toBe(true);
      const whole = characters(text);
      const left = characters(cut?.text ?? '');
      expect(left).toEqual(whole.slice(0, left.length));
      expect(((await tokenizer.tokenize(cut?.text ?? '')) ?? []).length).toBeLessThanOrEqual(wanted);
      // Not shorter than it must be: one character more would be too long, or is not there.
      const more = whole.slice(0, left.length + 1).join('');
      if (drop > 0 && wanted > 0 && left.length < whole.length)
        expect(((await tokenizer.tokenize(more)) ?? []).length).toBeGreaterThan(wanted);
    }),
    { numRuns: 400 },
  );
});

test('a cut inside a joined emoji, a flag or a letter with its marks leaves all of it out', async () => {
  for (const last of ['👩‍👩‍👧', '🇩🇪', 'é', '👍🏽']) {
    const text = `Yes ${last}`;
    const cut = await cutTokens(text, () => 1, bytes);
    expect(cut?.text).toBe('Yes ');
    expect(cut?.kept).toBe(4);
  }
});

test('an answer shorter than its cut is empty, and one of which nothing goes is as it was', async () => {
  expect(await cutTokens('No.', () => 25, bytes)).toEqual({ text: '', tokens: 3, kept: 0 });
  expect(await cutTokens('No.', () => 0, bytes)).toEqual({ text: 'No.', tokens: 3, kept: 3 });
  expect(await cutTokens('', () => 25, bytes)).toEqual({ text: '', tokens: 0, kept: 0 });
  expect(await cutTokens('No.', () => 1, { ...bytes, tokenize: async () => null })).toBe(null);
});

test('only what a reader sees is cut: reasoning stays before it, an end of turn behind', () => {
  const answer = (text: string) => aroundVisible(text, { opens: 'answer' });
  expect(answer('<think>2+2</think>Four.<|im_end|>')).toEqual({
    before: '<think>2+2</think>',
    visible: 'Four.',
    after: '<|im_end|>',
  });
  expect(answer('Four.')).toEqual({ before: '', visible: 'Four.', after: '' });
  expect(answer('<think>2+2')).toBe(null);
  expect(aroundVisible('2+2</think>Four.', { opens: 'reasoning' })?.before).toBe('2+2</think>');
});

test('a question is one of two, the same for an item, and each comes about half the time', () => {
  const drawn = Array.from({ length: 2_000 }, (_, n) => questionFor(`item-${n}`, 0));
  expect(new Set(drawn)).toEqual(new Set([' What do you think?', ' Any questions?']));
  const thinks = drawn.filter((one) => one === ' What do you think?').length;
  expect(Math.abs(thinks - 1_000)).toBeLessThan(150);
  expect(questionFor('item-7', 0)).toBe(drawn[7]);
});

test('conditions have names of their own', () => {
  const names = [
    { kind: 'base' } as const,
    { kind: 'again' } as const,
    { kind: 'truncated' } as const,
    { kind: 'question' } as const,
    { kind: 'cut', percent: 10 } as const,
    { kind: 'cut', percent: 90 } as const,
  ].map(conditionName);
  expect(names).toEqual(['base', 'again', 'truncated', 'question', 'cut-10', 'cut-90']);
});
