// Rates against temperature.
import type { Cell } from '../../domain/summary.ts';
import type { Drawn } from '../figures/draw.ts';
import { figureSets, type Showing } from './figures.ts';
import { type Markup, markup } from './markup.ts';

export function curveSection(cells: Cell[], figures: Drawn[], showing: Showing): Markup | null {
  if (figures.length === 0) return null;
  const undecided = cells.some(({ follow_up }) => follow_up.undecided > 0);
  return markup`<section id="curves" aria-labelledby="curves-title">
<h2 id="curves-title">By temperature</h2>
<p class="note">One line a model, named at its end; models of a family share hue and shape. At each temperature they stand beside each
other, so that no interval hides another. Thin bars are 95 % intervals.${
    undecided
      ? ' Where turns are undecided there is no point: the thick bar goes from none to all of them counted as genuine.'
      : ''
  }</p>
${figureSets(figures, showing)}
</section>`;
}
