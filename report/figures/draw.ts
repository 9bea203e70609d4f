// From a specification to SVG. Vega is loaded when the first figure is drawn: commands that draw none need not wait for it.
import type { Figure } from './figure.ts';
import type { Tone } from './tones.ts';

/** SVG for any viewer, with its title, in the colours for light paper. The same figures give the same bytes. */
export type Drawn = Figure & { svg: string };

export async function draw(figures: Figure[]): Promise<Drawn[]> {
  if (figures.length === 0) return [];
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const quiet = vega.logger(vega.None);
  const drawn: Drawn[] = [];
  for (const figure of figures) {
    // A copy: Vega marks the rows it is given.
    const { spec } = compile(structuredClone(figure.spec), { logger: quiet });
    const view = new vega.View(vega.parse(spec), { renderer: 'none', logger: quiet });
    drawn.push({ ...figure, svg: tidy(await view.toSVG()) });
    view.finalize();
  }
  return drawn;
}

/** The SVG as part of a page: it has no size of its own, and its colours are the page's. */
export function inPage({ svg }: Drawn, tones: Tone[]): string {
  const variables = new Map(tones.map(({ name, light }) => [light, `var(--${name})`]));
  return svg
    .replace(/^<svg [^>]*viewBox="([^"]*)"[^>]*>/, '<svg viewBox="$1" aria-hidden="true">')
    .replace(/ font-family="[^"]*"/g, '')
    .replace(/(fill|stroke)="(#[0-9a-f]{6})"/g, (whole, what: string, colour: string) => {
      const variable = variables.get(colour);
      return variable === undefined ? whole : `${what}="${variable}"`;
    });
}

/** Leaves out what draws nothing, and decimals that nobody sees. */
function tidy(svg: string): string {
  return svg
    .replace(/<path class="(?:background|foreground)"[^>]*(?:display="none"|d="M0,0h0v0h0Z")[^>]*\/>/g, '')
    .replace(/<[^>]*>/g, (tag) =>
      tag
        .replace(/ (?:role|aria-[a-z]+|pointer-events|class|xmlns:xlink|version)="[^"]*"/g, '')
        .replace(/ opacity="1"/g, '')
        .replace(/-?\d+\.\d{2,}(?:e[-+]?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)))),
    )
    .replace(/<g><\/g>/g, '');
}
