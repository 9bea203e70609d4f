// One cell of a summary out of its records: the five outcomes stay apart, every rate gets its interval.

import type { LabelCounts } from './plan/plan.ts';
import type { InstructionResult, Judgement, Outcome, Score, StageRecord, Turn } from './records/record.ts';
import { type Cluster, clusteredRate } from './stats/bootstrap.ts';
import type { Rate } from './stats/rate.ts';
import type { Accuracy, Cell, FollowUp, InstructionRates } from './summary.ts';

export type CellInput = {
  model: string;
  data: string;
  temperature: number;
  /** Ids of the items asked for, each once. Records of other items, or of samples from `samples` on, are left aside. */
  items: string[];
  samples: number;
  /** `score` is null where the data has no answers to check. */
  records: {
    assistant: StageRecord<Turn>[];
    user: StageRecord<Turn>[];
    judgement: StageRecord<Judgement>[];
    /** Left out where nothing that people said is judged. */
    reference?: StageRecord<Judgement>[];
    score: StageRecord<Score>[] | null;
  };
  /** A cell is failed when more than this share of its samples met an error at any stage. */
  maxErrorShare: number;
  /** Items that bring no answer to check: not scored, and in no count of the accuracy. */
  unchecked?: ReadonlySet<string>;
  /** Items whose next turn by a person is judged, once each: at the first sample. */
  referenced?: ReadonlySet<string>;
  /** Of the bootstrap, where there are several samples per item. */
  seed: number;
};

/**
 * The cell's counts, rates and state. Each item × sample is counted once under accuracy and once under follow-up:
 * an error at the assistant turn is an error of both, and whatever has no record yet leaves the cell `pending`.
 * The order of items and records does not matter.
 */
export function cellFrom(input: CellInput): Cell {
  const chains = chainsOf(input);
  const all = chains.flat();
  const shareOf: ShareOf = (of) =>
    clusteredRate(
      chains.map((item) => together(item.map(of))),
      input,
    );
  const rateOf: RateOf = (picked, hit) =>
    shareOf((chain) => (picked(chain) ? { successes: hit(chain) ? 1 : 0, n: 1 } : nothing));
  return {
    model: input.model,
    data: input.data,
    temperature: input.temperature,
    samples: all.length,
    accuracy: input.records.score === null ? null : accuracyOf(all, { rateOf, shareOf }),
    follow_up: followUpOf(
      chains.map((item) => item.map(({ turn }) => turn)),
      input,
    ),
    ...(chains.some(([first]) => first?.reference) && { reference: followUpOf(chains.map(referencesOf), input) }),
    capped: {
      assistant: rateOf(
        ({ assistant }) => isGenerated(assistant),
        ({ assistant }) => isCapped(assistant),
      ),
      user: rateOf(
        ({ user }) => isGenerated(user),
        ({ user }) => isCapped(user),
      ),
    },
    tokens: tokensOf(all),
    state: stateOf(all, input.maxErrorShare),
  };
}

/** Samples in which anything failed, each counted once, however many of its stages did. */
export function failedSamples(input: CellInput): number {
  return chainsOf(input).flat().filter(isFailed).length;
}

/** What became of one item's one sample. */
type Chain = {
  assistant: Found<Turn>;
  user: Found<Turn>;
  answer: Outcome | 'unchecked' | 'missing';
  /** Of a scored answer; null where it is checked otherwise. */
  instructions: InstructionResult[] | null;
  turn: Heard;
  /** What a person said there; null where nobody did, and at every sample but the first. */
  reference: Heard | null;
};
/** What the judges said of one user turn. */
type Heard = { verdict: Verdict | 'error' | 'missing'; judgement: Found<Judgement> };
type Verdict = 'genuine' | 'not_genuine' | 'undecided' | 'judge_error';
type Found<Body> = { status: 'ok'; body: Body } | { status: 'error' } | { status: 'missing' };
type ShareOf = (of: (chain: Chain) => Cluster) => Rate;
type RateOf = (picked: (chain: Chain) => boolean, hit: (chain: Chain) => boolean) => Rate;

