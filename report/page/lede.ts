// What was measured, in a few sentences for somebody who has never heard of it.
import type { Cell, Summary } from '../../domain/summary.ts';
import { decimalsFor, followUpRate, grouped, percent } from '../numbers.ts';
import { type Markup, markup, type Piece } from './markup.ts';

export function lede({ cells, samples }: Summary): Markup {
  const models = unique(cells.map((cell) => cell.model));
  const data = unique(cells.map((cell) => cell.data));
  const temperatures = unique(cells.map((cell) => cell.temperature)).sort((a, b) => a - b);
  return markup`<p class="lede">After each answer to a question from ${named(data, 'data sets')}, ${named(models, 'models')} went on
as the <em>user</em>: the same model, given nothing but its own chat template’s header for a user turn, wrote what the user says next.
That makes ${grouped(samples)} user turns, at ${temperatures.length === 1 ? 'temperature' : 'temperatures'} ${listed(temperatures.map(String))}.</p>
<p>Two things are counted: how many answers are <strong class="accuracy">right</strong>, and how many of the user turns are
<strong class="follow-up">genuine follow-ups</strong>, that is, something a person who had read the answer might well say next.
${rangesOf(cells)}</p>`;
}

function rangesOf(cells: Cell[]): Markup {
  const decimals = decimalsFor(cells);
  const right = cells.flatMap(({ accuracy }) => (accuracy?.rate.value == null ? [] : [accuracy.rate.value]));
  const points = cells.flatMap(({ follow_up }) => followUpRate(follow_up).value ?? []);
  const undecided = cells.some(({ follow_up }) => follow_up.undecided > 0);
  const range = (shares: number[]) => {
    const [low, high] = [percent(Math.min(...shares), decimals), percent(Math.max(...shares), decimals)];
    return low === high ? `${low} %` : `${low} to ${high} %`;
  };
  return markup`${right.length === 0 ? null : markup`Right are ${range(right)} of the answers. `}${
    undecided
      ? markup`The judge of this run calls only clear cases, so follow-up rates are bands: from <em>no undecided turn is genuine</em> to <em>all of them are</em>.`
      : points.length === 0
        ? null
        : markup`Genuine are ${range(points)} of the user turns.`
  }`;
}

/** `a`, `a and b`, or how many there are where that would be long. */
function named(names: string[], plural: string): Piece {
  if (names.length > 4) return `${names.length} ${plural}`;
  return names.map((name, at) => [joint(at, names.length), markup`<b><bdi>${name}</bdi></b>`]);
}

function listed(words: string[]): string {
  return words.map((word, at) => joint(at, words.length) + word).join('');
}

function joint(at: number, length: number): string {
  if (at === 0) return '';
  return at === length - 1 ? ' and ' : ', ';
}

function unique<T>(values: T[]): T[] {
  return [...new Set(values)];
}
