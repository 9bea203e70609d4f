// A judge that knows the frozen turns, and calls every other turn genuine.
import { frozenTurns } from '../../domain/nights/frozen-turns.ts';
import type { Label } from '../../domain/records/record.ts';
import { type JudgeScript, says, verdictReply } from '../fakes/judge-server.ts';

const known = new Map(frozenTurns.map(({ u, label }) => [u, label]));

/** `changed`: what it says instead, by the id of a frozen turn, or of every one. */
export function knowing(changed: Record<string, Label> | Label = {}): JudgeScript {
  const idOf = new Map(frozenTurns.map(({ id, u }) => [u, id]));
  return ({ turn }) => {
    const other = typeof changed === 'string' ? changed : changed[idOf.get(turn) ?? ''];
    const label = other ?? known.get(turn) ?? 'plausible_followup';
    return says(verdictReply(label, label === 'plausible_followup'));
  };
}
