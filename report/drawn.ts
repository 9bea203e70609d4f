// Which blocks of a run are looked into for its page: a few of every cell, drawn by the plan's seed, so that a page of a million samples
// reads as many records as one of a thousand.
import type { Group } from '../domain/plan/graph.ts';
import { itemsIn } from '../domain/plan/graph.ts';
import { bitsAt, streamKey } from '../domain/stats/random.ts';
import type { Pinned, PinnedPart } from './pinned.ts';

export type Block = { block: number; sample: number };

/** `of`: samples that have got as far as an answer, in all blocks. */
export type DrawnCell<At> = { at: At; blocks: Block[]; of: number };

/**
 * Goes round the cells, a block of each at a time, as long as there is room for its records: blocks in which something failed come first,
 * then any. Cells take their turns in an order of the seed's, so that where there is no room for all it is not the last ones that go
 * without. Returned in the order given.
 */
export function drawBlocks<At extends { group: Group }>(
  cells: At[],
  { pinned, seed, most }: { pinned: Pinned; seed: number; most: number },
): DrawnCell<At>[] {
  const drawn = cells.map((at, index) => ({
    at,
    rank: bitsAt(streamKey(seed, 0), index),
    ...orderOf(at.group, { pinned, seed: [seed, index + 1] }),
  }));
  const chosen = new Map<At, Block[]>(cells.map((at) => [at, []]));
  let room = most;
  let open = drawn.toSorted((a, b) => a.rank - b.rank);
  for (let round = 0; open.length > 0; round += 1) {
    open = open.filter(({ at, order }) => {
      const next = order[round];
      const takes = next === undefined ? 0 : itemsIn(at.group, next.block) * at.group.stages.length;
      if (next === undefined || takes > room) return false;
      room -= takes;
      chosen.get(at)?.push(next);
      return true;
    });
  }
  return drawn.map(({ at, of }) => ({ at, blocks: chosen.get(at) ?? [], of }));
}

/** All blocks of a cell that have answers, in the order in which they would be taken. */
function orderOf(group: Group, { pinned, seed }: { pinned: Pinned; seed: [seed: number, stream: number] }) {
  const failed = new Set(
    group.stages.flatMap(({ stage }) =>
      pinned
        .parts(group, stage)
        .filter(({ errors }) => errors > 0)
        .map(nameOf),
    ),
  );
  const answers = group.stages.slice(0, 1).flatMap(({ stage }) => pinned.parts(group, stage));
  const key = streamKey(...seed);
  const ranked = answers.map((part) => ({
    part,
    failed: failed.has(nameOf(part)) ? 0 : 1,
    rank: bitsAt(key, part.sample * group.blocks + part.block),
  }));
  ranked.sort((a, b) => a.failed - b.failed || a.rank - b.rank);
  return {
    order: ranked.map(({ part: { block, sample } }) => ({ block, sample })),
    of: answers.reduce((sum, { records }) => sum + records, 0),
  };
}

function nameOf({ block, sample }: Pick<PinnedPart, 'block' | 'sample'>): string {
  return `${block}-${sample}`;
}
