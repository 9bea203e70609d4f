// Judges user turns, those that a model wrote and those that people did: by the rules, which are free and decide only what they are sure of, then by a model.

import { openingOf, visiblePart } from '../../domain/accuracy/reasoning.ts';
import { type Item, isReferenced } from '../../domain/data/item.ts';
import { decidedByModel, votesOfRules } from '../../domain/followup/cascade.ts';
import type { Judged } from '../../domain/followup/prompt.ts';
import { judgeByRules, undecided } from '../../domain/followup/rules.ts';
import type { ShardCounts, ShardRef } from '../../domain/plan/boundary.ts';
import { conditionAt } from '../../domain/plan/keys.ts';
import type { RulesThresholds } from '../../domain/plan/plan.ts';
import type { Judgement, Turn, Vote } from '../../domain/records/record.ts';
import { exactText } from '../../domain/records/text.ts';
import { queues } from '../shard/queues.ts';
import { answerStage, byId, type Found, type Sources, sourceRecords, wantedFrom } from '../shard/sources.ts';
import { type Made, type ShardDeps, workShard } from '../shard/work.ts';
import { shardFolder, type Wanted } from '../store/shard.ts';
import { askJudge, type Standing } from './ask.ts';
import type { Judge, Judges } from './judges.ts';

type Deps = ShardDeps & { sources: Sources; judges: Judges };

export function judgeActivities(deps: Deps) {
  const oneAtATime = queues();
  return {
    /**
     * Labels one shard's user turns. What the rules leave open is asked of the plan's model, or stays undecided.
     * @throws ConfigProblem  the model's key is refused, or one of its settings (not retried)
     * @throws WorldProblem   its server is away (retried)
     */
    async judgeTurns(ref: ShardRef): Promise<ShardCounts> {
      const turns = await sourceRecords<Turn>(deps.store, ref, 'user_turn');
      return judgeShard(deps, ref, {
        condition: conditionAt(ref.temperature, ref.condition),
        wanted: (items) => wantedFrom(ref, items, turns),
        turnOf: ({ id }) => textOf(turns.get(id)?.body),
      });
    },

    /**
     * Labels what people said after one shard's given answers, just as `judgeTurns` labels what a model said: the human
     * ceiling. Once an item, whatever the number of samples. Errors as there.
     */
    async judgeReferences(ref: ShardRef): Promise<ShardCounts> {
      // All models and temperatures of a run want this shard at once: the first makes it, the others adopt.
      return oneAtATime(shardFolder(ref), () =>
        judgeShard(deps, ref, {
          condition: 'reference',
          wanted: (items, answers) => (ref.sample === 0 ? wantedFrom(ref, items.filter(isReferenced), answers) : []),
          turnOf: (item) => item.reference_user_turn,
        }),
      );
    },
  };
}

export type JudgeActivities = ReturnType<typeof judgeActivities>;

type Answers = Map<string, Found<Turn>>;

/** `condition`: what the seeds of a question follow from, beside its item and sample. */
type Judging = {
  condition: string;
  wanted(items: Item[], answers: Answers): Wanted[];
  turnOf(item: Item): string | null;
};

async function judgeShard(deps: Deps, ref: ShardRef, { condition, wanted, turnOf }: Judging): Promise<ShardCounts> {
  const { plan, items } = await deps.sources.of(ref);
  const { rules, llm } = plan.judge;
  const answers = await sourceRecords<Turn>(deps.store, ref, answerStage(ref));
  const itemOf = byId(items);
  const model = llm === undefined ? null : await deps.judges.open(ref.run, llm);
  return workShard<Judgement>(deps, ref, {
    wanted: wanted(items, answers),
    checkpoints: model === null ? 'none' : 'each',
    heed: async () => model?.heed({ run: ref.run, model: null }),
    limit: (piece) => (model === null ? piece() : model.limit(piece)),
    make: async (one, { signal }) => {
      const item = itemOf(one.item);
      const a = answers.get(one.item)?.body;
      const u = turnOf(item);
      if (a === undefined || u === null) throw new RangeError(`nothing to judge for ${one.item}`);
      const at = { condition, item: one.item, sample: ref.sample };
      return judgeTurn({ rules, model }, { q: item.messages, a, u }, { at, signal });
    },
  });
}

type Cascade = { rules: RulesThresholds | null; model: Judge | null };

/** One turn by the rules, and by the model where they leave it open. Errors as of `askJudge`. */
export async function judgeTurn(
  { rules, model }: Cascade,
  { q, a, u }: Turns & Pick<Judged, 'q'>,
  how: { at: Standing; signal: AbortSignal },
): Promise<Made<Judgement>> {
  const free = byRules(rules, q, { a, u });
  if (model === null) return { body: free, requests: 0, tokens: 0 };
  const votes = rules === null ? [] : votesOfRules(free);
  if (free.by !== null) return { body: { ...free, votes }, requests: 0, tokens: 0 };
  return byModel(model, judgedBy(q, { a, u }), { votes, ...how });
}

type Turns = { a: Turn; u: string };

function textOf(turn: Turn | undefined): string | null {
  return turn === undefined ? null : exactText(turn);
}

function byRules(rules: RulesThresholds | null, q: Judged['q'], { a, u }: Turns): Judgement {
  return rules === null ? undecided : judgeByRules(q, exactText(a), u, rules, openingOf(a));
}

/** The answer as its reader was shown it, without its reasoning; the user turn as it was written, marks and all. */
function judgedBy(q: Judged['q'], { a, u }: Turns): Judged {
  return { q, a: visiblePart(exactText(a), openingOf(a)) ?? exactText(a), u };
}

type Asking = { votes: Vote[]; at: Standing; signal: AbortSignal };

async function byModel(judge: Judge, judged: Judged, { votes, ...how }: Asking): Promise<Made<Judgement>> {
  const { requests, usage, ...answer } = await askJudge(judge, judged, how);
  const spent = { requests, tokens: usage?.completion ?? 0, ...(usage !== null && { usage }) };
  if ('error' in answer) return { error: answer.error, ...spent };
  const by = `llm:${judge.planned.model}`;
  return { body: decidedByModel(votes, { by, verdict: answer.verdict }), ...spent };
}
