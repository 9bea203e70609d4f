// How many trees of a campaign are worked on at once.

/** `concurrency`, `judging`: requests in flight at the model, and at a judge that is a model (0 without one). `block`: items of the largest. */
export function lanesFor(at: { concurrency: number; judging: number; block: number }): number {
  // Enough to keep them in flight while others are between two stages, and a judge's beside them.
  return Math.min(16, Math.ceil(at.concurrency / at.block) + 7 + Math.ceil(at.judging / at.block));
}
