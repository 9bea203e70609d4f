// Scores answers: pure work on records, so a shard is only read, checked and written.

import { openingOf } from '../../domain/accuracy/reasoning.ts';
import { scoreTurn } from '../../domain/accuracy/score.ts';
import type { ShardCounts, ShardRef } from '../../domain/plan/boundary.ts';
import type { Score, Turn } from '../../domain/records/record.ts';
import { byId, type Sources, sourceRecords, wantedFrom } from '../shard/sources.ts';
import { type ShardDeps, workShard } from '../shard/work.ts';

export function scoringActivities(deps: ShardDeps & { sources: Sources }) {
  return {
    /** Checks one shard's answers against the data's. Items without an answer check are left out. */
    async scoreAnswers(ref: ShardRef): Promise<ShardCounts> {
      const { items } = await deps.sources.of(ref);
      const answers = await sourceRecords<Turn>(deps.store, ref, 'assistant_turn');
      const itemOf = byId(items);
      return workShard<Score>(deps, ref, {
        wanted: wantedFrom(
          ref,
          items.filter((item) => item.answer !== null),
          answers,
        ),
        limit: (piece) => piece(),
        make: async (wanted) => {
          const { answer } = itemOf(wanted.item);
          const turn = answers.get(wanted.item)?.body;
          if (answer === null || turn === undefined) throw new RangeError(`nothing to score for ${wanted.item}`);
          return { body: scoreTurn(turn, answer, openingOf(turn)), requests: 0, tokens: 0 };
        },
      });
    },
  };
}

export type ScoringActivities = ReturnType<typeof scoringActivities>;
