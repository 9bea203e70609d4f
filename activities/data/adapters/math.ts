// MATH as published: `problem`, and `solution`, whose last `\boxed{}` is the answer. `level` and `type` are not read.
import { z } from 'zod';
import { lastBoxed, plainNumber } from '../../../domain/accuracy/boxed.ts';
import type { AnswerCheck } from '../../../domain/data/item.ts';
import { elementLines } from '../elements.ts';
import type { WholeFile } from '../lines.ts';
import { fromRows, wholeText } from '../rows.ts';
import { ask } from './prompt.ts';

const row = z.object({ problem: wholeText().min(1), solution: wholeText() });

/** Ids are 0-based rows of the file. An answer that is no plain number is not checked: LaTeX is not compared as text. */
export function math(data: WholeFile, shown: string) {
  const { items, problems } = fromRows(elementLines(data), row, {
    shown,
    make: ({ index, value: { problem, solution } }) => {
      const boxed = lastBoxed(solution);
      if (boxed === null) {
        return {
          faults: [{ path: ['solution'], message: 'holds no answer in `\\boxed{}`.', advice: 'Is this file MATH?' }],
        };
      }
      const expected = plainNumber(boxed);
      const answer: AnswerCheck | null = expected === null ? null : { check: 'number', expected };
      const id = `math-${String(index).padStart(5, '0')}`;
      const messages = [{ role: 'user' as const, content: ask(problem, 'worked') }];
      return { item: { id, messages, answer, assistant: null, reference_user_turn: null } };
    },
  });
  const checked = items.filter(({ answer }) => answer !== null).length;
  const note = `${checked} of ${items.length} answers are plain numbers and are checked; the others are not scored.`;
  return { items, problems, notes: checked === items.length ? [] : [note] };
}
