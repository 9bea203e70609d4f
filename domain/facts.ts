// What a summary needs to know of records: words and small numbers, no texts, so that a cell of any size fits in memory.
import type { Judgement, Score, StageRecord, Turn, Usage } from './records/record.ts';

/** `prompt`: its tokens, 0 without one. */
export type TurnFact = Pick<Turn, 'finish' | 'tokens'> & { prompt: number };
export type JudgementFact = Pick<Judgement, 'label' | 'genuine'>;
/** `instructions`: how many there are, null where the answer is checked otherwise; how many of them were followed, and how. */
export type ScoreFact = Pick<Score, 'outcome'> & { instructions: number | null; strict: number; loose: number };

/** One record. `rank`: the start of its hash, as a number; `said`: null where the record is an error. */
export type Fact<Said> = {
  item: string;
  sample: number;
  rank: number;
  said: Said | null;
  spent: Spent;
};

/** Of a judgement: tokens that a judge was paid for, null where none were counted, and calls made. */
export type Spent = { usage: Usage | null; requests: number };

/** Of any other record: what a turn took is in what it says. */
export const unspent: Spent = { usage: null, requests: 0 };

export type Found<Said> = { status: 'ok'; body: Said } | { status: 'error' } | { status: 'missing' };

/** What judges took. `uncounted`: judgements whose server did not count their tokens, which are in the sums as 0. */
export type Judging = Usage & { uncounted: number };

/** One stage of a cell. */
export type StageFacts<Said> = {
  /** Of several for one place a success wins, then the lower hash: never the order. Other items and samples are left aside. */
  add(fact: Fact<Said>): void;
  /** `item`: its position in the cell's list. */
  at(item: number, sample: number): Found<Said>;
  /** Of all that were added. */
  judging(): Judging;
};

/** `score` is null where the data has no answers to check; `reference` is left out where nothing that people said is judged. */
export type CellFacts = {
  assistant: StageFacts<TurnFact>;
  /** The answer after something was done to it; left out where nothing was. */
  perturbed?: StageFacts<TurnFact>;
  user: StageFacts<TurnFact>;
  judgement: StageFacts<JudgementFact>;
  reference?: StageFacts<JudgementFact>;
  score: StageFacts<ScoreFact> | null;
};

const missing = { status: 'missing' } as const;
const failed = { status: 'error' } as const;

/** An empty stage. `places`: where each item stands in the cell's list. */
export function stageFacts<Said extends object>(
  places: ReadonlyMap<string, number>,
  samples: number,
): StageFacts<Said> {
  const found: Found<Said>[] = Array.from({ length: places.size * samples }, () => missing);
  const ranks = new Float64Array(places.size * samples);
  const alike = new Map<string, Found<Said>>();
  const judging: Judging = { prompt: 0, completion: 0, uncounted: 0 };

  /** The same words and numbers are kept once. */
  const once = (said: Said): Found<Said> => {
    const name = Object.values(said).join(' ');
    const known = alike.get(name) ?? { status: 'ok', body: said };
    alike.set(name, known);
    return known;
  };

  return {
    add({ item, sample, rank, said, spent }) {
      const position = places.get(item);
      if (position === undefined || !(sample < samples)) return;
      judging.prompt += spent.usage?.prompt ?? 0;
      judging.completion += spent.usage?.completion ?? 0;
      if (spent.usage === null && spent.requests > 0) judging.uncounted += 1;
      const place = position * samples + sample;
      const now = said === null ? failed : once(said);
      if (!wins({ now, rank }, { before: found[place] ?? missing, rank: ranks[place] ?? 0 })) return;
      found[place] = now;
      ranks[place] = rank;
    },
    at: (item, sample) => found[item * samples + sample] ?? missing,
    judging: () => judging,
  };
}

function wins(a: { now: Found<unknown>; rank: number }, b: { before: Found<unknown>; rank: number }): boolean {
  if (b.before.status === 'missing') return true;
  if (a.now.status !== b.before.status) return a.now.status === 'ok';
  return a.rank < b.rank;
}

export function turnFact(record: StageRecord<Turn>): Fact<TurnFact> {
  return fact(record, ({ finish, tokens, prompt }) => ({ finish, tokens, prompt: prompt?.tokens ?? 0 }));
}

export function judgementFact(record: StageRecord<Judgement>): Fact<JudgementFact> {
  const { usage = null, requests } = record.meta;
  return { ...fact(record, ({ label, genuine }) => ({ label, genuine })), spent: { usage, requests } };
}

export function scoreFact(record: StageRecord<Score>): Fact<ScoreFact> {
  return fact(record, ({ outcome, instructions = null }) => ({
    outcome,
    instructions: instructions && instructions.length,
    strict: instructions?.filter(({ strict }) => strict === true).length ?? 0,
    loose: instructions?.filter(({ loose }) => loose === true).length ?? 0,
  }));
}

function fact<Body, Said>({ hash, result }: StageRecord<Body>, say: (body: Body) => Said): Fact<Said> {
  return {
    item: result.item,
    sample: result.sample,
    rank: rankOf(hash),
    said: result.status === 'ok' ? say(result.body) : null,
    spent: unspent,
  };
}

/** The first 52 bits, which a number holds exactly. */
function rankOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 13), 16);
}
