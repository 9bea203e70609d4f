// One block and sample through the stages of its group, each after the one it is made from.
import type { CampaignInput, ShardCounts, ShardRef, StageTally, Tally } from '../domain/plan/boundary.ts';
import { type Group, itemsIn, type Pin, type StageNode, type Tree } from '../domain/plan/graph.ts';
import type { Stage } from '../domain/records/record.ts';
import { addUsage } from '../domain/records/usage.ts';
import type { RunNode } from './nodes.ts';

/** `before` may wait; what it returns is called when the node is over. */
type Steps = {
  before(node: ShardRef): Promise<() => void>;
  run: RunNode;
  done(pin: Pin, counts: { stage: Stage; counts: ShardCounts }): void;
};

/** Runs a tree's nodes from the root down; nodes that share a source run side by side. */
export async function runTree(input: CampaignInput, at: { group: Group; tree: Tree }, steps: Steps): Promise<void> {
  const { group, tree } = at;

  const runAfter = (place: number | null, sources: ShardRef['sources']): Promise<void> =>
    all(group.stages.flatMap((node, at) => (node.after === place ? [runFrom(node, { at, sources })] : [])));

  const runFrom = async (
    node: StageNode,
    { at, sources }: { at: number; sources: ShardRef['sources'] },
  ): Promise<void> => {
    const ref: ShardRef = {
      run: input.run,
      execution: input.execution,
      plan: input.plan,
      model: input.model,
      data: group.data,
      temperature: group.temperature,
      ...(node.condition !== undefined && { condition: node.condition }),
      stage: node.stage,
      key: node.key,
      block: tree.block,
      sample: tree.sample,
      size: group.size,
      items: itemsIn(group, tree.block),
      sources,
    };
    const { part } = await runNode(ref);
    await runAfter(at, { ...sources, [node.stage]: { key: node.key, part } });
  };

  const runNode = async (ref: ShardRef): Promise<ShardCounts> => {
    const leave = await steps.before(ref);
    try {
      const counts = await steps.run(ref);
      const { part, records, errors } = counts;
      const pin = { key: ref.key, block: tree.block, sample: tree.sample, part, records, errors };
      steps.done(pin, { stage: ref.stage, counts });
      return counts;
    } finally {
      leave();
    }
  };

  await runAfter(null, {});
}

/** Adds one node's counts to its stage's. */
export function addCounts(tally: Tally, at: { stage: Stage; counts: ShardCounts }): void {
  const before: StageTally = tally[at.stage] ?? { records: 0, errors: 0, made: 0, tokens: 0, requests: 0 };
  const spent = [before.spent, at.counts.spent].filter((usage) => usage !== undefined);
  tally[at.stage] = {
    records: before.records + at.counts.records,
    errors: before.errors + at.counts.errors,
    made: before.made + at.counts.made,
    tokens: before.tokens + at.counts.tokens,
    requests: before.requests + at.counts.requests,
    ...(spent.length > 0 && { spent: spent.reduce(addUsage) }),
  };
}

/** Waits for every branch before it throws the first failure, so that no activity is left running unseen. */
async function all(branches: Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(branches);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
