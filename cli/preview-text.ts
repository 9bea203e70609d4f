// A preview for a person: what would be done, what is there, what it takes.
import { assumed, type Duration } from '../domain/plan/duration.ts';
import type { Bounded } from '../domain/plan/estimate.ts';
import { visible } from '../domain/probe/visible.ts';
import type { Stage } from '../domain/records/record.ts';
import { dollars } from '../report/cost.ts';
import { grouped } from '../report/numbers.ts';
import { budgetText } from './budget-text.ts';
import { columns } from './columns.ts';
import type { Length } from './lengths.ts';
import type { Preview, PreviewCell } from './preview.ts';
import type { PreviewJudge, PreviewModel, Timing } from './takes.ts';
import { secondsText, stageNames } from './words.ts';

/** Everything in order: the run, cells with what the store holds, stage keys, tokens and money. */
export function previewText(preview: Preview): string {
  return [
    `${count(preview.samples, 'user turn')}; nothing has been generated.\n${runLine(preview)}\n${settings(preview)}`,
    cellTable(preview.cells),
    'Records: in the store/wanted. What is there is adopted, never made again.\n',
    keyTable(preview.cells),
    takes(preview),
    ...(preview.budget === null ? [] : [`${budgetLine(preview.budget)}\n`]),
  ].join('\n');
}

/** What is to be made, in one line, and whether its budget will do. */
export function takesLine({ total, budget }: Pick<Preview, 'total' | 'budget'>): string {
  const { calls, prompt, completion, usd, time } = total;
  const money = usd === null ? '' : `, US$ ${dollars(usd.expected)}`;
  const tokens = `${roughCount(prompt.expected)} prompt and ${roughCount(completion.expected)} completion tokens`;
  const lasting =
    time.expected === null ? `${durationText(time)} (of unknown speed)` : `about ${secondsText(time.expected)}`;
  const line = `To make: ${count(calls, 'call')}, about ${tokens}${money}, ${lasting}.`;
  return budget === null ? line : `${line}\n${budgetLine(budget)}`;
}

function budgetLine(budget: NonNullable<Preview['budget']>): string {
  const spent = `Budget: ${budgetText(budget)} spent.`;
  return budget.reached.length === 0 ? spent : `${spent} The run is expected to reach it, and pauses there.`;
}

/** Two digits that say something. */
function roughCount(value: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return grouped(Math.round(value / step) * step);
}

function runLine({ plan, run, state }: Preview): string {
  const plans = `Plan ${plan.slice(0, 8)}`;
  if (state === 'new') return `${plans} would start the run ${run}.`;
  if (state === 'complete') return `${plans} returns to the run ${run}, which is complete.`;
  return `${plans} goes on with the run ${run}.`;
}