/** One list of samples per item. */
function chainsOf({ items, samples, records, unchecked, referenced }: CellInput): Chain[][] {
  const assistants = finder(records.assistant);
  const users = finder(records.user);
  const judgements = finder(records.judgement);
  const references = finder(records.reference ?? []);
  const scores = records.score === null ? null : finder(records.score);
  return items.map((item) =>
    Array.from({ length: samples }, (_, sample) => {
      const assistant = assistants(item, sample);
      const user = users(item, sample);
      const score: Found<Score> =
        scores === null || unchecked?.has(item) ? { status: 'missing' } : scores(item, sample);
      return {
        assistant,
        user,
        answer: scores === null || unchecked?.has(item) ? 'unchecked' : answerOf(assistant, score),
        instructions: (score.status === 'ok' && score.body.instructions) || null,
        turn: heard([assistant, user], judgements(item, sample)),
        reference: sample === 0 && referenced?.has(item) ? heard([assistant], references(item, sample)) : null,
      };
    }),
  );
}

function answerOf(assistant: Found<Turn>, score: Found<Score>): Outcome | 'missing' {
  if (assistant.status !== 'ok') return assistant.status;
  return score.status === 'ok' ? score.body.outcome : score.status;
}

/** `turns`: what had to be there to be judged. */
function heard(turns: Found<Turn>[], judgement: Found<Judgement>): Heard {
  return { verdict: verdictOf(turns, judgement), judgement };
}

function verdictOf(turns: Found<Turn>[], judgement: Found<Judgement>): Heard['verdict'] {
  const absent = turns.find(({ status }) => status !== 'ok')?.status;
  if (absent === 'error' || absent === 'missing') return absent;
  if (judgement.status === 'missing') return 'missing';
  if (judgement.status === 'error') return 'judge_error';
  if (judgement.body.genuine === null) return 'undecided';
  return judgement.body.genuine ? 'genuine' : 'not_genuine';
}

/** Looks records up by item and sample. Of several for one place a success wins, then the lower hash: never the order. */
function finder<Body>(records: StageRecord<Body>[]): (item: string, sample: number) => Found<Body> {
  const found = new Map<string, StageRecord<Body>>();
  for (const record of records) {
    const place = placeOf(record.result.item, record.result.sample);
    const other = found.get(place);
    if (other === undefined || winsOver(record, other)) found.set(place, record);
  }
  return (item, sample) => {
    const result = found.get(placeOf(item, sample))?.result;
    if (result === undefined) return { status: 'missing' };
    return result.status === 'ok' ? { status: 'ok', body: result.body } : { status: 'error' };
  };
}

/** The number comes first, so that no item id can look like another's. */
const placeOf = (item: string, sample: number) => `${sample} ${item}`;

function winsOver(a: StageRecord, b: StageRecord): boolean {
  if (a.result.status !== b.result.status) return a.result.status === 'ok';
  return a.hash < b.hash;
}

function accuracyOf(chains: Chain[], { rateOf, shareOf }: { rateOf: RateOf; shareOf: ShareOf }): Accuracy {
  const count = (outcome: Outcome) => chains.filter(({ answer }) => answer === outcome).length;
  return {
    right: count('right'),
    wrong: count('wrong'),
    unscored: count('unscored'),
    truncated: count('truncated'),
    error: count('error'),
    rate: rateOf(isCounted, ({ answer }) => answer === 'right'),
    ...(chains.some(({ instructions }) => instructions !== null) && { instructions: followed({ rateOf, shareOf }) }),
  };
}

function isCounted({ answer }: Chain): boolean {
  return answer === 'right' || answer === 'wrong' || answer === 'unscored' || answer === 'truncated';
}

