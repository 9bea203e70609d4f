import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instructionIds } from '../../../domain/accuracy/instruction-ids.ts';
import { instructionScore, replyToCheck } from '../../../domain/accuracy/instructions.ts';
import type { InstructionsCheck } from '../../../domain/data/item.ts';
import type { InstructionResult, Turn } from '../../../domain/records/record.ts';

const check: InstructionsCheck = {
  check: 'instructions',
  family: 'ifeval',
  instructions: [
    { id: 'punctuation:no_comma', kwargs: {} },
    { id: 'startend:quotation', kwargs: {} },
  ],
};
const same = { check: 'instructions', extracted: null, expected: 'punctuation:no_comma, startend:quotation' };

function turn(text: string, finish: Turn['finish'] = 'stop'): Turn {
  return { text, finish, ids: null, prompt: null, tokens: 0, seed: null };
}

test.each<[string, Turn, string]>([
  ['an answer as it stands', turn(' One, two.\n'), ' One, two.\n'],
  ['reasoning is taken out', turn('<think>\nCommas?\n</think>\n\nOne two.'), '\n\nOne two.'],
  ['only the final channel', turn('<|channel|>analysis<|message|>x<|end|><|channel|>final<|message|>Yes.'), 'Yes.'],
  ['an answer that hit its limit is checked as it stands', turn('One two', 'length'), 'One two'],
  ['reasoning that never ends leaves nothing', turn('<think>\nOne two.'), ''],
  ['an empty answer', turn(''), ''],
])('%s', (_, answer, reply) => {
  expect(replyToCheck(answer, check)).toEqual({ reply });
});

test('an answer cut off inside its reasoning is truncated, and nothing of it is checked', () => {
  const cut = {
    ...same,
    outcome: 'truncated',
    reason: 'cut off inside the reasoning',
    instructions: check.instructions.map(({ id }) => ({ id, strict: null, loose: null })),
  };
  expect(replyToCheck(turn('<think>\nOne two.', 'length'), check)).toEqual(cut);
  expect(replyToCheck(turn('One two.', 'length'), check, { opens: 'reasoning' })).toEqual(cut);
});

const [first = '', second = ''] = check.instructions.map(({ id }) => id);
const followed = (id: string): InstructionResult => ({ id, strict: true, loose: true });
const failed = (id: string): InstructionResult => ({ id, strict: false, loose: true });
const open = (id: string): InstructionResult => ({ id, strict: null, loose: null, reason: 'its check fails: Oh' });

test.each<[InstructionResult[], string, string | null]>([
  [[followed(first), followed(second)], 'right', null],
  [[followed(first), failed(second)], 'wrong', 'fails startend:quotation'],
  [[failed(first), failed(second)], 'wrong', 'fails punctuation:no_comma, startend:quotation'],
  [[open(first), failed(second)], 'wrong', 'fails startend:quotation'],
  [[open(first), followed(second)], 'unscored', 'punctuation:no_comma: its check fails: Oh'],
])('%j is %s', (instructions, outcome, reason) => {
  expect(instructionScore(check, instructions)).toEqual({ ...same, outcome, reason, instructions });
});

test('only when all are followed an answer is right, whatever else there is', () => {
  const result = fc.record({
    id: fc.constantFrom(...instructionIds('ifbench')),
    strict: fc.constantFrom(true, false, null),
    loose: fc.constantFrom(true, false, null),
  });
  fc.assert(
    fc.property(fc.array(result, { minLength: 1 }), (results) => {
      const { outcome } = instructionScore(check, results);
      expect(outcome === 'right').toBe(results.every(({ strict }) => strict === true));
      expect(outcome === 'wrong').toBe(results.some(({ strict }) => strict === false));
    }),
  );
});

test('25 instructions of IFEval and 58 of IFBench are known, each once', () => {
  const [ifeval, ifbench] = [instructionIds('ifeval'), instructionIds('ifbench')];
  expect([new Set(ifeval).size, new Set(ifbench).size, ifeval.length, ifbench.length]).toEqual([25, 58, 25, 58]);
});
