// What a schedule asks for each night, and what came of one.
import type { NightlySpec } from '../spec/nightly.ts';
import type { JudgeFinding, JudgeLimits } from './judge-test.ts';
import type { CellFinding, NightGate } from './regression.ts';

/**
 * Begins each night; small, for it goes through histories. `text`: digest of the sweep's file as it was when the schedule was made.
 * `pinned` and `self_test` are not there in schedules of older versions.
 */
export type NightOrder = {
  schedule: string;
  experiment: { file: string; text: string };
  baseline: Pick<NightlySpec['baseline'], 'run' | 'nights'> & Partial<Pick<NightlySpec['baseline'], 'pinned'>>;
  gate: NightGate;
  self_test?: JudgeLimits;
  notify: NightlySpec['notify'] & { beside: string };
};

/** Whose identity is its nominal time: a night that is begun twice is one run. */
export type OpenedNight = { execution: number | null };

export type NightVerdictWord = 'pass' | 'fail' | 'inconclusive' | 'broken';

/**
 * `broken`: nothing was found out, for the `problem` given. `baseline`: the runs it was held against. `self_test`: there only where a
 * judge that is a model was tried.
 */
export type NightVerdict = {
  format: 1;
  schedule: string;
  nominal: string;
  run: string;
  verdict: NightVerdictWord;
  problem: string | null;
  baseline: string[];
  gate: NightGate;
  cells: CellFinding[];
  self_test?: JudgeFinding;
};

/** What a night's workflow ends with. */
export type NightEnd = Pick<NightVerdict, 'run' | 'nominal' | 'verdict' | 'problem'> & {
  /** Why somebody who wanted to know could not be told. */
  untold?: string;
};

/** Workflow id of a schedule's nights, which Temporal puts each one's time behind; also the id of the schedule. */
export function scheduleId(name: string): string {
  return `uturn-nights/${name}`;
}

/** `smoke-20261130T020000Z`: without what no path or workflow id should hold. */
export function nightRun(schedule: string, nominal: string): string {
  return `${schedule}-${nominal.replace(/\.\d+/, '').replace(/[-:]/g, '')}`;
}
