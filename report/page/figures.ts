// Drawn figures on the page, by data set.
import { type Drawn, inPage } from '../figures/draw.ts';
import type { Tone } from '../figures/tones.ts';
import { type Markup, markup, type Piece, trusted } from './markup.ts';

/** `links`: where the files of the figures lie, if they lie beside the page. */
export type Showing = { tones: Tone[]; links: 'beside' | 'none' };

/** Figures of one data set stand beside each other under its name. */
export function figureSets(figures: Drawn[], showing: Showing): Markup {
  const sets = [...Map.groupBy(figures, ({ data }) => data)];
  return markup`${sets.map(
    ([data, its]) => markup`<div class="set" data-data="${data ?? ''}">
<h3><bdi>${data}</bdi></h3>
<div class="figures">
${its.map((one) => figure(one, showing))}
</div>
</div>
`,
  )}`;
}

/** Figures of one kind, a data set each. */
export function figureFlow(figures: Drawn[], showing: Showing): Markup {
  return markup`<div class="figures">
${figures.map((one) => figure(one, showing, markup`<bdi>${one.data}</bdi>`))}
</div>`;
}

export function figure(one: Drawn, { tones, links }: Showing, caption: Piece = one.title): Markup {
  const { name, title, text, data } = one;
  const about = data === null ? null : markup` data-data="${data}"`;
  // What Vega writes is escaped by Vega, and tried with hostile names.
  const svg = trusted(inPage(one, tones));
  return markup`<figure id="figure-${name}"${about}>
<figcaption>${caption}${links === 'none' ? null : files(name)}</figcaption>
<div role="img" aria-label="${title}" aria-describedby="figure-${name}-text">${svg}</div>
<p class="unseen" id="figure-${name}-text">${text}</p>
</figure>
`;
}

function files(name: string): Markup {
  return markup` <span class="files"><a href="figures/${name}.svg">SVG</a> <a href="figures/${name}.vl.json">Vega-Lite</a></span>`;
}
