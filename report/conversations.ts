// Conversations to read: of every cell what failed, and a spread over what its answers and user turns were.
import type { Store } from '../activities/store/store.ts';
import type { AnswerCheck, Item } from '../domain/data/item.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Judgement, Outcome, Score, Stage, StageRecord, Turn } from '../domain/records/record.ts';
import type { Conversation } from '../domain/summary.ts';
import { candidatesOf, type Place } from './candidates.ts';
import { type CellAt, factsOf } from './facts.ts';
import { itemSetOf, openPinned, type Pinned } from './pinned.ts';
import { spread } from './spread.ts';
import { privateData, withheldConversation } from './withheld.ts';

/** `of`: how many there are. */
export type Chosen = { shown: Conversation[]; of: number };

/** What a page can hold and a person go through. */
const perPage = 1_000;
const mostPerCell = 50;
const fewestPerCell = 3;
/** Failures are short, and each may be another one. */
const failuresFor = (perCell: number) => 4 * perCell;

/** The same run gives the same choice. `perCell`: left out, as many as leave the page readable, at most 50. */
export async function conversations(
  store: Store,
  doc: RunDoc,
  plan: Plan,
  opts: { perCell?: number } = {},
): Promise<Chosen> {
  const cells = outline(plan, doc.occasion).reduce((sum, { groups }) => sum + groups.length, 0);
  const perCell = opts.perCell ?? Math.max(fewestPerCell, Math.min(mostPerCell, Math.floor(perPage / cells)));
  const withheld = privateData(plan);
  const pinned = await openPinned(store, doc.run);
  const chosen: Chosen = { shown: [], of: 0 };
  for await (const cell of factsOf(store, doc, plan)) {
    const all = candidatesOf(cell);
    chosen.of += all.length;
    for (const one of await conversationsAt({ store, plan, pinned }, cell, choose(all, perCell)))
      chosen.shown.push(withheld.has(one.data) ? withheldConversation(one) : one);
  }
  return chosen;
}

function choose(all: Place[], perCell: number): Place[] {
  const kindOf = ({ kind }: Place) => kind;
  const failed = spread(all.filter(isFailed), failuresFor(perCell), kindOf);
  const others = all.filter((one) => !isFailed(one));
  const chosen = new Set([...failed, ...spread(others, perCell, kindOf)]);
  return all.filter((one) => chosen.has(one));
}

function isFailed({ failed }: Place): boolean {
  return failed;
}

type Sources = { store: Store; plan: Plan; pinned: Pinned };

/** What was said at these places, in their order. */
async function conversationsAt(
  { store, plan, pinned }: Sources,
  cell: CellAt,
  places: Place[],
): Promise<Conversation[]> {
  if (places.length === 0) return [];
  const items = await itemSetOf(store, plan, cell.group);
  const found = new Map<string, StageRecord>();
  for (const together of Map.groupBy(
    places,
    ({ item, sample }) => `${Math.floor(item / cell.group.size)} ${sample}`,
  ).values()) {
    const [first] = together;
    if (first === undefined) continue;
    const ids = new Set(together.map(({ item }) => cell.items.ids[item] ?? ''));
    const at = { group: cell.group, block: Math.floor(first.item / cell.group.size), sample: first.sample };
    for (const { stage } of cell.group.stages)
      for (const record of await pinned.some({ ...at, stage }, ids)) found.set(nameOf(record.result), record);
  }
  return places.flatMap(({ item, sample }) =>
    items.slice(item, item + 1).map((one) => conversationOf(cell, { item: one, sample, found })),
  );
}

type At = { item: Item; sample: number; found: Map<string, StageRecord> };

function conversationOf({ model, group }: CellAt, { item, sample, found }: At): Conversation {
  const at = <Body>(stage: Stage) =>
    found.get(nameOf({ stage, item: item.id, sample })) as StageRecord<Body> | undefined;
  const [a, u] = [at<Turn>('assistant_turn'), at<Turn>('user_turn')];
  const [j, r, s] = [at<Judgement>('judgement'), at<Judgement>('reference_judgement'), at<Score>('score')];
  return {
    model,
    data: group.data,
    temperature: group.temperature,
    item: item.id,
    sample,
    messages: item.messages,
    assistant: body(a)?.text ?? null,
    user: body(u)?.text ?? null,
    finish: { assistant: body(a)?.finish ?? null, user: body(u)?.finish ?? null },
    outcome: outcomeOf(a, s),
    extracted: body(s)?.extracted ?? null,
    expected: body(s)?.expected ?? expectedOf(item.answer),
    reason: body(s)?.reason ?? null,
    label: body(j)?.label ?? null,
    genuine: body(j)?.genuine ?? null,
    by: body(j)?.by ?? null,
    error: errorOf(a) ?? errorOf(u) ?? errorOf(j) ?? errorOf(r) ?? errorOf(s),
  };
}

/** The number comes first, so that no item id can look like another's. */
function nameOf({ stage, item, sample }: { stage: Stage; item: string; sample: number }): string {
  return `${stage} ${sample} ${item}`;
}

function body<Body>(record: StageRecord<Body> | undefined): Body | null {
  return record?.result.status === 'ok' ? record.result.body : null;
}

/** An answer that is not there, or could not be checked, is an error; null where there is nothing to check, or not yet. */
function outcomeOf(answer: StageRecord<Turn> | undefined, score: StageRecord<Score> | undefined): Outcome | null {
  if (answer?.result.status === 'error' || score?.result.status === 'error') return 'error';
  return body(score)?.outcome ?? null;
}

function errorOf(record: StageRecord | undefined): string | null {
  return record?.result.status === 'error' ? `${record.result.stage}: ${record.result.error.message}` : null;
}

function expectedOf(answer: AnswerCheck | null): string | null {
  return answer !== null && 'expected' in answer ? answer.expected : null;
}
