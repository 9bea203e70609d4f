// How often the verdict on a family of cells raises a false alarm, misses a drop it calls detectable, or lets one pass.
import { drawing } from '../../domain/stats/draws.ts';
import { type CellVerdict, type Gate, verdicts } from '../../domain/stats/verdict.ts';
import type { Check } from './check.ts';
import { type Chance, chances, type Design, itemKinds, measuredTwice } from './worlds.ts';

const gate: Gate = { alpha: 0.05, power: 0.8, at_least: 0.02 };
const drawn = drawing(2026);

type Family = Design & { cells: number };

export function verdictChecks(): Check[] {
  return itemKinds.flatMap((kind) =>
    [
      { before: 1, after: 1 },
      { before: 4, after: 4 },
      { before: 7, after: 1 },
    ].flatMap(({ before, after }) => {
      const family = { kind, items: 200, before, after, cells: 6 };
      return [falseAlarms(family), power(family), passes(family)];
    }),
  );
}

/** Nothing changed. */
function falseAlarms(family: Family): Check {
  return {
    what: 'a family that did not change fails',
    setting: settingOf(family),
    limit: 'at most',
    nominal: gate.alpha,
    allowance: 0,
    once: (chance) => judged(family, 0, chance).some(({ verdict }) => verdict === 'fail'),
  };
}

/** One cell of the family drops by what it calls detectable where nothing changed. */
function power(family: Family): Check {
  const seeds = Array.from({ length: 40 }, (_, seed) => judged(family, 0, chances(seed, 1))[0]?.detectable ?? 1);
  const drop = seeds.reduce((sum, one) => sum + one, 0) / seeds.length;
  return {
    what: 'a cell with the drop it calls detectable fails',
    setting: `${settingOf(family)}, drop ${drop.toFixed(3)}`,
    limit: 'at least',
    nominal: gate.power,
    allowance: 0,
    once: (chance) => judged(family, drop, chance)[0]?.verdict === 'fail',
  };
}

/** One cell drops by just what matters. Its interval is two-sided, and only one side lets it pass. */
function passes(family: Family): Check {
  return {
    what: 'a drop that matters passes',
    setting: settingOf(family),
    limit: 'at most',
    nominal: gate.alpha / 2,
    allowance: 0.02,
    once: (chance) => judged(family, gate.at_least, chance)[0]?.verdict === 'pass',
  };
}

/** The first cell drops, the others stay. */
function judged({ cells, ...design }: Family, drop: number, chance: Chance): CellVerdict[] {
  const family = Array.from({ length: cells }, (_, at) => measuredTwice(design, at === 0 ? drop : 0, chance));
  return verdicts(family, gate, { drawn });
}

function settingOf({ cells, items, kind, before, after }: Family): string {
  return `${cells} cells of ${items} ${kind.name} items, ${before} and ${after}`;
}
