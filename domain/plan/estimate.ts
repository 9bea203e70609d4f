// What a plan will take: tokens and money. Prompts are estimated; completions are bounded by their limits.

/**
 * One cell's generations still to be made. Mean tokens: `prompt` up to the answer, `between` the answer and the user
 * turn, `given` of answers that come with the data (null where they are generated).
 */
export type CellWork = { answers: number; turns: number; prompt: number; between: number; given: number | null };

/** Tokens of one answer and of one user turn. */
export type Lengths = { assistant: number; user: number };

/** US dollars per million tokens. */
export type Prices = { prompt: number; completion: number };

/** `at_most`: every completion runs into its limit. */
export type Bounded = { expected: number; at_most: number };

/** `usd` is null where no prices are known. */
export type Estimate = { calls: number; prompt: Bounded; completion: Bounded; usd: Bounded | null };

/** What one model's cells take, each call made once. Whole tokens; dollars as they come. */
export function estimate(cells: CellWork[], at: { expected: Lengths; caps: Lengths; prices: Prices | null }): Estimate {
  const expected = tokens(cells, at.expected);
  const most = tokens(cells, at.caps);
  const { prices } = at;
  return {
    calls: sum(cells, (cell) => cell.answers + cell.turns),
    prompt: { expected: expected.prompt, at_most: most.prompt },
    completion: { expected: expected.completion, at_most: most.completion },
    usd: prices === null ? null : { expected: cost(expected, prices), at_most: cost(most, prices) },
  };
}

/** One cell's judgements still to be made; `prompt`: mean tokens of its conversations. */
export type JudgingWork = { judgements: number; prompt: number };

/** What a judge takes where the rules decide nothing, each question asked once. `instructions`: tokens of its prompt file. */
export function estimateJudging(
  cells: JudgingWork[],
  at: {
    instructions: number;
    expected: Lengths & { reply: number };
    caps: Lengths & { reply: number };
    prices: Prices | null;
  },
): Estimate {
  const calls = sum(cells, (cell) => cell.judgements);
  const taken = ({ assistant, user, reply }: Lengths & { reply: number }): Tokens => ({
    prompt: Math.ceil(sum(cells, (cell) => cell.judgements * (at.instructions + cell.prompt + assistant + user))),
    completion: Math.ceil(calls * reply),
  });
  const [expected, most] = [taken(at.expected), taken(at.caps)];
  return {
    calls,
    prompt: { expected: expected.prompt, at_most: most.prompt },
    completion: { expected: expected.completion, at_most: most.completion },
    usd: at.prices === null ? null : { expected: cost(expected, at.prices), at_most: cost(most, at.prices) },
  };
}

/** Several models' estimates as one; dollars of those that have prices, null where none has. */
export function together(estimates: Estimate[]): Estimate {
  const priced = estimates.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  return {
    calls: sum(estimates, ({ calls }) => calls),
    prompt: added(estimates.map(({ prompt }) => prompt)),
    completion: added(estimates.map(({ completion }) => completion)),
    usd: priced.length === 0 ? null : added(priced),
  };
}

type Tokens = { prompt: number; completion: number };

/** A user turn's prompt holds the answer, so its length counts twice: as a completion and as a prompt. */
function tokens(cells: CellWork[], { assistant, user }: Lengths): Tokens {
  const prompt = sum(
    cells,
    (cell) => (cell.answers + cell.turns) * cell.prompt + cell.turns * (cell.between + (cell.given ?? assistant)),
  );
  const completion = sum(cells, (cell) => cell.answers * assistant + cell.turns * user);
  return { prompt: Math.ceil(prompt), completion: Math.ceil(completion) };
}

function cost({ prompt, completion }: Tokens, prices: Prices): number {
  return (prompt * prices.prompt + completion * prices.completion) / 1e6;
}

function added(parts: Bounded[]): Bounded {
  return { expected: sum(parts, (part) => part.expected), at_most: sum(parts, (part) => part.at_most) };
}

function sum<T>(things: T[], of: (thing: T) => number): number {
  return things.reduce((total, thing) => total + of(thing), 0);
}
