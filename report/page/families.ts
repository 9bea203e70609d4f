// The taxonomy: what each family of models does when it goes on as the user.
import { type Label, labels } from '../../domain/records/record.ts';
import type { Reference } from '../../domain/reference.ts';
import type { Cell } from '../../domain/summary.ts';
import { type FamilyShare, familyShares } from '../families.ts';
import type { Drawn } from '../figures/draw.ts';
import { decimalsFor, grouped, percent } from '../numbers.ts';
import { publishedLabels } from '../published.ts';
import { figure, type Showing } from './figures.ts';
import { words } from './labels.ts';
import { type Markup, markup, type Piece } from './markup.ts';
import { type Head, plainTable, temperature } from './table.ts';

export function familySection(
  cells: Cell[],
  figures: Drawn[],
  { reference, ...showing }: Showing & { reference: Reference | null },
): Markup | null {
  const shares = familyShares(cells);
  if (shares.length === 0) return null;
  const decimals = decimalsFor(cells);
  return markup`<section id="families" aria-labelledby="families-title">
<h2 id="families-title">By family</h2>
<p>${sentences(shares, decimals)}</p>
<div class="figures">
${figures.map((one) => figure(one, showing))}
</div>
${table(shares, { decimals, reference })}
<p class="note">A family is what stands in a model’s name before its size; a name without one is a family of its own. Turns of all its models
and data sets are counted together, each once. The shares have no interval: models of a family answered the same items.${
    reference !== null && shares.some((one) => publishedLabels(one.family, one.temperature, reference).size > 0)
      ? ` Where the paper prints a share, it stands beside ours in brackets (${reference.paper}); its data sets may be others.`
      : ''
  }</p>
</section>`;
}

/** What most turns of each family are, at the lowest temperature. */
function sentences(shares: FamilyShare[], decimals: number): Piece {
  const lowest = Math.min(...shares.map(({ temperature }) => temperature));
  const its = shares.filter(({ temperature }) => temperature === lowest).map((one) => mostly(one, decimals));
  const there = its.filter((one) => one !== null);
  return there.length === 0
    ? null
    : markup`At <i>T</i> = ${lowest} the most frequent ${shares.some(({ undecided }) => undecided > 0) ? 'decided ' : ''}label is ${there.map((one, at) => [at === 0 ? null : at === there.length - 1 ? ' and ' : ', ', one])}.`;
}

function mostly({ family, models, n, labels: counts }: FamilyShare, decimals: number): Markup | null {
  const [most] = labels.map((label): [Label, number] => [label, counts[label]]).sort((a, b) => b[1] - a[1]);
  if (most === undefined || most[1] === 0) return null;
  const who = models.length === 1 ? 'one model' : `${models.length} models`;
  return markup`<em>${words(most[0])}</em> of <b><bdi>${family}</bdi></b> (${percent(most[1] / n, decimals)} % of ${grouped(n)} turns, ${who})`;
}

type Showings = { decimals: number; reference: Reference | null };

function table(shares: FamilyShare[], { decimals, reference }: Showings): Markup {
  const used = labels.filter((label) => shares.some((one) => one.labels[label] > 0));
  const undecided = shares.some((one) => one.undecided > 0);
  return plainTable({
    name: 'Labels by family',
    kind: 'families',
    head: [
      { name: 'Family', kind: 'text' },
      temperature,
      { name: 'n', kind: 'number' },
      ...used.map((label): Head => ({ name: words(label), kind: 'number' })),
      ...(undecided ? [{ name: 'undecided', kind: 'number' } satisfies Head] : []),
    ],
    rows: shares.map((one) => {
      const printed = reference === null ? null : publishedLabels(one.family, one.temperature, reference);
      return {
        about: { temperature: one.temperature },
        fields: [
          markup`<bdi>${one.family}</bdi>`,
          one.temperature,
          grouped(one.n),
          ...used.map((label) => [shareText(one.labels[label], one.n, decimals), beside(printed?.get(label)?.printed)]),
          ...(undecided ? [shareText(one.undecided, one.n, decimals)] : []),
        ],
      };
    }),
  });
}

function shareText(count: number, n: number, decimals: number): Markup {
  return count === 0 ? markup`<span class="none">0</span>` : markup`${percent(count / n, decimals)} %`;
}

function beside(printed: string | undefined): Markup | null {
  return printed === undefined ? null : markup` <span class="printed">[${printed}]</span>`;
}
