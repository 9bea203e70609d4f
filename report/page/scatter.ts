// Accuracy against follow-up.
import type { Drawn } from '../figures/draw.ts';
import { figureSets, type Showing } from './figures.ts';
import { type Markup, markup } from './markup.ts';

export function scatterSection(figures: Drawn[], showing: Showing): Markup | null {
  if (figures.length === 0) return null;
  return markup`<section id="scatter" aria-labelledby="scatter-title">
<h2 id="scatter-title">Accuracy against follow-up</h2>
<p class="note">A point a model: to the right, answers right; up, genuine follow-ups. At the lowest temperature and at the highest; the
heights of the two have scales of their own. Shapes are families, bars 95 % intervals.</p>
${figureSets(figures, showing)}
</section>`;
}
