// GSM8K as its authors publish it: `question`, and `answer` ending in a line `#### value`.
import { z } from 'zod';
import { isCheckable, type OwnCheck } from '../../../domain/accuracy/score.ts';
import type { Item } from '../../../domain/data/item.ts';
import type { DataFile } from '../lines.ts';
import { fromRows, type Made, type Row, wholeText } from '../rows.ts';
import { ask } from './prompt.ts';

const row = z.object({ question: wholeText().min(1), answer: wholeText() });

/**
 * The published files, by the SHA-256 of their unpacked bytes: ids must not depend on what somebody called the
 * file.
 */
const splits = new Map([
  ['3730d312f6e3440559ace48831e51066acaca737f6eabec99bccb9e4b3c39d14', 'test'],
  ['17f347dc51477c50d4efb83959dbb7c56297aba886e5544ee2aaed3024813465', 'train'],
]);

/** Ids are 0-based rows: `gsm8k-test-0000`, or `gsm8k-0000` for a file that is none of the published ones. */
export function gsm8k(data: DataFile, shown: string) {
  const split = splits.get(data.content);
  const prefix = split === undefined ? 'gsm8k' : `gsm8k-${split}`;
  return fromRows(data.lines, row, { shown, make: (one) => itemFrom(one, prefix) });
}

function itemFrom({ index, value }: Row<z.infer<typeof row>>, prefix: string): Made<Item> {
  const mark = value.answer.lastIndexOf('####');
  const answer: OwnCheck = {
    check: 'number',
    expected: value.answer
      .slice(mark + 4)
      .trim()
      .replaceAll(',', ''),
  };
  if (mark === -1 || !isCheckable(answer)) {
    return {
      faults: [
        {
          path: ['answer'],
          message: 'does not end with `####` and a number.',
          advice: 'Is this file GSM8K? For another one write `set: jsonl`.',
        },
      ],
    };
  }
  return {
    item: {
      id: `${prefix}-${String(index).padStart(4, '0')}`,
      messages: [{ role: 'user', content: ask(value.question, 'number') }],
      answer,
      assistant: null,
      reference_user_turn: null,
    },
  };
}
