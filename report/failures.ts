// What failed and why, out of the pins and of those few parts that hold errors.
import pLimit from 'p-limit';
import { pinKey, readEnding, readPins } from '../activities/run/documents.ts';
import { readPart } from '../activities/store/shard.ts';
import type { Store } from '../activities/store/store.ts';
import { type Group, type Pin, treeAt, treeCount, woven } from '../domain/plan/graph.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Stage } from '../domain/records/record.ts';
import { bitsAt, streamKey } from '../domain/stats/random.ts';
import { privateData } from './withheld.ts';

/** One kind of error of one model at one stage, with the first one of its kind. Messages are untrusted; `null`: withheld. */
export type FailureKind = {
  model: string;
  stage: Stage;
  kind: string;
  count: number;
  example: { data: string; temperature: number; item: string; sample: number; message: string | null };
};

/** Trees of a cell that wait for `resume`, with what the last attempt met; `null`: withheld. */
export type ParkedTrees = { model: string; data: string; temperature: number; trees: number; reason: string | null };

export type Failures = {
  kinds: FailureKind[];
  /** Error records there are, and those that were looked at. */
  records: number;
  seen: number;
  parked: ParkedTrees[];
  /** Why the run stopped, where it did. */
  problems: string[];
};

export const nothingFailed: Failures = { kinds: [], records: 0, seen: 0, parked: [], problems: [] };

/** Parts with errors are few; where they are not, as many as tell the kinds. */
const mostParts = 200;

type Place = { model: string; group: Group; stage: Stage; pin: Pin };

/** The same run gives the same kinds and examples. `most`: parts that are read. */
export async function failuresOf(
  store: Store,
  doc: RunDoc,
  plan: Plan,
  { most = mostParts }: { most?: number } = {},
): Promise<Failures> {
  const { pins, progress } = await readPins(store, doc.run);
  const campaigns = outline(plan, doc);
  const places = placesWithErrors(campaigns, pins);
  const chosen = seeded(places, plan.seed).slice(0, most);
  const withheld = privateData(plan);
  const limit = pLimit(8);
  const kinds = new Map<string, FailureKind>();
  const read = places
    .filter((place) => chosen.includes(place))
    .map((place) => limit(async () => ({ place, records: await readPart(store, place.pin, place.pin.part) })));
  let seen = 0;
  for (const { place, records } of await Promise.all(read)) {
    const { model, group, stage } = place;
    for (const { result } of records) {
      if (result.status !== 'error') continue;
      seen += 1;
      const name = JSON.stringify([model, stage, result.error.kind]);
      const known = kinds.get(name);
      if (known !== undefined) known.count += 1;
      else {
        const { data, temperature } = group;
        const message = withheld.has(data) ? null : result.error.message;
        const example = { data, temperature, item: result.item, sample: result.sample, message };
        kinds.set(name, { model, stage, kind: result.error.kind, count: 1, example });
      }
    }
  }
  const ending = await readEnding(store, doc.run);
  return {
    kinds: [...kinds.values()],
    records: places.reduce((sum, { pin }) => sum + pin.errors, 0),
    seen,
    parked: [...progress.values()].flatMap(({ model, parked }) => {
      const groups = campaigns.find((one) => one.model === model)?.groups ?? [];
      return parkedOf(model, woven(groups), { parked, withheld });
    }),
    problems: ending?.end.problems ?? [],
  };
}

/** In the plan's order. A stage that cells share, such as judgements of what people said, stands under the first of them. */
function placesWithErrors(campaigns: ReturnType<typeof outline>, pins: Map<string, Pin>): Place[] {
  const seen = new Set<string>();
  return campaigns.flatMap(({ model, groups }) =>
    groups.flatMap((group) =>
      group.stages.flatMap(({ stage, key }) => {
        const trees = Array.from({ length: treeCount([group]) }, (_, position) => treeAt([group], position));
        return trees.flatMap((tree): Place[] => {
          if (tree === null) return [];
          const name = pinKey({ key, block: tree.block, sample: tree.sample });
          const pin = pins.get(name);
          if (pin === undefined || pin.errors === 0 || seen.has(name)) return [];
          seen.add(name);
          return [{ model, group, stage, pin }];
        });
      }),
    ),
  );
}

function seeded<T>(all: T[], seed: number): T[] {
  const key = streamKey(seed, 0);
  const drawn = all.map((one, at) => ({ one, at, rank: bitsAt(key, at) }));
  return drawn.sort((a, b) => a.rank - b.rank || a.at - b.at).map(({ one }) => one);
}

type Waiting = { parked: { tree: { group: number }; reason: string }[]; withheld: ReadonlySet<string> };

function parkedOf(model: string, groups: Group[], { parked, withheld }: Waiting): ParkedTrees[] {
  const byCell = [...Map.groupBy(parked, ({ tree }) => tree.group)].sort(([a], [b]) => a - b);
  return byCell.flatMap(([at, trees]) => {
    const group = groups[at];
    const last = trees.at(-1);
    if (group === undefined || last === undefined) return [];
    const { data, temperature } = group;
    return [{ model, data, temperature, trees: trees.length, reason: withheld.has(data) ? null : last.reason }];
  });
}
