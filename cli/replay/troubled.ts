// A run that a replay began and that could not do what it should.
import type { RunEnd } from '../../domain/plan/boundary.ts';
import { terminalSafe } from '../../report/escape.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';

/** What stopped it, said, with its exit code; null where nothing did. */
export function troubled({ problems }: RunEnd): Promise<number> | null {
  if (problems.length === 0) return null;
  for (const problem of problems) say(terminalSafe(problem));
  return Promise.resolve(exit.failed);
}
