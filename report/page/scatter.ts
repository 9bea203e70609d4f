// Accuracy against follow-up.
import type { Cell } from '../../domain/summary.ts';
import type { Drawn } from '../figures/draw.ts';
import { figureSets, type Showing } from './figures.ts';
import { type Markup, markup } from './markup.ts';

export function scatterSection(cells: Cell[], figures: Drawn[], showing: Showing): Markup | null {
  if (figures.length === 0) return null;
  const undecided = cells.some(({ follow_up }) => follow_up.undecided > 0);
  return markup`<section id="scatter" aria-labelledby="scatter-title">
<h2 id="scatter-title">Accuracy against follow-up</h2>
<p class="note">A point a model: to the right, answers right; up, genuine follow-ups. At the lowest temperature and at the highest; the
heights of the two have scales of their own. Shapes are families, thin bars 95 % intervals.${
    undecided
      ? ' Where turns are undecided a model is no point but a thick bar, from none to all of them counted as genuine.'
      : ''
  }</p>
${figureSets(figures, showing)}
</section>`;
}
