// How often the verdict on a family of cells raises a false alarm, misses a drop it calls detectable, or lets one pass.

import { detectable } from '../../domain/stats/detectable.ts';
import { drawing } from '../../domain/stats/draws.ts';
import { type CellVerdict, type Gate, verdicts } from '../../domain/stats/verdict.ts';
import type { Check } from './check.ts';
import { type Chance, chances, type Design, itemKinds, measuredTwice, pairItems, pairTable } from './worlds.ts';

const gate: Gate = { alpha: 0.05, power: 0.8, at_least: 0.02 };
const drawn = drawing(2026);

type Family = Design & { cells: number };

export function verdictChecks(): Check[] {
  return [...pairs().flatMap(onTop), ...ofItems()];
}

function ofItems(): Check[] {
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

type Pairs = { items: number; churn: number };

function pairs(): Pairs[] {
  return [
    { items: 200, churn: 0.05 },
    { items: 200, churn: 0.2 },
    { items: 200, churn: 0.4 },
    { items: 1000, churn: 0.02 },
    { items: 1000, churn: 0.2 },
  ];
}

/**
 * What detectable is by its word: the drop comes on top of what chance changes, and nothing that would have been gained is lost with
 * it. Then the power is as it is printed, and more only by what an exact test leaves of its alpha.
 */
function onTop({ items, churn }: Pairs): Check[] {
  const cells = 6;
  const drop = detectable({ ...gate, items, samples: items, churn, alpha: gate.alpha / cells }) ?? 1;
  const family = (chance: Chance) =>
    Array.from({ length: cells }, (_, at) =>
      pairItems(pairTable(items, { right: 0.7, churn, drop: at === 0 ? drop : 0 }, chance)),
    );
  const check = {
    setting: `${cells} cells of ${items} pairs, churn ${churn}, drop ${drop.toFixed(3)}`,
    once: (chance: Chance) => verdicts(family(chance), gate, { drawn })[0]?.verdict === 'fail',
  };
  const what = 'a cell with that drop on top of chance fails';
  return [
    { ...check, what, limit: 'at least', nominal: gate.power, allowance: 0 },
    { ...check, what: `${what}, and not more often`, limit: 'at most', nominal: gate.power, allowance: 0.07 },
  ];
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
