// Scores answers: a shard is read, checked and written. Only instructions are checked by somebody else, a process.

import { instructionScore, replyToCheck } from '../../domain/accuracy/instructions.ts';
import { openingOf } from '../../domain/accuracy/reasoning.ts';
import { scoreTurn } from '../../domain/accuracy/score.ts';
import type { InstructionsCheck } from '../../domain/data/item.ts';
import type { ShardCounts, ShardRef } from '../../domain/plan/boundary.ts';
import type { RecordError, Score, Turn } from '../../domain/records/record.ts';
import { byId, type Sources, sourceRecords, wantedFrom } from '../shard/sources.ts';
import { type ShardDeps, workShard } from '../shard/work.ts';
import type { Verifier } from './verifier.ts';

export function scoringActivities(deps: ShardDeps & { sources: Sources; verifier: Verifier }) {
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
        checkpoints: 'none',
        limit: (piece) => piece(),
        make: async (wanted) => {
          const { answer } = itemOf(wanted.item);
          const turn = answers.get(wanted.item)?.body;
          if (answer === null || turn === undefined) throw new RangeError(`nothing to score for ${wanted.item}`);
          const came =
            answer.check === 'instructions'
              ? await checked(turn, answer, { verifier: deps.verifier, item: wanted.item })
              : { body: scoreTurn(turn, answer, openingOf(turn)) };
          return { ...came, requests: 0, tokens: 0 };
        },
      });
    },
  };
}

/** Dice are rolled by item: the same for every model and every sample. */
async function checked(
  turn: Turn,
  check: InstructionsCheck,
  { verifier, item }: { verifier: Verifier; item: string },
): Promise<{ body: Score } | { error: RecordError }> {
  const found = replyToCheck(turn, check, openingOf(turn));
  if (!('reply' in found)) return { body: found };
  const { family, instructions } = check;
  const verified = await verifier.verify({ family, instructions, reply: found.reply, seed: item });
  return 'error' in verified ? verified : { body: instructionScore(check, verified.results) };
}

export type ScoringActivities = ReturnType<typeof scoringActivities>;
