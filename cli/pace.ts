// How fast a run goes, from what was seen of it lately.

/** What one look saw: `turns` are answers and user turns together. */
export type Seen = { at: number; tokens: number; turns: number };

/** Null until enough was seen, or while nothing moves. */
export type Pace = { tokensPerSecond: number | null; secondsLeft: number | null };

const speedWindow = 15_000;
const turnsWindow = 60_000;
const least = { speed: 2_000, turns: 10_000 };

/** Takes looks in the order of time. What falls back (a shard begun anew) is not counted against the pace. */
export function pacer(): (seen: Seen, opts: { turnsLeft: number }) => Pace {
  const past: Seen[] = [];
  let before: Seen | null = null;
  return (seen, { turnsLeft }) => {
    const last = past.at(-1);
    const gained = (what: 'tokens' | 'turns') =>
      (last?.[what] ?? 0) + Math.max(0, seen[what] - (before?.[what] ?? seen[what]));
    past.push({ at: seen.at, tokens: gained('tokens'), turns: gained('turns') });
    before = seen;
    while (past[1] !== undefined && past[1].at <= seen.at - turnsWindow) past.shift();

    const tokens = perSecond(past, { what: 'tokens', window: speedWindow, least: least.speed });
    const turns = perSecond(past, { what: 'turns', window: turnsWindow, least: least.turns });
    return { tokensPerSecond: tokens, secondsLeft: turns === null || turns === 0 ? null : turnsLeft / turns };
  };
}

function perSecond(past: Seen[], opts: { what: 'tokens' | 'turns'; window: number; least: number }): number | null {
  const now = past.at(-1);
  if (now === undefined) return null;
  const from = past.findLast((one) => one.at <= now.at - opts.window) ?? past[0];
  if (from === undefined || now.at - from.at < opts.least) return null;
  return (now[opts.what] - from[opts.what]) / ((now.at - from.at) / 1_000);
}
