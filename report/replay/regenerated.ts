// Turns that were generated again beside those that a run has: which are the same, and where the others part.
import type { Store } from '../../activities/store/store.ts';
import { type Divergence, divergenceOf } from '../../domain/divergence.ts';
import type { Stage, StageRecord, Turn } from '../../domain/records/record.ts';
import { openPinned } from '../pinned.ts';
import { type Change, type Of, placesOf } from './changes.ts';

/**
 * `compared`: turns that are there in both, user turns only where they go on from the same answer; `failed`: errors on either side;
 * `apart`: user turns after answers that are not the same.
 */
export type Agreement = { compared: number; same: number; failed: number; apart: number };

export type Diverged = Omit<Change, 'before' | 'after'> & Divergence;

export type Regenerated = { answers: Agreement; user_turns: Agreement; diverged: Diverged[] };

/** A block at a time in memory. Answers that came with the data are nobody's to compare. */
export async function agreementOf(store: Store, before: Of, after: Of): Promise<Regenerated> {
  const [old, now] = [await openPinned(store, before.doc.run), await openPinned(store, after.doc.run)];
  const found: Regenerated = { answers: none(), user_turns: none(), diverged: [] };
  for (const { cell, stage, groups, ...tree } of placesOf(before, after)) {
    if (!isTurn(stage)) continue;
    const was = byItem(await old.records<Turn>({ group: groups.before, stage, ...tree }));
    const is = byItem(await now.records<Turn>({ group: groups.after, stage, ...tree }));
    const agreement = stage === 'assistant_turn' ? found.answers : found.user_turns;
    const apart = stage === 'assistant_turn' ? new Set<string>() : apartIn(was, is);
    for (const [item, record] of is) {
      const [one, other] = [bodyOf(was.get(item)), bodyOf(record)];
      if (one === null || other === null) agreement.failed += 1;
      else if (apart.has(item)) agreement.apart += 1;
      else {
        agreement.compared += 1;
        const divergence = divergenceOf(one, other);
        if (divergence === null) agreement.same += 1;
        else found.diverged.push({ ...cell, item, sample: tree.sample, stage, ...divergence });
      }
    }
  }
  return found;
}

function none(): Agreement {
  return { compared: 0, same: 0, failed: 0, apart: 0 };
}

function isTurn(stage: Stage): boolean {
  return stage === 'assistant_turn' || stage === 'user_turn';
}

type Records = Map<string, StageRecord<Turn>>;

/** Items whose user turn was asked for by another prompt, since the answer before it is another. */
function apartIn(was: Records, is: Records): Set<string> {
  const prompts = (record: StageRecord<Turn> | undefined) => bodyOf(record)?.prompt?.sha256;
  return new Set([...is.keys()].filter((item) => prompts(was.get(item)) !== prompts(is.get(item))));
}

function byItem(records: StageRecord<Turn>[]): Records {
  return new Map(records.map((record) => [record.result.item, record]));
}

function bodyOf(record: StageRecord<Turn> | undefined): Turn | null {
  return record?.result.status === 'ok' ? record.result.body : null;
}
