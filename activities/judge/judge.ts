// Judges generated user turns. The rules judge is free and decides only what it is sure of.

import { openingOf } from '../../domain/accuracy/reasoning.ts';
import { judgeByRules } from '../../domain/followup/rules.ts';
import type { ShardCounts, ShardRef } from '../../domain/plan/boundary.ts';
import type { Judgement, Turn } from '../../domain/records/record.ts';
import { exactText } from '../../domain/records/text.ts';
import { byId, type Sources, sourceRecords, wantedFrom } from '../shard/sources.ts';
import { type ShardDeps, workShard } from '../shard/work.ts';

export function judgeActivities(deps: ShardDeps & { sources: Sources }) {
  return {
    /** Labels one shard's user turns by the rules; what they leave open stays undecided. */
    async judgeTurns(ref: ShardRef): Promise<ShardCounts> {
      const { plan, items } = await deps.sources.of(ref);
      const answers = await sourceRecords<Turn>(deps.store, ref, 'assistant_turn');
      const turns = await sourceRecords<Turn>(deps.store, ref, 'user_turn');
      const itemOf = byId(items);
      return workShard<Judgement>(deps, ref, {
        wanted: wantedFrom(ref, items, turns),
        limit: (piece) => piece(),
        make: async (wanted) => {
          const a = answers.get(wanted.item)?.body;
          const u = turns.get(wanted.item)?.body;
          if (a === undefined || u === undefined) throw new RangeError(`nothing to judge for ${wanted.item}`);
          const { messages } = itemOf(wanted.item);
          const judgement = judgeByRules(messages, exactText(a), exactText(u), plan.judge.rules, openingOf(a));
          return { body: judgement, requests: 0, tokens: 0 };
        },
      });
    },
  };
}

export type JudgeActivities = ReturnType<typeof judgeActivities>;
