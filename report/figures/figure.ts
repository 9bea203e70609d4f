// What a figure is: a Vega-Lite specification with its data inside, and what it shows in words.
import type { TopLevelSpec } from 'vega-lite';
import { ink, paper, rule, soft } from './tones.ts';

export type Figure = {
  /** Of its files; unique in a report: `follow-up-gsm8k`. */
  name: string;
  /** The data set it is about; null where it is about all. */
  data: string | null;
  title: string;
  /** What it shows, for those who do not see it. */
  text: string;
  spec: TopLevelSpec;
};

/** Data sets, models and so on are named by others: what of a name can stand in that of a file. */
export function slug(name: string, taken: Set<string>): string {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
      .replace(/^-+|-+$/g, '') || 'x';
  for (let number = 1; ; number += 1) {
    const one = number === 1 ? plain : `${plain}-${number}`;
    if (taken.has(one)) continue;
    taken.add(one);
    return one;
  }
}

/** In pixels. Everything is placed by us: a layout that measures texts would differ between machines. */
export type Frame = { width: number; height: number; left: number; right: number; top: number; bottom: number };

/** Wide enough for a phone without being made smaller. */
export const figureWidth = 360;

export type Layer = Extract<TopLevelSpec, { layer: unknown[] }>['layer'][number];
export type Rows = Record<string, string | number | null>[];

export function specOf(
  frame: Frame,
  { text, data, layer }: { text: string; data: Rows; layer: Layer[] },
): TopLevelSpec {
  const { width, height, ...padding } = frame;
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    description: text,
    width,
    height,
    padding,
    autosize: { type: 'none', contains: 'content' },
    background: 'transparent',
    config: look,
    data: { values: data },
    layer,
  };
}

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const axis = {
  domainColor: soft.light,
  tickColor: soft.light,
  gridColor: rule.light,
  labelColor: soft.light,
  titleColor: soft.light,
  titleFontWeight: 'normal',
  labelFontSize: 11,
  titleFontSize: 11,
  // Whatever depends on how wide a text is.
  labelOverlap: false,
  labelLimit: 0,
  labelFlush: false,
} as const;

const look = {
  aria: false,
  font,
  view: { stroke: null },
  axis,
  title: { color: ink.light, fontSize: 13, fontWeight: 600, anchor: 'start', frame: 'bounds', offset: 8 },
  text: { color: soft.light, fontSize: 11 },
  point: { stroke: paper.light, strokeWidth: 1, filled: true, opacity: 1 },
} as const;
