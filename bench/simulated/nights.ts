// How often a whole night fails though nothing changed, and whether it finds the drop that it calls detectable.
import { type CellRates, together } from '../../domain/nights/rates.ts';
import { type NightGate, type Regression, regression } from '../../domain/nights/regression.ts';
import type { Cluster } from '../../domain/stats/bootstrap.ts';
import { drawing } from '../../domain/stats/draws.ts';
import type { Check } from './check.ts';
import { type Chance, chances, type Items, itemKinds, sampled } from './worlds.ts';

const drawn = drawing(2026);
const temperatures = [0.3, 0.7, 1];
const measures = ['accuracy', 'follow_up'] as const;

/** `nights`: in the baseline. `at_least`: as it comes, and one so small that chance alone decides. */
type Schedule = { kind: Items; items: number; samples: number; nights: number; at_least: number };

type Design = Pick<Schedule, 'samples' | 'nights'>;

/** The one that takes next to no time: it needs no bootstrap. */
export const quick: Design = { samples: 1, nights: 1 };
export const designs: Design[] = [quick, { samples: 1, nights: 7 }, { samples: 4, nights: 3 }];

export function nightChecks(of: Design[]): Check[] {
  return itemKinds.flatMap((kind) =>
    of.flatMap((design) => {
      const schedule = { kind, items: 200, ...design };
      return [
        falseAlarms({ ...schedule, at_least: 0.05 }),
        falseAlarms({ ...schedule, at_least: 0.001 }),
        power({ ...schedule, at_least: 0.05 }),
      ];
    }),
  );
}

function falseAlarms(schedule: Schedule): Check {
  return {
    what: 'a night on which nothing changed fails',
    setting: settingOf(schedule),
    limit: 'at most',
    nominal: gateOf(schedule).alpha,
    allowance: 0,
    once: (chance) => night(schedule, 0, chance).verdict === 'fail',
  };
}

/** One cell drops by what it calls detectable on a night on which nothing changed. */
function power(schedule: Schedule): Check {
  const named = Array.from({ length: 40 }, (_, seed) => night(schedule, 0, chances(seed, 2)).cells[0]?.detectable ?? 1);
  const drop = named.reduce((sum, one) => sum + one, 0) / named.length;
  return {
    what: 'a night fails on which one cell has the drop that it calls detectable',
    setting: `${settingOf(schedule)}, drop ${drop.toFixed(3)}`,
    limit: 'at least',
    nominal: gateOf(schedule).power,
    allowance: 0,
    once: (chance) => night(schedule, drop, chance).cells[0]?.verdict === 'fail',
  };
}

/** Six cells of the same items, as hard in each. The first drops by so much tonight, and no other. */
function night(schedule: Schedule, drop: number, chance: Chance): Regression {
  const { kind, items, nights } = schedule;
  const right = Array.from({ length: items }, () => kind.draw(chance));
  const before = Array.from({ length: nights }, () => measured(schedule, { right, drop: 0 }, chance));
  const tonight = measured(schedule, { right, drop: drop / kind.mean }, chance);
  return regression(tonight, { baseline: together(before), gate: gateOf(schedule), drawn });
}

function measured(
  { samples }: Schedule,
  { right, drop }: { right: number[]; drop: number },
  chance: Chance,
): CellRates[] {
  return temperatures.flatMap((temperature, at) => {
    const usual = right.map((one) => sampled(samples, one, chance));
    // Of half of the items what is said is genuine just where the answer was right before anything was lost.
    const followUp = right.map((one, item) => (item % 2 === 0 ? usual[item] : sampled(samples, one, chance)));
    const lost = at === 0 ? drop : 0;
    const accuracy = usual.map(({ successes, n }) => ({ ...sampled(successes, 1 - lost, chance), n }));
    const of = { accuracy, follow_up: followUp };
    return measures.map((measure) => ({
      model: 'm',
      data: 'd',
      temperature,
      measure,
      items: new Map(of[measure].map((cluster, item): [string, Cluster] => [`i${item}`, cluster ?? none])),
    }));
  });
}

const none: Cluster = { successes: 0, n: 0 };

function gateOf({ at_least }: Schedule): NightGate {
  return { measures: [...measures], alpha: 0.05, power: 0.8, at_least };
}

function settingOf({ kind, items, samples, nights, at_least }: Schedule): string {
  return `6 cells of ${items} ${kind.name} items, ${samples} a night, against ${nights}, at_least ${at_least}`;
}
