// Turns that were generated again beside those that a run has: which are the same, and where the others part.
import type { Store } from '../../activities/store/store.ts';
import { busy } from '../../domain/busy.ts';
import { type Divergence, divergenceOf } from '../../domain/divergence.ts';
import type { Stage, StageRecord, Turn } from '../../domain/records/record.ts';
import { type Cluster, clusteredRate } from '../../domain/stats/bootstrap.ts';
import { type Draws, drawing } from '../../domain/stats/draws.ts';
import { type Quartiles, quartiles } from '../../domain/stats/quartiles.ts';
import type { Rate } from '../../domain/stats/rate.ts';
import { openPinned } from '../pinned.ts';
import { type Change, type Of, placesOf } from './changes.ts';

/**
 * `compared`: turns that are there in both and were asked for by the same prompt; `failed`: errors on either side; `apart`: turns after
 * another prompt, user turns most often, since the answers before them are not the same.
 */
export type Agreement = {
  compared: number;
  same: number;
  failed: number;
  apart: number;
  /** Exactly the same turns among those compared; an item counts as one observation, however often it was asked. */
  rate: Rate;
  /** Tokens of the earlier turns, and how many stand before the first that differs. Only where servers return them. */
  tokens: { compared: number; same: number };
  /** Tokens before the first that differs, of turns that part. */
  parted: Quartiles | null;
};

export type Diverged = Omit<Change, 'before' | 'after'> & Divergence;

/** Requests that were in flight on average, by the times of the records: of one model in the two runs. Null where not all is known. */
export type InFlight = { model: string; before: number | null; after: number | null };

export type Regenerated = { answers: Agreement; user_turns: Agreement; diverged: Diverged[]; in_flight: InFlight[] };

/** A block at a time in memory. Answers that came with the data are nobody's to compare. */
export async function agreementOf(store: Store, before: Of, after: Of): Promise<Regenerated> {
  const [old, now] = [await openPinned(store, before.doc.run), await openPinned(store, after.doc.run)];
  const counts = { answers: counting(), user_turns: counting() };
  const diverged: Diverged[] = [];
  const flights = flightsOf(after.plan.models.map(({ id }) => id));
  for (const { cell, stage, groups, ...tree } of placesOf(before, after)) {
    if (!isTurn(stage)) continue;
    const was = byItem(await old.records<Turn>({ group: groups.before, stage, ...tree }));
    const is = byItem(await now.records<Turn>({ group: groups.after, stage, ...tree }));
    flights.add(cell.model, { was, is }, groups.before.items === groups.after.items ? 'whole' : 'part');
    const count = stage === 'assistant_turn' ? counts.answers : counts.user_turns;
    const apart = apartIn(was, is);
    for (const [item, record] of is) {
      const [one, other] = [bodyOf(was.get(item)), bodyOf(record)];
      if (one === null || other === null) count.failed += 1;
      else if (apart.has(item)) count.apart += 1;
      else {
        const divergence = divergenceOf(one, other);
        count.add(JSON.stringify([cell.data, item]), { divergence, tokens: one.ids?.length ?? null });
        if (divergence !== null) diverged.push({ ...cell, item, sample: tree.sample, stage, ...divergence });
      }
    }
  }
  const drawn = drawing(before.plan.seed);
  return {
    answers: counts.answers.end(drawn),
    user_turns: counts.user_turns.end(drawn),
    diverged,
    in_flight: flights.end(),
  };
}

type Compared = { divergence: Divergence | null; tokens: number | null };

function counting() {
  const items = new Map<string, Cluster>();
  const tokens = { compared: 0, same: 0 };
  const parted: number[] = [];
  const counts = {
    failed: 0,
    apart: 0,
    add(item: string, { divergence, tokens: length }: Compared) {
      const { successes, n } = items.get(item) ?? { successes: 0, n: 0 };
      items.set(item, { successes: successes + (divergence === null ? 1 : 0), n: n + 1 });
      if (divergence?.unit === 'token') parted.push(divergence.at);
      if (length === null) return;
      tokens.compared += length;
      tokens.same += divergence?.unit === 'token' ? Math.min(divergence.at, length) : length;
    },
    end(drawn: Draws): Agreement {
      const rate = clusteredRate([...items.values()], { drawn });
      const same = [...items.values()].reduce((sum, { successes }) => sum + successes, 0);
      const { failed, apart } = counts;
      return { compared: rate.n, same, failed, apart, rate, tokens, parted: quartiles(parted) };
    },
  };
  return counts;
}

/** Of runs that took the same items: where one took fewer, not all that was in flight with them is looked at. */
function flightsOf(models: string[]) {
  const sides = new Map(models.map((model) => [model, { before: busy(), after: busy(), part: false }]));
  return {
    add(model: string, { was, is }: { was: Records; is: Records }, items: 'whole' | 'part') {
      const side = sides.get(model);
      if (side === undefined) return;
      for (const { meta } of was.values()) side.before.add({ begun: Date.parse(meta.at), ms: meta.ms });
      for (const { meta } of is.values()) side.after.add({ begun: Date.parse(meta.at), ms: meta.ms });
      side.part ||= items === 'part';
    },
    end: (): InFlight[] =>
      [...sides].map(([model, { before, after, part }]) => ({
        model,
        before: part ? null : before.mean(),
        after: after.mean(),
      })),
  };
}

function isTurn(stage: Stage): boolean {
  return stage === 'assistant_turn' || stage === 'user_turn';
}

type Records = Map<string, StageRecord<Turn>>;

/** Items whose turn was asked for by another prompt. */
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
