// What is expected of a shard before it is done: by what its stage took so far, else by what is assumed.
import type { Usage } from '../records/record.ts';
import type { ShardRef, Spending, Tally } from './boundary.ts';

const none: Usage = { prompt: 0, completion: 0 };

/** Tokens of a shard's records. */
export function expectedOf(
  { stage, items }: Pick<ShardRef, 'stage' | 'items'>,
  at: { tally: Tally; expected: Spending['expected'] },
): Usage {
  const so = at.tally[stage];
  const each =
    so === undefined || so.records === 0 ? (at.expected[stage] ?? none) : scaled(so.spent ?? none, 1 / so.records);
  return scaled(each, items);
}

function scaled({ prompt, completion }: Usage, by: number): Usage {
  return { prompt: prompt * by, completion: completion * by };
}
