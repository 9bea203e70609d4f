// The samples that flipped, with what was said on both sides. Texts are untrusted and unescaped here; those of private data
// are withheld.
import type { Store } from '../activities/store/store.ts';
import type { Fate, Flip, Measure } from '../domain/pairing.ts';
import type { Group } from '../domain/plan/graph.ts';
import type { Judgement, Score, Stage, StageRecord, Turn } from '../domain/records/record.ts';
import type { CellFlips } from './compare.ts';
import type { CellName, Sides } from './compare-cells.ts';
import { openPinned, type Pinned } from './pinned.ts';
import { privateData, withheldRecord } from './withheld.ts';

/**
 * One side. `text` is the answer where accuracy is compared, else the user turn; of private data it is null, and `sha256` is there.
 * `why`: the label of a user turn, what was read of an answer; null where there is nothing.
 */
export type ToldSide = { fate: Fate; text: string | null; why: string | null; sha256?: string };

export type ToldFlip = CellName & { measure: Measure; item: string; sample: number; before: ToldSide; after: ToldSide };

/** Cell by cell, in the order of the data. */
export async function* toldFlips(store: Store, sides: Sides, cells: CellFlips[]): AsyncGenerator<ToldFlip> {
  const withheld = new Set([...privateData(sides.before.plan), ...privateData(sides.after.plan)]);
  const pinned = {
    before: await openPinned(store, sides.before.doc.run),
    after: await openPinned(store, sides.after.doc.run),
  };
  for (const { model, data, temperature, measure, groups, flips } of cells) {
    const told = withheld.has(data) ? withheldRecord : (record: StageRecord) => record;
    const before = reader({ pinned: pinned.before, group: groups.before, measure, told });
    const after = reader({ pinned: pinned.after, group: groups.after, measure, told });
    for (const flip of flips) {
      const { item, sample, at } = flip;
      yield {
        model,
        data,
        temperature,
        measure,
        item,
        sample,
        before: await before(flip, { position: at.before, fate: flip.before }),
        after: await after(flip, { position: at.after, fate: flip.after }),
      };
    }
  }
}

type Reading = { pinned: Pinned; group: Group; measure: Measure; told(record: StageRecord): StageRecord };

/** Flips of one block come one after the other: its parts are kept until the next one's are asked for. */
function reader({ pinned, group, measure, told }: Reading) {
  const [turn, verdict]: [Stage, Stage] =
    measure === 'accuracy' ? ['assistant_turn', 'score'] : ['user_turn', 'judgement'];
  const kept = { block: -1, samples: new Map<number, Map<string, StageRecord>>() };
  const recordsAt = async (block: number, sample: number) => {
    if (kept.block !== block) kept.samples.clear();
    kept.block = block;
    const known = kept.samples.get(sample);
    if (known !== undefined) return known;
    const records = new Map<string, StageRecord>();
    for (const stage of [turn, verdict])
      for (const record of await pinned.records({ group, stage, block, sample }))
        records.set(`${stage} ${record.result.item}`, told(record));
    kept.samples.set(sample, records);
    return records;
  };
  return async ({ item, sample }: Flip, { position, fate }: { position: number; fate: Fate }): Promise<ToldSide> => {
    const records = await recordsAt(Math.floor(position / group.size), sample);
    const said = bodyOf<Partial<Turn> & { sha256?: string }>(records.get(`${turn} ${item}`));
    const why = bodyOf<Partial<Judgement & Score>>(records.get(`${verdict} ${item}`));
    return {
      fate,
      text: said?.text ?? null,
      why: (measure === 'accuracy' ? why?.extracted : why?.label) ?? null,
      ...(said?.sha256 !== undefined && { sha256: said.sha256 }),
    };
  };
}

function bodyOf<Body>(record: StageRecord | undefined): Body | null {
  return record?.result.status === 'ok' ? (record.result.body as Body) : null;
}
