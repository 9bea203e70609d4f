// What the table of a run must say, worked out from the texts alone, knowing how the fake model speaks.

import type { StageRecord, Turn } from '../../domain/records/record.ts';
import type { CellJson } from '../../report/json.ts';
import type { LabItem } from '../lab/config.ts';

export type Counts = Pick<
  CellJson,
  'right' | 'wrong' | 'unscored' | 'truncated' | 'judged' | 'not_genuine' | 'undecided'
> & {
  labels: Record<string, number>;
};

/** What it writes of templates. Role names alone are words that a person may use: the rules leave them undecided. */
const artifacts = ['<|im_start|>assistant\nOf course.', '<|im_start|>', '[/INST] </s>'];

/** Counts of one cell from its turns. The fake's final answer is the last number it writes. */
export function countsOf(
  items: LabItem[],
  turns: { assistant: StageRecord<Turn>[]; user: StageRecord<Turn>[] },
): Counts {
  const itemOf = new Map(items.map((item) => [item.id, item]));
  const answers = new Map<string, string>();
  const counts: Counts = {
    right: 0,
    wrong: 0,
    unscored: 0,
    truncated: 0,
    judged: 0,
    not_genuine: 0,
    undecided: 0,
    labels: {},
  };
  for (const { result } of turns.assistant) {
    if (result.status === 'error') throw new Error(result.error.message);
    answers.set(`${result.item} ${result.sample}`, result.body.text);
    const last = result.body.text.match(/\d+/g)?.at(-1);
    const outcome =
      result.body.finish === 'length' ? 'truncated' : last === itemOf.get(result.item)?.answer ? 'right' : 'wrong';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  for (const { result } of turns.user) {
    if (result.status === 'error') throw new Error(result.error.message);
    const label = labelOf(
      result.body.text,
      itemOf.get(result.item)?.question,
      answers.get(`${result.item} ${result.sample}`),
    );
    counts.judged += 1;
    if (label === null) counts.undecided += 1;
    else {
      counts.not_genuine += 1;
      counts.labels[label] = (counts.labels[label] ?? 0) + 1;
    }
  }
  return counts;
}

/** The same counts as the command printed them; labels that did not occur are left out. */
export function countsIn({
  right,
  wrong,
  unscored,
  truncated,
  judged,
  not_genuine,
  undecided,
  labels,
}: CellJson): Counts {
  const seen = Object.entries(labels).filter(([, count]) => count > 0);
  return { right, wrong, unscored, truncated, judged, not_genuine, undecided, labels: Object.fromEntries(seen) };
}

function labelOf(turn: string, question = '', answer = ''): string | null {
  if (turn === '') return 'degenerate_short';
  if (turn === question || question.startsWith(turn)) return 'previous_turn_restate';
  if (turn === answer || answer.startsWith(turn)) return 'assistant_turn_restate';
  return artifacts.includes(turn) ? 'malformed_artifact' : null;
}
