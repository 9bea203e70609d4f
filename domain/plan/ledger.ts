// How the campaigns of a run share its budget: each spends from an allowance and asks for the next before it is used up.
import { type Amount, add, addAll, type Budget, limited, nothing, type Unit } from './budget.ts';

/**
 * How a campaign stands: it has an allowance; it has one and asks for more; it has none left and nothing in flight; it
 * waits for the world and needs none; it is over.
 */
export type Standing = 'holds' | 'asks' | 'out' | 'rests' | 'ended';

/**
 * `allowed`: what it may spend in all, by the last of `grants`, and `given` what that one added. `shut`: the budget was
 * used up when it was last told. `told`: nothing has changed since.
 */
export type Account = Omit<Allowance, 'used_up' | 'metered'> &
  Pick<Draw, 'standing' | 'spent' | 'open'> & { shut: boolean; told: boolean };

/** `before`: spent by earlier executions of the run. `used`: a unit that is counted for the run as a whole, such as time. */
export type Ledger = { limits: Budget; before: Amount; used: Amount; accounts: Map<string, Account> };

/** What a campaign says of itself. `open`: expected of what is in flight; `grants`: the last allowance it has heard of. */
export type Draw = { model: string; standing: Standing; spent: Amount; open: Amount; grants: number };

/** What it is told. `given`: what the last grant added; `used_up`: nothing is left, and nobody else holds what might be given back. */
export type Allowance = {
  allowed: Budget;
  given: Budget;
  grants: number;
  used_up: boolean;
  /** Whether engines' hours are limited, so that their use is to be told. */
  metered: boolean;
};

/** The smallest allowance, as a share of the budget: so there are never many, whatever the run's size. */
const smallest = 1 / 50;

/** Dollars are no whole numbers: so small a share of the budget is none. */
const nothingLeft = 1e-9;

/** Units that campaigns are given shares of. Time runs for all of them at once. */
const shared: Unit[] = ['usd', 'tokens'];

export function openLedger(at: { limits: Budget; before: Amount; models: string[] }): Ledger {
  const account = (): Account => ({
    standing: 'out',
    allowed: {},
    given: {},
    spent: nothing,
    open: nothing,
    grants: 0,
    shut: false,
    told: true,
  });
  const accounts = new Map(at.models.map((model) => [model, account()]));
  return { limits: at.limits, before: at.before, used: nothing, accounts };
}

/** Writes down what a campaign says. What it says by an allowance that is out of date counts for its spending alone. */
export function enter(ledger: Ledger, draw: Draw): void {
  const account = ledger.accounts.get(draw.model);
  if (account === undefined || account.standing === 'ended') return;
  account.spent = most(account.spent, draw.spent);
  account.open = draw.open;
  if (draw.grants === account.grants || draw.standing === 'ended') account.standing = draw.standing;
  else account.told = false;
}

/** Who had ended begins again, with nothing but what it has spent. */
export function reopen(ledger: Ledger, model: string): void {
  const account = ledger.accounts.get(model);
  if (account?.standing !== 'ended') return;
  Object.assign(account, { standing: 'out', allowed: {}, given: {}, open: nothing, told: true });
}

/** Gives everybody who asks what there is for them. Returns whom there is news for. */
export function settle(ledger: Ledger): string[] {
  for (const account of ledger.accounts.values()) {
    if (account.standing !== 'asks' && account.standing !== 'out') continue;
    const more = allowanceFor(ledger, account);
    if (more === null) continue;
    Object.assign(account, { ...more, standing: 'holds', grants: account.grants + 1, told: false });
  }
  const shut = isUsedUp(ledger);
  return [...ledger.accounts].flatMap(([model, account]) => {
    if (account.standing === 'ended' || (account.told && account.shut === shut)) return [];
    Object.assign(account, { shut, told: true });
    return [model];
  });
}

/** Nothing is left to give, and nobody holds what might be given back; or time is over, which is over for all. */
export function isUsedUp(ledger: Ledger): boolean {
  const { limits, accounts } = ledger;
  const standings = [...accounts.values()].map(({ standing }) => standing);
  if (limits.gpu_hours !== undefined && free(ledger, 'gpu_hours') <= nothingLeft * limits.gpu_hours) return true;
  const waiting = standings.some((standing) => standing === 'out');
  return waiting && standings.every((standing) => standing === 'out' || standing === 'rests' || standing === 'ended');
}

export function allowanceOf(ledger: Ledger, model: string): Allowance {
  const { allowed, given, grants } = ledger.accounts.get(model) ?? { allowed: {}, given: {}, grants: 0 };
  const metered = ledger.limits.gpu_hours !== undefined;
  return { allowed, given, grants, used_up: isUsedUp(ledger), metered };
}

/** Of all executions together, as far as it was told. */
export function spentInAll({ before, used, accounts }: Ledger): Amount {
  return addAll([before, used, ...[...accounts.values()].map(({ spent }) => spent)]);
}

/** A share of what is free, never less than the smallest while there is that much; null where a unit has nothing left. */
function allowanceFor(ledger: Ledger, account: Account): Pick<Allowance, 'allowed' | 'given'> | null {
  const sharers = [...ledger.accounts.values()].filter(({ standing }) => standing !== 'ended' && standing !== 'rests');
  const allowed: Budget = {};
  const given: Budget = {};
  for (const unit of limited(ledger.limits)) {
    const limit = ledger.limits[unit] ?? 0;
    const now = account.spent[unit] + account.open[unit];
    const kept = reserved(account, unit);
    const left = free(ledger, unit) + kept - now;
    // Who asks early keeps what it has while that is all there is.
    if (left <= nothingLeft * limit || (account.standing === 'asks' && now + left <= kept)) return null;
    if (!shared.includes(unit)) continue;
    given[unit] = Math.min(left, Math.max(left / (2 * sharers.length), limit * smallest));
    allowed[unit] = now + given[unit];
  }
  return { allowed, given };
}

/** Nothing that was spent is given back: what says less is late. */
function most(a: Amount, b: Amount): Amount {
  return {
    usd: Math.max(a.usd, b.usd),
    tokens: Math.max(a.tokens, b.tokens),
    gpu_hours: Math.max(a.gpu_hours, b.gpu_hours),
  };
}

function free({ limits, before, used, accounts }: Ledger, unit: Unit): number {
  const kept = [...accounts.values()].reduce((sum, account) => sum + reserved(account, unit), 0);
  return (limits[unit] ?? Number.POSITIVE_INFINITY) - add(before, used)[unit] - kept;
}

/** What nobody else may have: its spending, and what it may still spend. */
function reserved({ standing, allowed, spent }: Account, unit: Unit): number {
  const keeps = standing === 'holds' || standing === 'asks';
  return keeps ? Math.max(spent[unit], allowed[unit] ?? 0) : spent[unit];
}