/** What of the prompts is by choice; nothing where they are as the data and the exact trace have them. */
function settings({ system, models }: Preview): string {
  const lines = models.flatMap(({ model, reasoning }) =>
    reasoning === undefined ? [] : [`${model}: reasoning: ${reasoning} (${reasoningWords[reasoning]}).`],
  );
  if (system !== undefined) {
    const all = visible(system);
    const shown = all.length > longestShown ? `${all.slice(0, longestShown).toWellFormed()}…` : all;
    const whom = models.map(({ model }) => model).join(', ');
    lines.push(`${whom}: system: "${shown}", before conversations that have none.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

const longestShown = 60;
const reasoningWords = {
  strip: 'user turns come after answers without their reasoning',
  template: 'user turns come after answers as the chat template prints them',
};

function cellTable(cells: PreviewCell[]): string {
  const stages = stagesOf(cells);
  const rows = cells.map((cell) => [
    ...place(cell),
    grouped(cell.items),
    grouped(cell.samples),
    ...stages.map((stage) => held(cell, stage)),
  ]);
  return columns(['model', 'data', 'T', 'items', 'samples', ...stages.map((stage) => stageNames[stage])], rows, [
    'left',
    'left',
    'right',
    'right',
    'right',
    ...stages.map(() => 'right' as const),
  ]);
}

function keyTable(cells: PreviewCell[]): string {
  const stages = stagesOf(cells);
  const key = (cell: PreviewCell, stage: Stage) =>
    cell.stages.find((one) => one.stage === stage)?.key.slice(0, 8) ?? '–';
  return columns(
    ['stage keys', 'data', 'T', ...stages.map((stage) => stageNames[stage])],
    cells.map((cell) => [...place(cell), ...stages.map((stage) => key(cell, stage))]),
    ['left', 'left', 'right'],
  );
}

function takes({ total, models, judge }: Preview): string {
  if (total.calls === 0) return 'No call to make.\n';
  const judged = judge === null ? [] : [{ ...judge, model: `${judge.judge} (judge)` }];
  const lines = [...models, ...judged];
  const rows = [...lines, ...(lines.length > 1 ? [{ ...total, model: 'all' }] : [])].map((one) => [
    one.model,
    grouped(one.calls),
    tokens(one.prompt),
    tokens(one.completion),
    one.usd === null ? 'no prices' : `${dollars(one.usd.expected)} / ${dollars(one.usd.at_most)}`,
    durationText(one.time),
  ]);
  const table = columns(['to make', 'calls', 'prompt tokens', 'completion tokens', 'US$', 'time'], rows, [
    'left',
    'right',
    'right',
    'right',
    'right',
    'right',
  ]);
  const called = models.filter((model) => model.calls > 0);
  return [
    table,
    'Expected / at most, without retries. At most: every turn runs into its limit.\n',
    'Time: without the start of services and engines.\n',
    ...called.map(assumption),
    ...(judge === null || judge.calls === 0 ? [] : [judgeAssumption(judge)]),
  ].join('');
}

function assumption({ model, answer, user_turn, prompts_by, ...timing }: PreviewModel): string {
  const prompts =
    prompts_by === 'tokenizer' ? "counted with the model's tokenizer" : 'taken for four characters a token';
  const lengths = `${lengthText(answer)} per answer, ${lengthText(user_turn)} per user turn`;
  return `${model}: ${lengths};\n  prompts ${prompts};\n  ${timingText(timing)}.\n`;
}

function judgeAssumption({ judge, reply, ...timing }: PreviewJudge): string {
  const why = reply.from === 'store' ? `mean of ${grouped(reply.turns)} in the store` : 'assumed';
  return `${judge}: ${grouped(Math.round(reply.tokens))} tokens (${why}) per reply;\n  fewer calls where the rules decide, more where a reply fails;\n  ${timingText(timing)}.\n`;
}

/** What the time is by. */
function timingText({ time, at_once, timed_by }: Pick<Timing, 'time' | 'at_once' | 'timed_by'>): string {
  const speed =
    time.from === 'store'
      ? `as fast as ${grouped(timed_by)} in the store`
      : `of unknown speed, taken for ${assumed.slowest} to ${assumed.fastest} tokens a second each`;
  return `${count(at_once, 'request')} at once, ${speed}`;
}

/** `4 min / 9 min`, or from the least to the most where the speed is not known: `1 min to 12 min`. */
export function durationText({ least, expected, at_most }: Duration): string {
  return expected === null
    ? `${secondsText(least)} to ${secondsText(at_most)}`
    : `${secondsText(expected)} / ${secondsText(at_most)}`;
}

function lengthText({ tokens, from, turns }: Length): string {
  const why = from === 'store' ? `mean of ${grouped(turns)} in the store` : 'half of the limit, assumed';
  return `${grouped(Math.round(tokens))} tokens (${why})`;
}

function stagesOf(cells: PreviewCell[]): Stage[] {
  return [...new Set(cells.flatMap(({ stages }) => stages.map(({ stage }) => stage)))];
}

function place({ model, data, temperature }: PreviewCell): string[] {
  return [model, data, String(temperature)];
}

function held(cell: PreviewCell, stage: Stage): string {
  const found = cell.stages.find((one) => one.stage === stage);
  return found === undefined ? '–' : `${grouped(found.held)}/${grouped(found.wanted)}`;
}

function tokens({ expected, at_most }: Bounded): string {
  return `${grouped(expected)} / ${grouped(at_most)}`;
}

function count(n: number, what: string): string {
  return `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;
}
