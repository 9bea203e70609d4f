// Conversations to read: of every cell what failed, and a spread over what its answers and user turns were.
import type { Store } from '../activities/store/store.ts';
import type { AnswerCheck } from '../domain/data/item.ts';
import { outline } from '../domain/plan/outline.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { Outcome, Score, StageRecord, Turn } from '../domain/records/record.ts';
import type { Conversation } from '../domain/summary.ts';
import { spread } from './spread.ts';
import { type CellRecords, cellsOf } from './summarise.ts';
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
  const chosen: Chosen = { shown: [], of: 0 };
  for await (const cell of cellsOf(store, doc, plan)) {
    const all = conversationsIn(cell).map((one) => (withheld.has(one.data) ? withheldConversation(one) : one));
    chosen.of += all.length;
    chosen.shown.push(...choose(all, perCell));
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

/** Every sample that has got as far as an answer, item by item. */
function conversationsIn(cell: CellRecords): Conversation[] {
  const { temperature, data, samples } = cell.group;
  const [assistant, user, judgement, reference, score] = [
    bySample(cell.assistant),
    bySample(cell.user),
    bySample(cell.judgement),
    bySample(cell.reference),
    bySample(cell.score),
  ];
  return cell.items.flatMap((item) =>
    Array.from({ length: samples }, (_, sample) => sample).flatMap((sample) => {
      const at = `${sample} ${item.id}`;
      const [a, u, j, s] = [assistant.get(at), user.get(at), judgement.get(at), score.get(at)];
      if (a === undefined) return [];
      return {
        model: cell.model,
        data,
        temperature,
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
        error: errorOf(a) ?? errorOf(u) ?? errorOf(j) ?? errorOf(reference.get(at)) ?? errorOf(s),
      };
    }),
  );
}

/** The number comes first, so that no item id can look like another's. */
function bySample<Body>(records: StageRecord<Body>[]): Map<string, StageRecord<Body>> {
  return new Map(records.map((record) => [`${record.result.sample} ${record.result.item}`, record]));
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
