// What was observed of requests: how long their completions are, and how fast they came.

/** Sums over requests. `squares`: of tokens; `products`: of tokens and milliseconds. */
export type Observed = { turns: number; tokens: number; ms: number; squares: number; products: number };

/** Milliseconds of one request: `fixed`, and `per_token` of its completion. */
export type Speed = { fixed: number; per_token: number };

export const unseen: Observed = { turns: 0, tokens: 0, ms: 0, squares: 0, products: 0 };

/** Fewer say little about a mean. */
const enough = 10;

export function seen({ tokens, ms }: { tokens: number; ms: number }): Observed {
  return { turns: 1, tokens, ms, squares: tokens * tokens, products: tokens * ms };
}

export function together(all: Observed[]): Observed {
  return all.reduce(
    (sum, one) => ({
      turns: sum.turns + one.turns,
      tokens: sum.tokens + one.tokens,
      ms: sum.ms + one.ms,
      squares: sum.squares + one.squares,
      products: sum.products + one.products,
    }),
    unseen,
  );
}

export function isEnough({ turns }: Observed): boolean {
  return turns >= enough;
}

/** Mean tokens of a completion. */
export function meanTokens({ tokens, turns }: Observed): number {
  return turns === 0 ? 0 : tokens / turns;
}

/** The straight line through what was seen, which never falls and never begins below nothing; null where too little was. */
export function speedOf(all: Observed): Speed | null {
  if (!isEnough(all)) return null;
  const [tokens, ms] = [all.tokens / all.turns, all.ms / all.turns];
  const spread = all.squares / all.turns - tokens * tokens;
  const slope = spread <= 0 ? 0 : (all.products / all.turns - tokens * ms) / spread;
  const per_token = Math.min(Math.max(0, slope), tokens === 0 ? 0 : ms / tokens);
  return { fixed: ms - per_token * tokens, per_token };
}
