// What must hold (gates) and what is aimed at (goals). Pure.
import {
  type Failed,
  type Gate,
  isUturn,
  type Resumed,
  type Row,
  ratiosOf,
  settingOf,
  type Verdict,
} from './results.ts';

/** `contestants`, `settings`: what was to be measured. Of a gate about something else nothing is said. */
export type Wanted = { contestants: string[]; settings: { latency_ms: number; in_flight: number }[] };
export type Outcome = { rows: Row[]; resumed: Resumed[]; failed: Failed[] };

/** `by`: which of uturn's rates; the workflow's has its start and its end in it, which the peer's rate has not. */
type Limit = { peer: string; latency_ms: number; in_flight: number; least: number; by: 'requests' | 'workflow' };

/** Until Temporal misses a dead worker's heartbeat, and five seconds to go on. */
const resumeLimitS = 10 + 5;

const gateLimits: Limit[] = [
  { peer: 'openai-node', latency_ms: 50, in_flight: 64, least: 1, by: 'requests' },
  { peer: 'inspect_ai', latency_ms: 50, in_flight: 64, least: 10, by: 'requests' },
];
const goalLimits: Limit[] = [
  { peer: 'http', latency_ms: 50, in_flight: 64, least: 0.95, by: 'requests' },
  { peer: 'openai-node', latency_ms: 50, in_flight: 64, least: 1, by: 'workflow' },
  { peer: 'openai-node', latency_ms: 0, in_flight: 64, least: 1.5, by: 'requests' },
];

export function gatesOf(outcome: Outcome, wanted: Wanted): Gate[] {
  return [
    ...speedGates(gateLimits, outcome, wanted),
    ...outcome.rows.map(servedGate),
    ...outcome.resumed.map(resumeGate),
    ...outcome.failed.map(({ what, error }): Gate => {
      return { name: `${what} ends`, wanted: 'ends', got: error.split('\n').at(-1) ?? '', verdict: 'failed' };
    }),
  ];
}

/** Shown, and failing nothing. */
export function goalsOf(outcome: Outcome, wanted: Wanted): Gate[] {
  return speedGates(goalLimits, outcome, wanted);
}

/** 1 where a gate failed. */
export function exitCodeOf(gates: Gate[]): 0 | 1 {
  return gates.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}

/** Of those that ask what all others ask: one request a sample. */
function speedGates(limits: Limit[], { rows }: Outcome, wanted: Wanted): Gate[] {
  const ratios = { requests: ratiosOf(rows), workflow: ratiosOf(rows, (row) => row.workflow_samples_per_s) };
  const uturns = wanted.contestants.filter((name) => isUturn(name) && name !== 'uturn-ids');
  return limits.flatMap((limit) => {
    const { peer, least, by } = limit;
    const setting = settingOf(limit);
    const asked = wanted.contestants.includes(peer) && wanted.settings.some((one) => settingOf(one) === setting);
    return uturns.map((ours): Gate => {
      const ratio = ratios[by][setting]?.[`${ours} / ${peer}`];
      const verdict: Verdict =
        ratio === undefined ? (asked ? 'failed' : 'not measured') : ratio >= least ? 'passed' : 'failed';
      const got = ratio === undefined ? 'no figure' : `${ratio.toFixed(2)} ×`;
      const what = by === 'workflow' ? `the whole workflow of ${ours}` : ours;
      return { name: `${what} against ${peer} (${setting})`, wanted: `≥ ${least.toFixed(2)} ×`, got, verdict };
    });
  });
}

function servedGate(row: Row): Gate {
  const name = `${row.contestant} asks once per sample (${settingOf(row)})`;
  const verdict = row.served === row.items ? 'passed' : 'failed';
  return { name, wanted: `${row.items} served`, got: `${row.served} served`, verdict };
}

function resumeGate({ store, seconds }: Resumed): Gate {
  const name = `uturn-${store} goes on after kill -9 of its worker`;
  const verdict = seconds <= resumeLimitS ? 'passed' : 'failed';
  return { name, wanted: `≤ ${resumeLimitS} s`, got: `${seconds.toFixed(1)} s`, verdict };
}
