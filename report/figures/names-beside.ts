// Names of points: beside the point where there is room, else in a column at the right with a line to it.
import { displayWidth } from '../width.ts';
import { apart } from './apart.ts';
import type { Frame, Layer, Rows } from './figure.ts';
import type { Shares } from './scale.ts';

type Point = { model: string; x: number; y: number };
type Box = { left: number; right: number; top: number; bottom: number };

/** Of a letter, at most, in the fonts that are likely. */
const letter = 6.6;
const line = 13;
const around = 6;

type Options = {
  frame: Frame;
  x: Shares;
  y: Shares;
  color: object;
  across: (field: string) => object;
  up: (field: string) => object;
};

export function namesBeside(points: Point[], { frame, x, y, color, across, up }: Options): Layer[] {
  const pixels = points.map((point) => ({
    ...point,
    left: ((point.x - x.domain[0]) / (x.domain[1] - x.domain[0])) * frame.width,
    top: (1 - (point.y - y.domain[0]) / (y.domain[1] - y.domain[0])) * frame.height,
  }));
  const taken: Box[] = pixels.map(({ left, top }) => ({
    left: left - around,
    right: left + around,
    top: top - around,
    bottom: top + around,
  }));
  const beside: Rows = [];
  const column: typeof pixels = [];
  for (const point of pixels) {
    const width = displayWidth(point.model) * letter;
    const places = [
      { align: 'left', box: boxAt(point.left + around + 2, point.top, width) },
      { align: 'right', box: boxAt(point.left - around - 2 - width, point.top, width) },
    ];
    const free = places.find(({ box }) => fits(box, frame) && !taken.some((other) => overlap(box, other)));
    if (free === undefined) column.push(point);
    else {
      taken.push(free.box);
      beside.push({ model: point.model, x: point.x, y: point.y, align: free.align });
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
  const named = (align: 'left' | 'right'): Layer => ({
    data: { values: beside.filter((one) => one['align'] === align) },
    mark: { type: 'text', align, baseline: 'middle', dx: align === 'left' ? around + 2 : -around - 2 },
    encoding: { x: across('x'), y: up('y'), text, color },
  });
  return [
    ...(['left', 'right'] as const).filter((align) => beside.some((one) => one['align'] === align)).map(named),
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

function fits({ left, right }: Box, frame: Frame): boolean {
  return left >= 2 && right <= frame.width + around;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
