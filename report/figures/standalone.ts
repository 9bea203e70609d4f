// Figures as files of their own: with a title that says what they are about, since no page around them does.
import { oneLine } from '../escape.ts';
import { cut } from '../width.ts';
import { type Drawn, draw } from './draw.ts';
import type { Figure } from './figure.ts';

export async function standalone(figures: Figure[]): Promise<Drawn[]> {
  return draw(figures.map(titled));
}

const titleHeight = 26;

function titled(figure: Figure): Figure {
  const { spec, title, data } = figure;
  const whole = data === null ? title : `${title}, ${oneLine(data)}`;
  const { padding } = spec;
  const sides = typeof padding === 'object' && 'top' in padding ? padding : {};
  const { top = 0, left = 0 } = sides;
  return {
    ...figure,
    spec: {
      ...spec,
      padding: { ...sides, top: top + titleHeight },
      title: { text: cut(whole, 52), anchor: 'start', dx: -left, offset: top },
    },
  };
}
