// The graph a campaign walks: groups of stages, cut into trees of nodes. No hashing, no I/O: workflows import this.
import type { Stage } from '../records/record.ts';

/**
 * A stage of one group; `after` is the place in the group's list of the stage it is made from, null for none. `condition`: what
 * was done to the answer that it goes by; absent where nothing was.
 */
export type StageNode = { stage: Stage; key: string; after: number | null; condition?: string };

/** A data set at one temperature, under one condition where an experiment has several. `size`: items per block; `items`: how many of the data set are taken. */
export type Group = {
  data: string;
  temperature: number;
  /** Absent: base. */
  condition?: string;
  items: number;
  size: number;
  blocks: number;
  samples: number;
  stages: StageNode[];
};

/** Whether nothing was done to answers. */
export function isBase({ condition }: Pick<Group, 'condition'>): boolean {
  return condition === undefined;
}

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

/**
 * Cells that share an answer as one group, whose trees make it once and everything after it. What it is made of
 * comes in the order of the cells, each stage once.
 */
export function woven(cells: Group[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { condition: _, ...cell } of cells) {
    const name = JSON.stringify([cell.data, cell.temperature]);
    const group = groups.get(name) ?? { ...cell, stages: [] };
    groups.set(name, group);
    const places = new Map(group.stages.map(({ key }, place) => [key, place]));
    for (const { after, ...node } of cell.stages) {
      if (places.has(node.key)) continue;
      const source = after === null ? null : (places.get(cell.stages[after]?.key ?? '') ?? null);
      places.set(node.key, group.stages.push({ ...node, after: source }) - 1);
    }
  }
  return [...groups.values()];
}

/** A cell with the stages that are its own: what it shares with base is base's. For readers: `after` counts in the whole cell. */
export function ownStages(group: Group): Group {
  if (isBase(group)) return group;
  return { ...group, stages: group.stages.filter(({ condition }) => condition !== undefined) };
}
