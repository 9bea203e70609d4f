// Names of points: beside the point where there is room, else in a column at the right with a line to it.
import { displayWidth } from '../width.ts';
import { apart } from './apart.ts';
import type { Frame, Layer, Rows } from './figure.ts';
import type { Shares } from './scale.ts';

/** `low` to `high`: what of its height it takes up. */
type Point = { model: string; x: number; y: number; low: number; high: number };
type Box = { left: number; right: number; top: number; bottom: number };

/** Of a letter, at most, in the fonts that are likely. */
const letter = 6.6;
const line = 13;
const around = 5;
const corners = [
  { align: 'left', dy: -9 },
  { align: 'right', dy: -9 },
  { align: 'left', dy: 10 },
  { align: 'right', dy: 10 },
] as const;

type Options = {
  frame: Frame;
  x: Shares;
  y: Shares;
  color: object;
  across: (field: string) => object;
  up: (field: string) => object;
};

export function namesBeside(points: Point[], { frame, x, y, color, across, up }: Options): Layer[] {
  const height = (share: number) => (1 - (share - y.domain[0]) / (y.domain[1] - y.domain[0])) * frame.height;
  const pixels = points.map((point) => ({
    ...point,
    left: ((point.x - x.domain[0]) / (x.domain[1] - x.domain[0])) * frame.width,
    top: height(point.y),
  }));
  const taken: Box[] = pixels.map(({ left, low, high }) => ({
    left: left - 4,
    right: left + 4,
    top: height(high) - 4,
    bottom: height(low) + 4,
  }));
  const beside: Rows = [];
  const column: typeof pixels = [];
  for (const point of pixels) {
    const width = displayWidth(point.model) * letter;
    // Not at its own height, where its interval is.
    const places = corners.map(({ align, dy }) => ({
      align,
      dy,
      box: boxAt(align === 'left' ? point.left + around : point.left - around - width, point.top + dy, width),
    }));
    const free = places.find(({ box }) => fits(box, frame) && !taken.some((other) => overlap(box, other)));
    if (free === undefined) column.push(point);
    else {
      taken.push(free.box);
      beside.push({ model: point.model, x: point.x, y: point.y, align: free.align, dy: free.dy });
    }
  }
  const heights = apart(
    column.map(({ top }) => top),
    { gap: line, low: 4, high: frame.height - 4 },
  );
  const listed: Rows = column.map(({ model, x: at, y: level }, index) => ({
    model,
    x: at,
    y: level,
    label: y.domain[1] - ((heights[index] ?? 0) / frame.height) * (y.domain[1] - y.domain[0]),
  }));
  const edge = frame.width + 14;
  const text = { field: 'model' };
  const named = ({ align, dy }: (typeof corners)[number]): Layer[] => {
    const values = beside.filter((one) => one['align'] === align && one['dy'] === dy);
    const dx = align === 'left' ? around : -around;
    const mark = { type: 'text' as const, align, baseline: 'middle' as const, dx, dy };
    return values.length === 0
      ? []
      : [{ data: { values }, mark, encoding: { x: across('x'), y: up('y'), text, color } }];
  };
  return [
    ...corners.flatMap(named),
    ...(listed.length === 0
      ? []
      : ([
          {
            data: { values: listed },
            mark: { type: 'rule', strokeWidth: 0.7, opacity: 0.55 },
            encoding: { x: across('x'), x2: { value: edge - 3 }, y: up('y'), y2: { field: 'label' }, color },
          },
          {
            data: { values: listed },
            mark: { type: 'text', align: 'left', baseline: 'middle' },
            encoding: { x: { value: edge }, y: up('label'), text, color },
          },
        ] satisfies Layer[])),
  ];
}

function boxAt(left: number, top: number, width: number): Box {
  return { left, right: left + width, top: top - line / 2, bottom: top + line / 2 };
}

function fits({ left, right, top, bottom }: Box, frame: Frame): boolean {
  return left >= 2 && right <= frame.width + around && top >= -4 && bottom <= frame.height;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
