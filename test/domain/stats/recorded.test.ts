// Paired statistics beside what scipy, statsmodels and scikit-learn say. record.py writes recorded.json.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { adjusted } from '../../../domain/stats/adjusted.ts';
import { detectable } from '../../../domain/stats/detectable.ts';
import { cohensH } from '../../../domain/stats/effect.ts';
import { mcnemar } from '../../../domain/stats/mcnemar.ts';
import { newcombeInterval } from '../../../domain/stats/newcombe.ts';
import { paired } from '../../../domain/stats/paired.ts';
import { signFlips } from '../../../domain/stats/sign-flips.ts';

const n = z.number();
const recorded = z
  .object({
    mcnemar: z.array(z.tuple([n, n, n, n, n])),
    newcombe: z.array(z.tuple([n, n, n, n, n, n, n])),
    sign_flips: z.array(z.tuple([z.array(n), n])),
    adjusted: z.array(z.tuple([z.array(n), z.array(n), z.array(n)])),
    effect: z.array(z.tuple([n, n, n])),
    power: z.array(z.tuple([n, n, n, n, n])),
    bootstrap: z.array(z.tuple([z.array(n), n, n, n])),
  })
  .parse(JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')));

test.each(recorded.mcnemar)('statsmodels: McNemar of %d %d %d %d', (_, lost, gained, __, p) => {
  expect(mcnemar({ lost, gained }) / p).toBeCloseTo(1, 11);
});

test.each(recorded.newcombe)(
  'Wilson of statsmodels and φ of scikit-learn: Newcombe of %d %d %d %d at %d',
  (both, lost, gained, neither, level, low, high) => {
    const found = newcombeInterval({ both, lost, gained, neither }, level);
    expect(found.low).toBeCloseTo(low, 12);
    expect(found.high).toBeCloseTo(high, 12);
  },
);

// R. G. Newcombe, Statistics in Medicine 17, 1998, pp. 2635–2650, table III, rows of method 10 (z = 1.96, four decimals).
test.each<[both: number, gained: number, lost: number, neither: number, low: number, high: number]>([
  [36, 12, 2, 0, 0.0569, 0.3404],
  [20, 12, 2, 16, 0.0562, 0.3292],
  [18, 12, 2, 18, 0.0562, 0.329],
  [36, 14, 0, 0, 0.1528, 0.4167],
  [35, 14, 0, 1, 0.1461, 0.4175],
  [18, 14, 0, 18, 0.1441, 0.3963],
  [2, 97, 1, 0, 0.8721, 0.9854],
  [0, 29, 1, 0, 0.6666, 0.9882],
  [0, 30, 0, 0, 0.8395, 1],
  [54, 0, 0, 0, -0.0664, 0.0664],
  [53, 0, 0, 1, -0.0729, 0.0729],
  [30, 0, 0, 24, -0.0358, 0.0358],
  [27, 0, 0, 27, -0.0351, 0.0351],
])('Newcombe’s own interval of %d %d %d %d', (both, gained, lost, neither, low, high) => {
  const found = newcombeInterval({ both, gained, lost, neither }, 0.95);
  expect(found.low).toBeCloseTo(low, 4);
  expect(found.high).toBeCloseTo(high, 4);
});

test.each(recorded.sign_flips)('scipy: all signs of %j', (differences, p) => {
  expect(signFlips(differences, 1)).toBeCloseTo(p, 12);
});

test.each(recorded.adjusted)('scipy and statsmodels: Benjamini and Hochberg of %j', (ps, scipy, statsmodels) => {
  for (const [at, p] of adjusted(ps).entries()) {
    expect(p).toBeCloseTo(scipy[at] ?? Number.NaN, 14);
    expect(p).toBeCloseTo(statsmodels[at] ?? Number.NaN, 14);
  }
});

test.each(recorded.effect)('statsmodels: effect size of %d to %d', (before, after, h) => {
  expect(cohensH(before, after)).toBeCloseTo(h, 12);
});

// The power is exact, by all tables there are; what is asked for it is an approximation that promises no more than it keeps.
test.each(recorded.power)(
  'scipy: of %d pairs, %d of them churn, a drop of %d at %d',
  (items, churn, drop, alpha, power) => {
    const found = detectable({ items, samples: items, churn, alpha, power, at_least: 0 });
    expect(found).toBeGreaterThan(0.995 * drop);
    expect(found).toBeLessThan((churn === 0 ? 1.4 : 1.1) * drop);
  },
);

test.each(recorded.bootstrap)('scipy: percentiles of %j, and of two made-up items', (changes, level, low, high) => {
  const items = changes.slice(2).map((change) => ({
    before: { successes: 4 - change, n: 8 },
    after: { successes: 4, n: 8 },
  }));
  const found = paired(items, { seed: 1, draws: 20_000, level });
  expect(Math.abs((found.low ?? Number.NaN) * 8 - low)).toBeLessThan(0.05);
  expect(Math.abs((found.high ?? Number.NaN) * 8 - high)).toBeLessThan(0.05);
});
