// How many trees of a campaign are worked on at once.

/** `concurrency`, `judging`: requests in flight at the model, and at a judge that is a model (0 without one). `block`: items of the largest. */
export function lanesFor(at: { concurrency: number; judging: number; block: number }): number {
  // The more requests at once, the sooner a shard is through, and a hand-over to the next stage takes as long as several
  // of them. Where a server takes few, a pause would wait for all that are open.
  const between = 1 + Math.min(6, Math.ceil(at.concurrency / 10));
  return Math.min(32, Math.ceil(at.concurrency / at.block) + between + Math.ceil(at.judging / at.block));
}
