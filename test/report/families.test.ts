import { expect, test } from 'vitest';
import { familyShares } from '../../report/families.ts';
import { familySection } from '../../report/page/families.ts';
import { cell } from './fixture.ts';
import { readable } from './page/skeleton.ts';

const cells = [
  cell(['Grey-1B', 'sums', 1], { right: 0, wrong: 20, genuine: 2, artifact: 18 }),
  cell(['Grey-1B', 'sums', 0], { right: 0, wrong: 20, genuine: 0, artifact: 20 }),
  cell(['Grey-2B', 'words', 0], { right: 0, wrong: 60, genuine: 30, artifact: 10, undecided: 20 }),
  cell(['Rose', 'sums', 0], { right: 0, wrong: 10, genuine: 0, artifact: 10 }),
  cell(['Rose', 'sums', 1], { right: 0, wrong: 0, genuine: 0, artifact: 0, errors: 10 }),
];

test('turns of all models and data sets of a family are counted together, by temperature', () => {
  const shares = familyShares(cells).map(({ labels, ...one }) => ({
    ...one,
    genuine: labels.plausible_followup,
    artifact: labels.malformed_artifact,
  }));
  expect(shares).toEqual([
    {
      family: 'Grey',
      models: ['Grey-1B', 'Grey-2B'],
      data: ['sums', 'words'],
      temperature: 0,
      n: 80,
      undecided: 20,
      genuine: 30,
      artifact: 30,
    },
    {
      family: 'Grey',
      models: ['Grey-1B', 'Grey-2B'],
      data: ['sums'],
      temperature: 1,
      n: 20,
      undecided: 0,
      genuine: 2,
      artifact: 18,
    },
    { family: 'Rose', models: ['Rose'], data: ['sums'], temperature: 0, n: 10, undecided: 0, genuine: 0, artifact: 10 },
  ]);
});

test('the page says it in a sentence and a table', () => {
  const section = familySection(cells, [], { tones: [], links: 'none', reference: null });
  expect(readable(section?.markup ?? '')).toMatchInlineSnapshot(`
    "By family
    At T = 0 the most frequent decided label is plausible followup of Grey (38 % of 80 turns, 2 models) and malformed artifact of Rose (100 % of 10 turns, one model).
    Family | T | n | plausible followup | malformed artifact | undecided
    Grey | 0 | 80 | 38 % | 38 % | 25 %
    Grey | 1 | 20 | 10 % | 90 % | 0
    Rose | 0 | 10 | 0 | 100 % | 0
    A family is what stands in a model’s name before its size; a name without one is a family of its own. Turns of all its models and data sets are counted together, each once. The shares have no interval: models of a family answered the same items."
  `);
});
