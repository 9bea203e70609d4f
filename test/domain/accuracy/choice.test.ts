import { expect, test } from 'vitest';
import { letterAfterMarker } from '../../../domain/accuracy/choice.ts';

test.each([
  ['B', 'B'],
  ['(B)', 'B'],
  ['[B]', 'B'],
  ['B.', 'B'],
  ['**B**', 'B'],
  ['**(B)**', 'B'],
  ['`B`', 'B'],
  ['"B"', 'B'],
  ['\\boxed{B}', 'B'],
  ['$\\text{B}$', 'B'],
  ['B) a longer wave', 'B'],
  ['B: 5 m', 'B'],
  ['B - the second', 'B'],
  ['B a longer wave', 'B'],
  ['option B', 'B'],
  ['Option (B)', 'B'],
  ['the correct answer is B', 'B'],
  ['I would say C', 'C'],
  ['It must be (C).', 'C'],
  ['b', 'B'],
  ['(b)', 'B'],
  ['b) text', 'B'],
  ['A', 'A'],
  ['A.', 'A'],
  ['A) A longer wave', 'A'],
  ['A is right', 'A'],
  ['A because the wave is longer', 'A'],
  ['B because A is wrong', 'B'],
  ['J', 'J'],
  ['C<|im_end|>', 'C'],
])('Answer: %j gives %s', (line, value) => expect(letterAfterMarker(`Reasons.\nAnswer: ${line}`)).toEqual({ value }));

test.each([
  ['A or B', 'two letters'],
  ['A, C', 'two letters'],
  ['A/B', 'two letters'],
  ['A & B', 'two letters'],
  ['A B', 'two letters'],
  ['B. or C.', 'two letters'],
  ['(A) and (B)', 'two letters'],
  ['both A and B', 'two letters'],
  ['option A or option B', 'two letters'],
  ['between C and D', 'two letters'],
  ['', 'no letter'],
  ['42', 'no letter'],
  ['K', 'no letter'],
  ['AB', 'no letter'],
  ['B2', 'no letter'],
  ['Because', 'no letter'],
  ['A longer wave', 'no letter'],
  ['a longer wave', 'no letter'],
  ['I do not know', 'no letter'],
  ["I'm not sure", 'no letter'],
  ['neither', 'no letter'],
])('Answer: %j is unscored: %s', (line, unscored) => {
  expect(letterAfterMarker(`Reasons.\nAnswer: ${line}`)).toEqual({ unscored });
});

test.each([
  ['Answer: A\nAnswer: B', { value: 'B' }],
  ['**Answer:**\n\n(D)', { value: 'D' }],
  ['B', { unscored: 'no marker' }],
])('%j gives %j', (text, reading) => expect(letterAfterMarker(text)).toEqual(reading));
