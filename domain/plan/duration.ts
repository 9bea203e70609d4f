// How long a plan takes: requests by how fast they are, a bounded number at once.
import type { Speed } from './observed.ts';

/** Seconds. `expected`: null where nothing is known of the speed; then `least` and `at_most` are by what is assumed of it. */
export type Duration = { least: number; expected: number | null; at_most: number; from: 'store' | 'assumed' };

/** Calls that are alike: mean and largest tokens of their completions, and how fast they are, if that is known. */
export type TimedCalls = { calls: number; tokens: { expected: number; at_most: number }; speed: Speed | null };

/** What is assumed of a request of which nothing is known: tokens a second. */
export const assumed = { slowest: 10, fastest: 100 };

/** What uturn itself takes: milliseconds of a worker for each request, and of a lane for each shard. */
const own = { request: 1.2, shard: 100 };

export const noTime: Duration = { least: 0, expected: 0, at_most: 0, from: 'store' };

/** `share`: whether requests in flight are as fast together as each by itself, or no faster than one of them. */
export type Pace = { atOnce: number; share: 'nothing' | 'a machine'; shards: number; lanes: number };

/** `atOnce`: requests in flight; `shards` done one after another in each of `lanes`. */
export function durationOf(work: TimedCalls[], at: Pace): Duration {
  const made = work.filter(({ calls }) => calls > 0);
  if (made.length === 0) return noTime;
  const seconds = (tokens: 'expected' | 'at_most', speedIf: Speed, atOnce = at.atOnce) => {
    const each = made.map((one) => {
      const { fixed, per_token } = one.speed ?? speedIf;
      return { calls: one.calls, ms: fixed + per_token * one.tokens[tokens] };
    });
    const all = each.reduce((sum, { calls, ms }) => sum + calls * ms, 0);
    const calls = each.reduce((sum, one) => sum + one.calls, 0);
    // The last item goes through all of its stages, however many could be asked at once.
    const chain = each.reduce((sum, { ms }) => sum + ms, 0);
    const served = Math.max(all / Math.min(atOnce, calls), chain);
    return Math.max(served, calls * own.request, (at.shards / at.lanes) * own.shard) / 1_000;
  };
  const byRate = (tokensPerSecond: number): Speed => ({ fixed: 0, per_token: 1_000 / tokensPerSecond });
  const unknown = made.some(({ speed }) => speed === null);
  const fast = seconds('expected', byRate(assumed.fastest));
  if (!unknown) return { least: fast, expected: fast, at_most: seconds('at_most', byRate(1)), from: 'store' };
  const slowest = seconds('expected', byRate(assumed.slowest), at.share === 'a machine' ? 1 : at.atOnce);
  return { least: fast, expected: null, at_most: slowest, from: 'assumed' };
}

/** Things that happen side by side. */
export function sideBySide(all: Duration[]): Duration {
  const known = all.every(({ expected }) => expected !== null);
  const longest = (of: (one: Duration) => number) => Math.max(0, ...all.map(of));
  return {
    least: longest(({ least }) => least),
    expected: known ? longest(({ expected }) => expected ?? 0) : null,
    at_most: longest(({ at_most }) => at_most),
    from: known ? 'store' : 'assumed',
  };
}
