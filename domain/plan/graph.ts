// The graph a campaign walks: groups of stages, cut into trees of nodes. No hashing, no I/O: workflows import this.
import type { Stage } from '../records/record.ts';

/** A stage of one group; `after` is the place in the group's list of the stage it is made from, null for none. */
export type StageNode = { stage: Stage; key: string; after: number | null };

/** A data set at one temperature. `size`: items per block; `items`: how many of the data set are taken. */
export type Group = {
  data: string;
  temperature: number;
  items: number;
  size: number;
  blocks: number;
  samples: number;
  stages: StageNode[];
};

export type Campaign = { model: string; groups: Group[] };

/** One block and sample through all stages of a group: the unit that a lane works on. */
export type Tree = { group: number; block: number; sample: number };

/** Trees in a group. */
const treesIn = (group: Group) => group.blocks * group.samples;

export function treeCount(groups: Group[]): number {
  return groups.reduce((sum, group) => sum + treesIn(group), 0);
}

/** The tree at a position of the fixed order: groups, then samples, then blocks. Null past the end. */
export function treeAt(groups: Group[], position: number): Tree | null {
  let rest = position;
  for (const [index, group] of groups.entries()) {
    if (rest < treesIn(group))
      return { group: index, sample: Math.floor(rest / group.blocks), block: rest % group.blocks };
    rest -= treesIn(group);
  }
  return null;
}

/** Items that a tree of a group holds. */
export function itemsIn(group: Group, block: number): number {
  return Math.min(group.size, group.items - block * group.size);
}

/** One finished node: which part of which shard a run goes by. */
export type Pin = { key: string; block: number; sample: number; part: string; records: number; errors: number };
