// Conversations to read: a bounded number per cell, in data order.
import { cellsOf } from './summarise.ts';
import type { Store } from '../activities/store/store.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import type { StageRecord } from '../domain/records/record.ts';
import type { AnswerCheck } from '../domain/data/item.ts';
import type { Conversation } from '../domain/summary.ts';

const perCell = 50;

/** The first conversations of every cell, failed ones included. */
export async function conversations(store: Store, doc: RunDoc, plan: Plan, opts: { perCell: number } = { perCell }): Promise<Conversation[]> {
  const read: Conversation[] = [];
  for await (const cell of cellsOf(store, doc, plan)) {
    const [assistant, user, judgement, score] = [bySample(cell.assistant), bySample(cell.user), bySample(cell.judgement), bySample(cell.score)];
    for (const item of cell.items.slice(0, opts.perCell)) {
      for (let sample = 0; sample < cell.group.samples; sample += 1) {
        const at = `${item.id}\n${sample}`;
        const [a, u, j, s] = [assistant.get(at), user.get(at), judgement.get(at), score.get(at)];
        if (a === undefined) continue;
        read.push({
          model: cell.model,
          data: cell.group.data,
          temperature: cell.group.temperature,
          item: item.id,
          sample,
          messages: item.messages,
          assistant: body(a)?.text ?? null,
          user: body(u)?.text ?? null,
          outcome: body(s)?.outcome ?? null,
          extracted: body(s)?.extracted ?? null,
          expected: body(s)?.expected ?? expectedOf(item.answer),
          label: body(j)?.label ?? null,
          genuine: body(j)?.genuine ?? null,
          by: body(j)?.by ?? null,
          error: errorOf(a) ?? errorOf(u) ?? errorOf(j) ?? errorOf(s),
        });
      }
    }
  }
  return read;
}

function bySample<Body>(records: StageRecord<Body>[]): Map<string, StageRecord<Body>> {
  return new Map(records.map((record) => [`${record.result.item}\n${record.result.sample}`, record]));
}

function body<Body>(record: StageRecord<Body> | undefined): Body | null {
  return record?.result.status === 'ok' ? record.result.body : null;
}

function errorOf(record: StageRecord | undefined): string | null {
  return record?.result.status === 'error' ? `${record.result.stage}: ${record.result.error.message}` : null;
}

function expectedOf(answer: AnswerCheck | null): string | null {
  return answer !== null && 'expected' in answer ? answer.expected : null;
}
