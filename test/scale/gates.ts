// What a large run has to hold to.
import type { Histories } from './histories.ts';
import type { StageCount } from './records.ts';
import type { Shape } from './shape.ts';
import type { Look } from './watch.ts';

export type Measured = {
  shape: Shape;
  /** Of the command, from its start to its end. */
  seconds: number;
  served: number;
  records: Record<string, StageCount>;
  /** Records that `uturn status` counts, by stage, over all models. */
  told: Record<string, number>;
  looks: Look[];
  /** Of the worker, in MB. */
  peak: number;
  histories: Histories;
  report: { seconds: number; cpu: number; peakMb: number; judged: number };
  /** Seconds of CPU that a look at the run takes. */
  status: number;
  list: number;
};

export type Gate = { name: string; figure: string; holds: boolean };

const mostEvents = 2_000;
const mostPayload = 50 * 1_024;
const mostResidentMb = 1_500;
const mostReportSeconds = 60;
const mostLookSeconds = 2;
/** What a worker may grow from the first third of its work to the last. */
const growth = { share: 0.2, mb: 64 };

export function gatesOf(at: Measured): Gate[] {
  const { shape, records, told, histories, report } = at;
  const { total, items, samples } = shape;
  // A given answer is the same for all models and temperatures, and is kept once.
  const kept = { assistant_turn: items * samples, user_turn: total, judgement: total };
  const [early, late] = thirds(at.looks, total);
  const gates: [name: string, figure: string, holds: boolean][] = [
    ['served', String(at.served), at.served === total],
    ...Object.entries(kept).map(([stage, count]): [string, string, boolean] => {
      const { records: all, distinct, errors } = records[stage] ?? { records: 0, distinct: 0, errors: 0 };
      return [stage, String(all), all === count && distinct === count && errors === 0];
    }),
    [
      'told',
      Object.values(told).join('/'),
      Object.keys(told).length > 0 && Object.values(told).every((n) => n === total),
    ],
    [
      'heap early/late MB',
      `${early.toFixed(0)}/${late.toFixed(0)}`,
      early > 0 && late <= early * (1 + growth.share) + growth.mb,
    ],
    ['worker peak MB', at.peak.toFixed(0), at.peak > 0 && at.peak <= mostResidentMb],
    ['most events', String(histories.mostEvents), histories.mostEvents > 0 && histories.mostEvents <= mostEvents],
    ['largest payload', String(histories.largestPayload), histories.largestPayload <= mostPayload],
    ['report s', report.seconds.toFixed(1), report.seconds <= mostReportSeconds && report.judged === total],
    ['status CPU s', at.status.toFixed(1), at.status <= mostLookSeconds],
    ['list CPU s', at.list.toFixed(1), at.list <= mostLookSeconds],
  ];
  return gates.map(([name, figure, holds]) => ({ name, figure, holds }));
}

/**
 * The least that the worker had while the first third was made, and the last: what it holds on to. How much it has beside that
 * is up to when V8 collects it, which it does late on a busy machine; of that there is a limit of its own.
 */
function thirds(looks: Look[], total: number): [early: number, late: number] {
  const least = (from: number, to: number) => {
    const heaps = looks.filter(({ served }) => served > from * total && served <= to * total).map(({ heap }) => heap);
    return heaps.length === 0 ? 0 : Math.min(...heaps);
  };
  return [least(0.05, 1 / 3), least(2 / 3, 1)];
}

/** All on one line. */
export function summaryLine(at: Measured, gates: Gate[]): string {
  const { shape, histories, report } = at;
  const failed = gates.filter(({ holds }) => !holds).map(({ name }) => name);
  return [
    `scale ${failed.length === 0 ? 'held' : `FAILED (${failed.join(', ')})`}:`,
    `${shape.total} samples (${shape.items} items × ${shape.temperatures.length} temperatures × ${shape.models} models × ${shape.samples}),`,
    `${at.seconds.toFixed(0)} s, ${(shape.total / at.seconds).toFixed(0)}/s,`,
    `${histories.events} events in ${histories.executions} executions,`,
    `report ${report.cpu.toFixed(1)} s of CPU and ${report.peakMb.toFixed(0)} MB,`,
    gates.map(({ name, figure, holds }) => `${name} ${figure}${holds ? '' : ' !'}`).join(', '),
  ].join(' ');
}
