// Accuracy and follow-up rate against temperature: one small figure per model and data set, drawn as SVG.
import type { Rate } from '../../domain/stats/rate.ts';
import type { Cell, Summary } from '../../domain/summary.ts';
import { decimalsFor, followUpText, rateText } from '../numbers.ts';
import { type CellGroup, groupsOf } from './groups.ts';
import { type Markup, markup, type Piece } from './markup.ts';

export function curveSection({ cells }: Summary): Markup {
  const temperatures = [...new Set(cells.map((cell) => cell.temperature))].sort((a, b) => a - b);
  const x = scaleOf(temperatures);
  const decimals = decimalsFor(cells);
  return markup`<section aria-labelledby="curves-title">
<h2 id="curves-title">By temperature</h2>
${legend(cells)}
<div class="figures">
${groupsOf(cells).map((group, at) => figure(group, { x, temperatures, decimals, id: `curve-${at + 1}` }))}
</div>
</section>`;
}

function legend(cells: Cell[]): Markup {
  const bands = cells.some(({ follow_up }) => follow_up.undecided > 0);
  const points = groupsOf(cells).some((group) => isDecided(group.cells));
  return markup`<p class="legend">${
    cells.some(({ accuracy }) => accuracy !== null)
      ? key('accuracy', 'answers right', markup`<path class="line" d="M0 6H28"/><circle cx="14" cy="6" r="4"/>`)
      : null
  }${
    points
      ? key(
          'follow-up',
          'genuine follow-ups',
          markup`<path class="line" d="M0 6H28"/><path class="dot" d="M14 1l5 5-5 5-5-5z"/>`,
        )
      : null
  }${
    bands
      ? key(
          'follow-up',
          'genuine follow-ups, from no to every undecided turn counted',
          markup`<path class="band" d="M0 1H28V11H0z"/><path class="edge" d="M0 1H28M0 11H28"/>`,
        )
      : null
  }<span class="key">whiskers: 95 % intervals</span></p>`;
}

function key(tone: 'accuracy' | 'follow-up', name: string, swatch: Markup): Markup {
  return markup`<span class="key ${tone}"><svg viewBox="0 0 28 12" aria-hidden="true">${swatch}</svg>${name}</span> `;
}

function isDecided(cells: Cell[]): boolean {
  return cells.every(({ follow_up }) => follow_up.undecided === 0);
}

type Scale = (temperature: number) => number;
type Point = { x: number; y: number };

const frame = { left: 38, right: 352, top: 12, bottom: 184 };
const width = 364;
const height = 226;
const inset = 26;

/** From temperature to x; a single temperature stands in the middle. */
function scaleOf(temperatures: number[]): Scale {
  const [first, last] = [temperatures[0] ?? 0, temperatures.at(-1) ?? 0];
  const [left, right] = [frame.left + inset, frame.right - inset];
  if (first === last) return () => (left + right) / 2;
  return (temperature) => left + ((temperature - first) / (last - first)) * (right - left);
}

const y = (share: number) => frame.bottom - share * (frame.bottom - frame.top);

type Drawing = { x: Scale; temperatures: number[]; decimals: number; id: string };

function figure({ model, data, cells }: CellGroup, { x, temperatures, decimals, id }: Drawing): Markup {
  return markup`<figure>
<figcaption><bdi>${model}</bdi> <span class="on">on</span> <bdi>${data}</bdi></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">Rates of ${model} on ${data} by temperature</title>
<desc id="${id}-text">${cells.map((cell) => spoken(cell, decimals)).join(' ')}</desc>
${axes(temperatures, x)}
${followUps(cells, x)}
${answers(cells, x)}
</svg>
</figure>
`;
}

function spoken({ temperature, accuracy, follow_up }: Cell, decimals: number): string {
  const right = accuracy === null ? '' : `answers right ${rateText(accuracy.rate, decimals)}, `;
  return `Temperature ${temperature}: ${right}genuine follow-ups ${followUpText(follow_up, decimals)}.`;
}

