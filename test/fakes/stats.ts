// What the fake server saw: exact counts, so that a test can say what was paid for twice.
import type { Generation } from './completions.ts';

export type Stats = {
  /** Completion requests that arrived, faulty and refused ones included. */
  received: number;
  /** Completions sent whole to a client that was still there. */
  served: number;
  /** `served` by the turn that was asked for. */
  kinds: { assistant: number; user: number; other: number };
  /** Requests that met a fault, by its name; `refused`: 4xx of their own making; `abandoned`: the client left first. */
  faults: Record<string, number>;
  refused: number;
  abandoned: number;
  tokens: { prompt: number; completion: number };
  in_flight: number;
  max_in_flight: number;
  /** Calls of every path, by path. */
  calls: Record<string, number>;
  /** Different requests among the served, and how many served ones repeated an earlier one. */
  distinct: number;
  repeated: number;
  /** Times served, by request: a hash of prompt ids, model, temperature and seed. */
  requests: Record<string, number>;
  /** Times asked for, faulty and refused ones included, by the same hash. */
  tries: Record<string, number>;
};

export function freshStats(): Stats {
  return {
    received: 0,
    served: 0,
    kinds: { assistant: 0, user: 0, other: 0 },
    faults: {},
    refused: 0,
    abandoned: 0,
    tokens: { prompt: 0, completion: 0 },
    in_flight: 0,
    max_in_flight: 0,
    calls: {},
    distinct: 0,
    repeated: 0,
    requests: {},
    tries: {},
  };
}

export function countServed(stats: Stats, generation: Generation): void {
  stats.served += 1;
  stats.kinds[generation.kind] += 1;
  stats.tokens.prompt += generation.promptIds.length;
  stats.tokens.completion += generation.ids.length;
  const times = stats.requests[generation.request] ?? 0;
  if (times === 0) stats.distinct += 1;
  else stats.repeated += 1;
  stats.requests[generation.request] = times + 1;
}

export function countIn(counts: Record<string, number>, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
