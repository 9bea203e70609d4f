// The live line on stderr: rewritten in place on a terminal, a line now and then elsewhere.
import type { StageTally, Tally } from '../domain/plan/boundary.ts';
import { oneLine } from '../report/escape.ts';
import { grouped } from '../report/numbers.ts';
import { cut } from '../report/width.ts';
import { budgetText } from './budget-text.ts';
import { type Pace, pacer } from './pace.ts';
import { isHeldByBudget, type RunView } from './view.ts';

export type ProgressLine = { show(view: RunView): void; end(): void };

const quietInterval = 15_000;

/** `samples`: user turns the plan asks for; `answers`: as many unless said; `clock` gives milliseconds. */
export function progressLine(
  stream: NodeJS.WriteStream,
  opts: { samples: number; answers?: number; clock: () => number },
): ProgressLine {
  const pace = pacer();
  let best: Counts = { answers: 0, turns: 0, tokens: 0 };
  let last = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(view) {
      const { samples, answers = samples, clock } = opts;
      best = most(best, countsOf(view));
      const turns = best.answers + best.turns;
      const seen = pace({ at: clock(), tokens: tokensOf(view), turns }, { turnsLeft: answers + samples - turns });
      const text = lineFor(view, { samples, answers, pace: seen, counts: best });
      if (stream.isTTY) stream.write(`\r\u001b[2K${cut(text, (stream.columns || 100) - 1)}`);
      else if (text !== last && clock() - shownAt >= quietInterval) {
        stream.write(`${text}\n`);
        shownAt = clock();
      }
      last = text;
    },
    end() {
      if (stream.isTTY && last !== '') stream.write('\r\u001b[2K');
    },
  };
}

/** Answers and user turns done, and tokens. */
export type Counts = { answers: number; turns: number; tokens: number };

/** While no worker answers a look sees less than the one before it; what was done once stays done. */
function most(before: Counts, now: Counts): Counts {
  return {
    answers: Math.max(before.answers, now.answers),
    turns: Math.max(before.turns, now.turns),
    tokens: Math.max(before.tokens, now.tokens),
  };
}

/** One line about a run: state, turns, errors, what is being waited for or else how it goes. */
export function lineFor(view: RunView, at: { samples: number; answers?: number; pace: Pace; counts?: Counts }): string {
  const { answers, turns, tokens } = at.counts ?? countsOf(view);
  const stages = ['assistant_turn', 'user_turn', 'judgement'] as const;
  const errors = stages.reduce((sum, stage) => sum + total(view, stage).errors, 0);
  const parked = view.campaigns.reduce((sum, one) => sum + one.parked.length, 0);
  const [waiting] = view.waiting;
  const parts = [
    `${view.run}  ${view.state}${isHeldByBudget(view) ? ' (budget)' : ''}`,
    `answers ${grouped(answers)}/${grouped(at.answers ?? at.samples)}`,
    `user turns ${grouped(turns)}/${grouped(at.samples)}`,
    judgedText(view, at.samples),
    errors > 0 ? counted(errors, 'error') : '',
    parked > 0 ? `${parked} parked` : '',
    view.budget === null ? '' : budgetText(view.budget),
    ...(waiting === undefined ? paceText(tokens, at.pace) : [waitingText(waiting)]),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Only where a model judges: the rules are done as soon as the turns are. */
function judgedText(view: RunView, samples: number): string {
  const asked = total(view, 'judgement').requests + (view.inFlight.judgement?.tokens ?? 0) > 0;
  return asked ? `judged ${grouped(done(view, 'judgement'))}/${grouped(samples)}` : '';
}

function paceText(tokens: number, { tokensPerSecond, secondsLeft }: Pace): string[] {
  const speed = tokensPerSecond === null ? '' : `, ${grouped(Math.round(tokensPerSecond))}/s`;
  return [`${grouped(tokens)} tokens${speed}`, secondsLeft === null ? '' : `${roughly(secondsLeft)} left`];
}

export function waitingText({ why, tries }: RunView['waiting'][number]): string {
  return `waiting${tries > 1 ? ` (try ${tries})` : ''}: ${oneLine(why)}`;
}

/** Seconds as a person would say them: nobody knows better. */
export function roughly(seconds: number): string {
  if (seconds < 55) return `about ${Math.max(10, Math.ceil(seconds / 10) * 10)} s`;
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3_600) return `about ${Math.round(seconds / 3_600)} h`;
  return `about ${Math.round(seconds / 86_400)} days`;
}

/** A stage's counts over all campaigns. */
export function total(view: RunView, stage: keyof Tally): StageTally {
  const zero = { records: 0, errors: 0, made: 0, tokens: 0, requests: 0 };
  return view.campaigns.reduce((sum, { tally }) => {
    const one = tally[stage] ?? zero;
    return {
      records: sum.records + one.records,
      errors: sum.errors + one.errors,
      made: sum.made + one.made,
      tokens: sum.tokens + one.tokens,
      requests: sum.requests + one.requests,
    };
  }, zero);
}

/** Records of finished shards, and those finished inside open ones. */
export function done(view: RunView, stage: keyof Tally): number {
  return total(view, stage).records + (view.inFlight[stage]?.done ?? 0);
}

function countsOf(view: RunView): Counts {
  return { answers: done(view, 'assistant_turn'), turns: done(view, 'user_turn'), tokens: tokensOf(view) };
}

export function tokensOf(view: RunView): number {
  const stages = ['assistant_turn', 'user_turn'] as const;
  return stages.reduce((sum, stage) => sum + total(view, stage).tokens + (view.inFlight[stage]?.tokens ?? 0), 0);
}

export function counted(n: number, what: string): string {
  return `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;
}