function axes(temperatures: number[], x: Scale): Piece {
  const levels = [0, 0.25, 0.5, 0.75, 1];
  return [
    levels.map(
      (level) => markup`<path class="${level === 0 ? 'axis' : 'grid'}" d="M${frame.left} ${y(level)}H${frame.right}"/>
<text class="tick end" x="${frame.left - 6}" y="${y(level) + 4}">${level * 100}${level === 1 ? ' %' : ''}</text>
`,
    ),
    spaced(temperatures, x).map(
      (temperature) => markup`<path class="axis" d="M${round(x(temperature))} ${frame.bottom}v4"/>
<text class="tick middle" x="${round(x(temperature))}" y="${frame.bottom + 18}">${temperature}</text>
`,
    ),
    markup`<text class="name middle" x="${(frame.left + frame.right) / 2}" y="${height - 5}">temperature</text>`,
  ];
}

/** Temperatures whose labels have room beside each other. */
function spaced(temperatures: number[], x: Scale): number[] {
  const kept: number[] = [];
  for (const temperature of temperatures) {
    const last = kept.at(-1);
    if (last === undefined || x(temperature) - x(last) >= 26) kept.push(temperature);
  }
  return kept;
}

function answers(cells: Cell[], x: Scale): Markup | null {
  const rates = cells.flatMap(({ temperature, accuracy }) =>
    accuracy === null ? [] : [{ temperature, rate: accuracy.rate }],
  );
  const points = pointsOf(rates, x, -3);
  if (points.length === 0) return null;
  return markup`<g class="accuracy">${line(points)}${whiskers(rates, x, -3)}${points.map(
    (point) => markup`<circle cx="${point.x}" cy="${point.y}" r="4"/>`,
  )}</g>`;
}

/** A line where all turns are decided; while some are not, the band between the two extremes. */
function followUps(cells: Cell[], x: Scale): Markup {
  const low = cells.map(({ temperature, follow_up }) => ({ temperature, rate: follow_up.if_none }));
  const high = cells.map(({ temperature, follow_up }) => ({ temperature, rate: follow_up.if_all }));
  const outer = cells.map(({ temperature, follow_up: { if_none, if_all } }) => ({
    temperature,
    rate: { ...if_none, high: if_all.high },
  }));
  if (isDecided(cells)) {
    const points = pointsOf(low, x, 3);
    return markup`<g class="follow-up">${line(points)}${whiskers(low, x, 3)}${points.map(
      (point) => markup`<path class="dot" d="M${point.x} ${round(point.y - 5)}l5 5-5 5-5-5z"/>`,
    )}</g>`;
  }
  const [floor, ceiling] = [widened(pointsOf(low, x, 3)), widened(pointsOf(high, x, 3))];
  if (floor.length === 0) return markup``;
  return markup`<g class="follow-up"><path class="band" d="M${path(floor)}L${path(ceiling.toReversed())}Z"/><path class="edge" d="M${path(
    floor,
  )}M${path(ceiling)}"/>${whiskers(outer, x, 3)}</g>`;
}

type Placed = { temperature: number; rate: Rate };

function pointsOf(rates: Placed[], x: Scale, shift: number): Point[] {
  return rates.flatMap(({ temperature, rate }) =>
    rate.value === null ? [] : [{ x: round(x(temperature) + shift), y: round(y(rate.value)) }],
  );
}

/** A band at a single temperature still has a width. */
function widened(points: Point[]): Point[] {
  const [only] = points;
  if (only === undefined || points.length > 1) return points;
  return [
    { ...only, x: only.x - 12 },
    { ...only, x: only.x + 12 },
  ];
}

function line(points: Point[]): Markup | null {
  return points.length < 2 ? null : markup`<path class="line" d="M${path(points)}"/>`;
}

function whiskers(rates: Placed[], x: Scale, shift: number): Piece {
  return rates.map(({ temperature, rate: { low, high } }) => {
    if (low === null || high === null) return null;
    const [at, top, bottom] = [round(x(temperature) + shift), round(y(high)), round(y(low))];
    return markup`<path class="whisker" d="M${at} ${top}V${bottom}M${at - 3} ${top}h6M${at - 3} ${bottom}h6"/>`;
  });
}

function path(points: Point[]): string {
  return points.map((point) => `${point.x} ${point.y}`).join('L');
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
