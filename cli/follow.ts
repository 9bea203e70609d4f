// Following a run to its end from the terminal: progress, Ctrl-C, and what is printed then.
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnding } from '../activities/run/documents.ts';
import type { RunEnd } from '../domain/plan/boundary.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { ConfigProblem } from '../domain/problems.ts';
import type { Summary } from '../domain/summary.ts';
import type { Home } from '../local/home.ts';
import { onePressMs, releaseEarly, stopNow } from './early.ts';
import { exit } from './exit.ts';
import { progressLine } from './progress.ts';
import type { Session } from './session.ts';
import { type RunView, viewRun } from './view.ts';

export type Followed =
  | { how: 'ended'; end: RunEnd; summary: Summary }
  | { how: 'parked' | 'paused' | 'stopped'; view: RunView }
  | { how: 'interrupted' };

const lookEvery = 1_000;

/** Shows progress on stderr until the run ends, stands still, or `interrupted` fires. A server that is away is waited for. */
export async function follow(
  session: Session,
  doc: RunDoc,
  opts: { samples: number; answers: number; models: string[]; interrupted: AbortSignal },
): Promise<Followed> {
  const line = progressLine(process.stderr, { samples: opts.samples, answers: opts.answers, clock: Date.now });
  try {
    for (;;) {
      if (opts.interrupted.aborted) return { how: 'interrupted' };
      const view = await viewRun(session, doc.run, opts.models).catch(orNull);
      if (view !== null) {
        line.show(view);
        const ending = view.end === null ? null : await readEnding(session.store, doc.run);
        if (ending !== null) return { how: 'ended', ...ending };
        if (view.state === 'parked' || view.state === 'paused' || view.state === 'stopped')
          return { how: view.state, view };
      }
      await sleep(lookEvery, undefined, { signal: opts.interrupted }).catch(() => undefined);
    }
  } finally {
    line.end();
  }
}

/**
 * The first Ctrl-C fires the signal, so that what is in flight can end; the second kills what this command
 * started and leaves at once.
 */
export function onInterrupt(home: Home, say: (line: string) => void): AbortSignal {
  releaseEarly();
  const controller = new AbortController();
  let firstAt = 0;
  const handle = () => {
    if (controller.signal.aborted) {
      if (performance.now() - firstAt < onePressMs) return;
      void stopNow(home).finally(() => process.exit(exit.interrupted));
      return;
    }
    say('Stopping: what is in flight ends first. Ctrl-C again stops at once.');
    firstAt = performance.now();
    controller.abort();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return controller.signal;
}

/** A server that is away is asked again; a store that is damaged will not mend by waiting. */
function orNull(error: unknown): null {
  if (error instanceof ConfigProblem) throw error;
  return null;
}
