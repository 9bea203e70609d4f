// Judges generated user turns: by the rules, which are free and decide only what they are sure of, then by a model.

import { openingOf, visiblePart } from '../../domain/accuracy/reasoning.ts';
import { decidedByModel, votesOfRules } from '../../domain/followup/cascade.ts';
import type { Judged } from '../../domain/followup/prompt.ts';
import { judgeByRules, undecided } from '../../domain/followup/rules.ts';
import type { ShardCounts, ShardRef } from '../../domain/plan/boundary.ts';
import { baseCondition } from '../../domain/plan/keys.ts';
import type { RulesThresholds } from '../../domain/plan/plan.ts';
import type { Judgement, Turn, Vote } from '../../domain/records/record.ts';
import { exactText } from '../../domain/records/text.ts';
import { byId, type Sources, sourceRecords, wantedFrom } from '../shard/sources.ts';
import { type Made, type ShardDeps, workShard } from '../shard/work.ts';
import { askJudge, type Standing } from './ask.ts';
import type { Judge, Judges } from './judges.ts';

export function judgeActivities(deps: ShardDeps & { sources: Sources; judges: Judges }) {
  return {
    /**
     * Labels one shard's user turns. What the rules leave open is asked of the plan's model, or stays undecided.
     * @throws ConfigProblem  the model's key is refused, or one of its settings (not retried)
     * @throws WorldProblem   its server is away (retried)
     */
    async judgeTurns(ref: ShardRef): Promise<ShardCounts> {
      const { plan, items } = await deps.sources.of(ref);
      const { rules, llm } = plan.judge;
      const answers = await sourceRecords<Turn>(deps.store, ref, 'assistant_turn');
      const turns = await sourceRecords<Turn>(deps.store, ref, 'user_turn');
      const itemOf = byId(items);
      const model = llm === undefined ? null : await deps.judges.open(ref.run, llm);
      return workShard<Judgement>(deps, ref, {
        wanted: wantedFrom(ref, items, turns),
        limit: (piece) => (model === null ? piece() : model.limit(piece)),
        make: async (wanted, signal) => {
          const a = answers.get(wanted.item)?.body;
          const u = turns.get(wanted.item)?.body;
          if (a === undefined || u === undefined) throw new RangeError(`nothing to judge for ${wanted.item}`);
          const { messages: q } = itemOf(wanted.item);
          const free = byRules(rules, q, { a, u });
          if (model === null) return { body: free, requests: 0, tokens: 0 };
          const votes = rules === null ? [] : votesOfRules(free);
          if (free.by !== null) return { body: { ...free, votes }, requests: 0, tokens: 0 };
          const at = { condition: baseCondition(ref.temperature), item: wanted.item, sample: ref.sample };
          return byModel(model, judgedBy(q, { a, u }), { votes, at, signal });
        },
      });
    },
  };
}

export type JudgeActivities = ReturnType<typeof judgeActivities>;

type Turns = { a: Turn; u: Turn };

function byRules(rules: RulesThresholds | null, q: Judged['q'], { a, u }: Turns): Judgement {
  return rules === null ? undecided : judgeByRules(q, exactText(a), exactText(u), rules, openingOf(a));
}

/** The answer as its reader was shown it, without its reasoning; the user turn as it was written, marks and all. */
function judgedBy(q: Judged['q'], { a, u }: Turns): Judged {
  return { q, a: visiblePart(exactText(a), openingOf(a)) ?? exactText(a), u: exactText(u) };
}

type Asking = { votes: Vote[]; at: Standing; signal: AbortSignal };

async function byModel(judge: Judge, judged: Judged, { votes, ...how }: Asking): Promise<Made<Judgement>> {
  const { requests, usage, ...answer } = await askJudge(judge, judged, how);
  const spent = { requests, usage, tokens: usage.completion };
  if ('error' in answer) return { error: answer.error, ...spent };
  const by = `llm:${judge.planned.model}`;
  return { body: decidedByModel(votes, { by, verdict: answer.verdict }), ...spent };
}
