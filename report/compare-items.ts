// Which items of a data set two runs have in common. An item is the same where all that it says is.
import { itemSet } from '../activities/data/items.ts';
import { getBlob } from '../activities/store/blobs.ts';
import type { Store } from '../activities/store/store.ts';
import type { SameItem } from '../domain/pairing.ts';
import { itemsTaken } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import { ConfigProblem } from '../domain/problems.ts';
import { canonicalJson, sha256 } from '../domain/records/canonical.ts';

/** Ids, in the order of the data. `changed`: the same id says something else. */
export type ComparedItems = {
  data: string;
  same: SameItem[];
  changed: string[];
  only_before: string[];
  only_after: string[];
};

export type Plans = { before: Plan; after: Plan };

/** Of a data set that both plans have. */
export async function compareItems(store: Store, data: string, plans: Plans): Promise<ComparedItems> {
  const before = await digests(store, data, plans.before);
  const after = await digests(store, data, plans.after);
  const places = new Map([...after.keys()].map((item, at) => [item, at]));
  const found: ComparedItems = { data, same: [], changed: [], only_before: [], only_after: [] };
  for (const [at, [item, digest]] of [...before].entries()) {
    const place = places.get(item);
    if (place === undefined) found.only_before.push(item);
    else if (after.get(item) !== digest) found.changed.push(item);
    else found.same.push({ item, before: at, after: place });
  }
  for (const item of after.keys()) if (!before.has(item)) found.only_after.push(item);
  return found;
}

const itemsAtOnce = 1_000;

/** Of every item asked, by id. */
async function digests(store: Store, data: string, plan: Plan): Promise<Map<string, string>> {
  const planned = plan.data.find(({ id }) => id === data);
  const items = itemSet(await getBlob(store, planned?.items ?? ''));
  const count = itemsTaken(plan, items.count);
  const found = new Map<string, string>();
  for (let at = 0; at < count; at += itemsAtOnce)
    for (const item of items.slice(at, Math.min(count, at + itemsAtOnce)))
      found.set(item.id, sha256(canonicalJson(item)));
  return found;
}

/** @throws ConfigProblem naming items that are not the same in both */
export function checkItems(all: ComparedItems[], runs: { before: string; after: string }): void {
  const faults = all.flatMap(({ data, changed, only_before, only_after }) => [
    ...said(data, changed, 'changed'),
    ...said(data, only_before, `only in ${runs.before}`),
    ...said(data, only_after, `only in ${runs.after}`),
  ]);
  if (faults.length === 0) return;
  throw new ConfigProblem(`the items of ${runs.before} and ${runs.after} are not the same`, {
    advice: `${faults.join('\n  ')}\n  To compare those that are: --common`,
  });
}

const shown = 5;

function said(data: string, items: string[], what: string): string[] {
  if (items.length === 0) return [];
  const more = items.length > shown ? `, … (${items.length})` : '';
  return [`${data}, ${what}: ${items.slice(0, shown).join(', ')}${more}`];
}
