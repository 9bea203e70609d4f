// What a campaign may spend, and when it asks for more.
import { type Amount, type Budget, isLeft, limited } from './budget.ts';
import type { Allowance, Standing } from './ledger.ts';

/** `allowance`: null where the run has no budget. `said`: its standing, as it was last told by this allowance. */
export type Purse = { allowance: Allowance | null; said: Standing };

export function purseOf(allowance: Allowance | null): Purse {
  return { allowance, said: 'holds' };
}

/** `now`: spent, and expected of what is in flight. */
export function hasRoom({ allowance }: Purse, now: Amount): boolean {
  return allowance === null || (!allowance.used_up && isLeft(now, allowance.allowed));
}

/** An older allowance may be told again. */
export function heard(purse: Purse, given: Allowance): Purse {
  const isNew = purse.allowance === null || given.grants > purse.allowance.grants;
  return { allowance: given, said: isNew ? 'holds' : purse.said };
}

/** What is not needed for now is others': only what was spent is kept. */
export function rested({ allowance }: Purse, spent: Amount): Purse {
  return { allowance: allowance && { ...allowance, allowed: kept(allowance.allowed, spent) }, said: 'rests' };
}

/**
 * What to say now, if anything. `inFlight`: things begun and not over. `stuck`: there is more to begin and no room. More is
 * asked for when half of what was given last is gone, so that it comes before the rest is.
 */
export function word(purse: Purse, at: { now: Amount; inFlight: number; stuck: boolean }): 'asks' | 'out' | null {
  const { allowance, said } = purse;
  if (allowance === null || allowance.used_up) return null;
  if (at.stuck && at.inFlight === 0) return said === 'out' ? null : 'out';
  return said === 'holds' && (at.stuck || runsLow(allowance, at.now)) ? 'asks' : null;
}

function runsLow({ allowed, given }: Allowance, now: Amount): boolean {
  return limited(allowed).some((unit) => now[unit] >= (allowed[unit] ?? 0) - (given[unit] ?? 0) / 2);
}

function kept(allowed: Budget, spent: Amount): Budget {
  return Object.fromEntries(limited(allowed).map((unit) => [unit, spent[unit]]));
}
