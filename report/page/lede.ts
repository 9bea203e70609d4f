// What was measured, in a few sentences for somebody who has never heard of it.
import type { Cell, Summary } from '../../domain/summary.ts';
import { decimalsFor, followUpRate, followUpText, grouped, percent } from '../numbers.ts';
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
${rangesOf(cells)}</p>
${findings(cells)}`;
}

/** What somebody would say of the run who had looked at all of it. */
function findings(cells: Cell[]): Markup | null {
  const decided = cells.every(({ follow_up }) => follow_up.undecided === 0);
  const said = [...(decided ? [mostOf(cells), byTemperature(cells)] : []), unfinished(cells)].filter(
    (one) => one !== null,
  );
  return said.length === 0 ? null : markup`<p>${said.map((one, at) => [at === 0 ? null : ' ', one])}</p>`;
}

/** Only where there are some to be chosen from. */
function mostOf(cells: Cell[]): Markup | null {
  const known = cells.filter(({ follow_up }) => follow_up.judged > 0);
  const [most] = known.toSorted((a, b) => (b.follow_up.if_none.value ?? 0) - (a.follow_up.if_none.value ?? 0));
  if (most === undefined || known.length < 3 || most.follow_up.genuine === 0) return null;
  const { model, data, temperature, follow_up } = most;
  return markup`The largest share of genuine turns is ${followUpText(follow_up, decimalsFor(cells))}: <b><bdi>${model}</bdi></b> on <b><bdi>${data}</bdi></b> at temperature ${temperature}.`;
}

/** From the lowest to the highest temperature, over models and data sets for which both are known. */
function byTemperature(cells: Cell[]): Markup | null {
  const temperatures = cells.map(({ temperature }) => temperature);
  const [low, high] = [Math.min(...temperatures), Math.max(...temperatures)];
  const pairs = [...Map.groupBy(cells, ({ model, data }) => JSON.stringify([model, data])).values()];
  const shareAt = (its: Cell[], temperature: number) => {
    const cell = its.find((one) => one.temperature === temperature);
    return cell === undefined ? null : followUpRate(cell.follow_up).value;
  };
  const changes = pairs.flatMap((its) => {
    const [first, last] = [shareAt(its, low), shareAt(its, high)];
    return first === null || last === null ? [] : [last - first];
  });
  if (low === high || changes.length === 0) return null;
  const rises = changes.filter((change) => change > 0).length;
  const middle = changes.toSorted((a, b) => a - b)[Math.floor((changes.length - 1) / 2)] ?? 0;
  const points = `${middle < 0 ? '−' : '+'}${Math.abs(middle * 100).toFixed(1)} points`;
  if (changes.length === 1)
    return markup`From temperature ${low} to ${high} the share of genuine turns changes by ${points}.`;
  return markup`From temperature ${low} to ${high} the share of genuine turns rises in ${rises} of ${changes.length} pairs of model and data set (median ${points}).`;
}

function unfinished(cells: Cell[]): Markup | null {
  const [pending, failed] = (['pending', 'failed'] as const).map(
    (state) => cells.filter((cell) => cell.state === state).length,
  );
  const told = [
    ...(pending
      ? [
          `${pending} of ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} ${pending === 1 ? 'is' : 'are'} not finished`,
        ]
      : []),
    ...(failed ? [`in ${failed} of ${cells.length} more failed than the config allows`] : []),
  ];
  if (told.length === 0) return null;
  return markup`<a href="#trouble">Not all is there</a>: ${told.join(', and ')}.`;
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
