// Conversations to read: of every cell what failed, and a spread over what its answers and user turns were.
import type { Store } from '../activities/store/store.ts';
import type { AnswerCheck, Item } from '../domain/data/item.ts';
import { blockRange } from '../domain/plan/blocks.ts';
import { type Group, isBase } from '../domain/plan/graph.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Judgement, Outcome, Score, Stage, StageRecord, Turn } from '../domain/records/record.ts';
import type { Conversation } from '../domain/summary.ts';
import { type Block, drawBlocks } from './drawn.ts';
import { itemSetOf, openPinned, type Pinned } from './pinned.ts';
import { spread } from './spread.ts';
import { privateData, withheldConversation } from './withheld.ts';

/** `among`: those that were looked at. `of`: how many there are. */
export type Chosen = { shown: Conversation[]; among: number; of: number };

/** What a page can hold and a person go through. */
const perPage = 500;
const mostPerCell = 50;
/** Failures are short, and each may be another one. */
const failuresFor = (perCell: number) => 4 * perCell;
/** Records that are read for a page, of all stages together: a second or two. */
const mostRecords = 20_000;

/** `perCell`: left out, as many as leave the page readable, at most 50. `records`: left out, as many as are read in seconds. */
export type Choice = { perCell?: number; records?: number };

/** The same run gives the same choice. */
export async function conversations(store: Store, doc: RunDoc, plan: Plan, opts: Choice = {}): Promise<Chosen> {
  const cells = outline(plan, doc).flatMap(({ model, groups }) =>
    groups.filter(isBase).map((group) => ({ model, group })),
  );
  const perCell = opts.perCell ?? Math.max(1, Math.min(mostPerCell, Math.floor(perPage / cells.length)));
  const withheld = privateData(plan);
  const pinned = await openPinned(store, doc.run);
  const items = new Map<string, ReturnType<typeof itemSetOf>>();
  const chosen: Chosen = { shown: [], among: 0, of: 0 };
  for (const { at, blocks, of } of drawBlocks(cells, { pinned, seed: plan.seed, most: opts.records ?? mostRecords })) {
    const { model, group } = at;
    const known = items.get(group.data) ?? itemSetOf(store, plan, group);
    items.set(group.data, known);
    const all = await conversationsIn({ model, group, blocks, items: await known, pinned });
    chosen.of += of;
    chosen.among += all.length;
    for (const one of choose(all, perCell)) chosen.shown.push(withheld.has(one.data) ? withheldConversation(one) : one);
  }
  return chosen;
}

function choose(all: Conversation[], perCell: number): Conversation[] {
  const failed = spread(all.filter(isFailed), failuresFor(perCell), ({ error }) => error?.split(':')[0] ?? '');
  const others = all.filter((one) => !isFailed(one));
  const rest = spread(others, perCell, ({ outcome, label }) => `${outcome} ${label}`);
  const chosen = new Set([...failed, ...rest]);
  return all.filter((one) => chosen.has(one));
}

function isFailed({ error }: Conversation): boolean {
  return error !== null;
}

type Cell = {
  model: string;
  group: Group;
  blocks: Block[];
  items: Awaited<ReturnType<typeof itemSetOf>>;
  pinned: Pinned;
};

/** Every sample of these blocks that has got as far as an answer, item by item. */
async function conversationsIn({ model, group, blocks, items, pinned }: Cell): Promise<Conversation[]> {
  const told: { position: number; one: Conversation }[] = [];
  for (const { block, sample } of blocks) {
    const found = new Map<string, StageRecord>();
    for (const { stage } of group.stages)
      for (const record of await pinned.records({ group, stage, block, sample }))
        found.set(nameOf(record.result), record);
    const { start, end } = blockRange(block, group.size, group.items);
    for (const [index, item] of items.slice(start, end).entries()) {
      const one = conversationOf({ model, group }, { item, sample, found });
      if (one !== null) told.push({ position: start + index, one });
    }
  }
  return told.sort((a, b) => a.position - b.position || a.one.sample - b.one.sample).map(({ one }) => one);
}

type At = { item: Item; sample: number; found: Map<string, StageRecord> };

/** Null where there is no answer yet. */
function conversationOf(
  { model, group }: Pick<Cell, 'model' | 'group'>,
  { item, sample, found }: At,
): Conversation | null {
  const at = <Body>(stage: Stage) =>
    found.get(nameOf({ stage, item: item.id, sample })) as StageRecord<Body> | undefined;
  const [a, u] = [at<Turn>('assistant_turn'), at<Turn>('user_turn')];
  if (a === undefined) return null;
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
function outcomeOf(answer: StageRecord<Turn>, score: StageRecord<Score> | undefined): Outcome | null {
  if (answer.result.status === 'error' || score?.result.status === 'error') return 'error';
  return body(score)?.outcome ?? null;
}

function errorOf(record: StageRecord | undefined): string | null {
  return record?.result.status === 'error' ? `${record.result.stage}: ${record.result.error.message}` : null;
}

function expectedOf(answer: AnswerCheck | null): string | null {
  return answer !== null && 'expected' in answer ? answer.expected : null;
}
