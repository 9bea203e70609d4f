// What crosses between an engine's workflows, the worker that serves it, and the campaigns that need it.
import type { EngineOrder } from './engine.ts';

/** `id`: of the engine's workflow, which is made from the order. */
export type EngineRef = { id: string; order: EngineOrder };

/** Epochs count the starts of an engine's server. */
export type EpochInput = EngineRef & { epoch: number };

export type EngineAddress = { epoch: number; address: string };
export type EngineUp = EngineAddress & { version: string; weights: string };

/** `config`: somebody has to change something. `start`: it ended before it was up. `world`: anything else. */
export type EpochProblem = { kind: 'config' | 'start' | 'world'; message: string };
export type EpochEnd = { epoch: number; problem: EpochProblem | null };

/** What an engine tells the campaigns that hold it. */
export type EngineWord =
  | { state: 'starting'; epoch: number; after: string | null }
  | ({ state: 'up' } & EngineAddress)
  | { state: 'refused'; problem: string };

/** `holders`: workflows that need the engine now. */
export type Lease = EngineRef & {
  holders: string[];
  /** The epoch under way, and where it answers once it does. */
  epoch: number;
  open: boolean;
  address: string | null;
  /** Somebody could not reach it, and nobody has looked since. */
  doubted: boolean;
  /** Epochs in a row that ended before they were up; whether one ever was. */
  failures: number;
  proven: boolean;
  /** How the last epoch ended. */
  trouble: string | null;
  /** What somebody has to mend first. */
  refused: string | null;
  /** Seconds after which holders and epoch are looked up, and history length at which it continues as new. */
  pace: { look: number; events: number };
};

/** An engine that nobody holds yet. */
export function freshLease(engine: EngineRef): Lease {
  return {
    ...engine,
    holders: [],
    epoch: 0,
    open: false,
    address: null,
    doubted: false,
    failures: 0,
    proven: false,
    trouble: null,
    refused: null,
    pace: { look: 300, events: 1_500 },
  };
}

/** As a campaign knows it. `epoch`: workflow of the epoch under way; `after`: how the one before ended. */
export type EngineState = { state: 'starting' | 'up'; epoch: string | null; after: string | null };

export const engineNames = {
  acquire: 'acquire',
  release: 'release',
  gone: 'gone',
  up: 'up',
  ended: 'ended',
  word: 'engine',
  lease: 'lease',
} as const;

export function epochId(engine: string, epoch: number): string {
  return `${engine}/${epoch}`;
}
