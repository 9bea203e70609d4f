// A request's seed. Conditions must not share randomness, or %changed shrinks against its control.
import { hashOf } from '../records/canonical.ts';

/** 31-bit seed of one request, a pure function of where it stands in the experiment. */
export function requestSeed(
  planSeed: number,
  at: { condition: string; item: string; sample: number; turn: string },
): number {
  return Number.parseInt(hashOf([planSeed, at.condition, at.item, at.sample, at.turn]).slice(0, 8), 16) >>> 1;
}
