// How often each interval holds the truth.
import { clusteredRate } from '../../domain/stats/bootstrap.ts';
import { drawing } from '../../domain/stats/draws.ts';
import { newcombeInterval } from '../../domain/stats/newcombe.ts';
import { paired } from '../../domain/stats/paired.ts';
import { rate } from '../../domain/stats/wilson.ts';
import type { Check } from './check.ts';
import { type Chance, itemKinds, measuredTwice, pairTable, sampled } from './worlds.ts';

const level = 0.95;
const drawn = drawing(2026);

/** What is allowed below the level. Wilson’s and Newcombe’s intervals go up and down with n; a bootstrap of few items is narrow. */
const allowance = { wilson: 0.02, newcombe: 0.02, clusters: 0.03, fewClusters: 0.07 };

export function intervalChecks(): Check[] {
  return [...wilson(), ...clustered(), ...newcombe(), ...pairedClusters()];
}

function wilson(): Check[] {
  return [20, 40, 200, 1000].flatMap((n) =>
    [0.1, 0.5, 0.9].map((share) =>
      covers('Wilson', `${n} at ${share}`, allowance.wilson, (chance) => {
        return holds(rate(sampled(n, share, chance).successes, n, level), share);
      }),
    ),
  );
}

function clustered(): Check[] {
  return itemKinds.flatMap((kind) =>
    [12, 40, 200].map((items) =>
      covers('clustered', `${items} ${kind.name} items of 4`, allowanceOf(items), (chance) => {
        const clusters = Array.from({ length: items }, () => sampled(4, kind.draw(chance), chance));
        return holds(clusteredRate(clusters, { drawn, level }), kind.mean);
      }),
    ),
  );
}

function newcombe(): Check[] {
  const changes = [
    { churn: 0.02, drop: 0 },
    { churn: 0.2, drop: 0 },
    { churn: 0.05, drop: 0.1 },
  ];
  return [20, 40, 200, 1000].flatMap((n) =>
    changes.map(({ churn, drop }) =>
      covers('Newcombe', `${n} pairs, churn ${churn}, drop ${drop}`, allowance.newcombe, (chance) => {
        return holds(newcombeInterval(pairTable(n, { right: 0.7, churn, drop }, chance), level), -drop);
      }),
    ),
  );
}

/** 5 samples before and 1 after are a mean over five nights beside tonight. */
function pairedClusters(): Check[] {
  const samples = [
    { before: 4, after: 4 },
    { before: 5, after: 1 },
  ];
  return itemKinds.flatMap((kind) =>
    [12, 40, 200].flatMap((items) =>
      samples.flatMap(({ before, after }) =>
        [0, 0.1].map((drop) =>
          covers(
            'paired',
            `${items} ${kind.name} items, ${before} and ${after}, drop ${drop}`,
            allowanceOf(items),
            (chance) => {
              return holds(
                paired(measuredTwice({ kind, items, before, after }, drop, chance), { drawn, level }),
                -drop,
              );
            },
          ),
        ),
      ),
    ),
  );
}

function allowanceOf(items: number): number {
  return items < 20 ? allowance.fewClusters : allowance.clusters;
}

function covers(what: string, setting: string, allowance: number, once: (chance: Chance) => boolean): Check {
  return { what: `${what} interval holds the truth`, setting, limit: 'at least', nominal: level, allowance, once };
}

function holds({ low, high }: { low: number | null; high: number | null }, truth: number): boolean {
  return low !== null && high !== null && low <= truth && truth <= high;
}
