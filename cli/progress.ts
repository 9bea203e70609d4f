// The live line on stderr: rewritten in place on a terminal, a line now and then elsewhere.
import type { StageTally, Tally } from '../domain/plan/boundary.ts';
import { terminalSafe } from '../report/escape.ts';
import type { RunView } from './view.ts';

export type ProgressLine = { show(view: RunView): void; end(): void };

const quietInterval = 15_000;

/** `samples`: user turns the plan asks for; `clock` gives milliseconds. */
export function progressLine(stream: NodeJS.WriteStream, opts: { samples: number; clock: () => number }): ProgressLine {
  const begun = opts.clock();
  let last = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  let firstTokens: number | null = null;
  return {
    show(view) {
      const tokens = tokensOf(view);
      firstTokens ??= tokens;
      const seconds = (opts.clock() - begun) / 1_000;
      const text = lineFor(view, { samples: opts.samples, rate: seconds > 2 ? (tokens - firstTokens) / seconds : null });
      if (stream.isTTY) stream.write(`\r\u001b[2K${text.slice(0, (stream.columns || 100) - 1)}`);
      else if (text !== last && opts.clock() - shownAt >= quietInterval) {
        stream.write(`${text}\n`);
        shownAt = opts.clock();
      }
      last = text;
    },
    end() {
      if (stream.isTTY && last !== '') stream.write('\r\u001b[2K');
    },
  };
}

/** One line about a run: state, turns, errors, speed, what is being waited for. */
export function lineFor(view: RunView, at: { samples: number; rate: number | null }): string {
  const answers = total(view, 'assistant_turn');
  const turns = total(view, 'user_turn');
  const errors = answers.errors + turns.errors;
  const parked = view.campaigns.reduce((sum, one) => sum + one.parked.length, 0);
  const parts = [
    `${view.run}  ${view.state}`,
    `answers ${answers.records}/${at.samples}`,
    `user turns ${turns.records}/${at.samples}`,
    view.inFlight.total > 0 ? `open shards ${view.inFlight.done}/${view.inFlight.total}` : '',
    `${tokensOf(view).toLocaleString('en-US')} tokens`,
    at.rate === null ? '' : `${Math.round(at.rate)}/s`,
    errors > 0 ? `${errors} errors` : '',
    parked > 0 ? `${parked} parked` : '',
    view.retrying[0] === undefined ? '' : `waiting: ${terminalSafe(view.retrying[0])}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
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

function tokensOf(view: RunView): number {
  return total(view, 'assistant_turn').tokens + total(view, 'user_turn').tokens + view.inFlight.tokens;
}
