// What must hold (gates) and what is aimed at (goals). Pure.
import { type Failed, type Gate, isUturn, type Row, ratiosOf, settingOf, type Verdict } from './results.ts';

/** `contestants`, `settings`: what was to be measured. Of a gate about something else nothing is said. */
export type Wanted = { contestants: string[]; settings: { latency_ms: number; in_flight: number }[] };
export type Outcome = { rows: Row[]; failed: Failed[] };

type Limit = { peer: string; latency_ms: number; in_flight: number; least: number };

const gateLimits: Limit[] = [
  { peer: 'openai-node', latency_ms: 50, in_flight: 64, least: 1 },
  { peer: 'inspect_ai', latency_ms: 50, in_flight: 64, least: 10 },
];
const goalLimits: Limit[] = [
  { peer: 'http', latency_ms: 50, in_flight: 64, least: 0.95 },
  { peer: 'openai-node', latency_ms: 0, in_flight: 64, least: 1.5 },
];

export function gatesOf(outcome: Outcome, wanted: Wanted): Gate[] {
  return [
    ...speedGates(gateLimits, outcome, wanted),
    ...outcome.rows.map(servedGate),
    ...outcome.failed.map((one): Gate => {
      const name = `${one.contestant} ends (${settingOf(one)}, round ${one.round})`;
      return { name, wanted: 'ends', got: one.error.split('\n')[0] ?? '', verdict: 'failed' };
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
  const ratios = ratiosOf(rows);
  const uturns = wanted.contestants.filter((name) => isUturn(name) && name !== 'uturn-ids');
  return limits.flatMap((limit) => {
    const { peer, least } = limit;
    const setting = settingOf(limit);
    const asked = wanted.contestants.includes(peer) && wanted.settings.some((one) => settingOf(one) === setting);
    return uturns.map((ours): Gate => {
      const ratio = ratios[setting]?.[`${ours} / ${peer}`];
      const verdict: Verdict =
        ratio === undefined ? (asked ? 'failed' : 'not measured') : ratio >= least ? 'passed' : 'failed';
      const got = ratio === undefined ? 'no figure' : `${ratio.toFixed(2)} ×`;
      return { name: `${ours} against ${peer} (${setting})`, wanted: `≥ ${least.toFixed(2)} ×`, got, verdict };
    });
  });
}

function servedGate(row: Row): Gate {
  const name = `${row.contestant} asks once per sample (${settingOf(row)})`;
  const verdict = row.served === row.items ? 'passed' : 'failed';
  return { name, wanted: `${row.items} served`, got: `${row.served} served`, verdict };
}