function followed({ rateOf, shareOf }: { rateOf: RateOf; shareOf: ShareOf }): InstructionRates {
  const share = (how: 'strict' | 'loose') =>
    shareOf(({ instructions }) => {
      const all = instructions ?? [];
      return { successes: all.filter((one) => one[how] === true).length, n: all.length };
    });
  return {
    prompt_loose: rateOf(isCounted, ({ instructions }) => instructions?.every(({ loose }) => loose === true) ?? false),
    instruction_strict: share('strict'),
    instruction_loose: share('loose'),
  };
}

/** One list of turns per item. */
function followUpOf(items: Heard[][], input: CellInput): FollowUp {
  const all = items.flat();
  const count = (wanted: Heard['verdict']) => all.filter(({ verdict }) => verdict === wanted).length;
  const share = (...hits: Heard['verdict'][]) =>
    clusteredRate(
      items.map((turns) => {
        const judged = turns.filter(isJudged);
        return { successes: judged.filter(({ verdict }) => hits.includes(verdict)).length, n: judged.length };
      }),
      input,
    );
  const [genuine, not_genuine, undecided] = [count('genuine'), count('not_genuine'), count('undecided')];
  return {
    judged: genuine + not_genuine + undecided,
    genuine,
    not_genuine,
    undecided,
    judge_error: count('judge_error'),
    error: count('error'),
    if_none: share('genuine'),
    if_all: share('genuine', 'undecided'),
    labels: labelsOf(all.filter(isJudged)),
  };
}

function referencesOf(item: Chain[]): Heard[] {
  return item.flatMap(({ reference }) => reference ?? []);
}

function isJudged({ verdict }: Heard): boolean {
  return verdict === 'genuine' || verdict === 'not_genuine' || verdict === 'undecided';
}

function labelsOf(judged: Heard[]): LabelCounts {
  const count = (label: string) =>
    judged.filter(({ judgement }) => judgement.status === 'ok' && judgement.body.label === label).length;
  return {
    plausible_followup: count('plausible_followup'),
    previous_turn_restate: count('previous_turn_restate'),
    new_task_prompt: count('new_task_prompt'),
    assistant_turn_restate: count('assistant_turn_restate'),
    malformed_artifact: count('malformed_artifact'),
    meta_planning: count('meta_planning'),
    degenerate_short: count('degenerate_short'),
    other: count('other'),
  };
}

/** A turn that came with the data cost nothing and hit no limit. */
function isGenerated(turn: Found<Turn>): boolean {
  return turn.status === 'ok' && turn.body.finish !== 'given';
}

function isCapped(turn: Found<Turn>): boolean {
  return turn.status === 'ok' && turn.body.finish === 'length';
}

function tokensOf(chains: Chain[]): Cell['tokens'] {
  const turns = chains.flatMap(({ assistant, user }) => [assistant, user]);
  const generated = turns.flatMap((turn) => (turn.status === 'ok' && turn.body.finish !== 'given' ? [turn.body] : []));
  return {
    prompt: generated.reduce((sum, turn) => sum + (turn.prompt?.tokens ?? 0), 0),
    completion: generated.reduce((sum, turn) => sum + turn.tokens, 0),
  };
}

function stateOf(chains: Chain[], maxErrorShare: number): Cell['state'] {
  if (chains.some(isPending)) return 'pending';
  return chains.filter(isFailed).length > maxErrorShare * chains.length ? 'failed' : 'complete';
}

function isPending({ answer, turn, reference }: Chain): boolean {
  return answer === 'missing' || turn.verdict === 'missing' || reference?.verdict === 'missing';
}

function isFailed({ answer, turn, reference }: Chain): boolean {
  const failed = (one: Heard | null) => one?.verdict === 'error' || one?.verdict === 'judge_error';
  return answer === 'error' || failed(turn) || failed(reference);
}

const nothing: Cluster = { successes: 0, n: 0 };

function together(parts: Cluster[]): Cluster {
  return parts.reduce((sum, one) => ({ successes: sum.successes + one.successes, n: sum.n + one.n }), nothing);
}
