// Which samples of a cell there are to show, and of what kind each is.
import type { CellFacts } from '../domain/facts.ts';
import type { CellAt } from './facts.ts';

/** `item`: its position in the cell's list. `kind`: of a failed one the stage that failed first, of others answer and label. */
export type Place = { item: number; sample: number; failed: boolean; kind: string };

/** Every sample that has got as far as an answer, item by item. */
export function candidatesOf({ items, group, facts }: CellAt): Place[] {
  const places: Place[] = [];
  for (const item of items.ids.keys()) {
    for (let sample = 0; sample < group.samples; sample += 1) {
      if (facts.assistant.at(item, sample).status === 'missing') continue;
      const failed = failedStage(facts, item, sample);
      places.push({ item, sample, failed: failed !== null, kind: failed ?? kindOf(facts, item, sample) });
    }
  }
  return places;
}

function failedStage(facts: CellFacts, item: number, sample: number): string | null {
  for (const stage of ['assistant', 'user', 'judgement', 'reference', 'score'] as const)
    if (facts[stage]?.at(item, sample).status === 'error') return stage;
  return null;
}

function kindOf({ score, judgement }: CellFacts, item: number, sample: number): string {
  const [scored, judged] = [score?.at(item, sample), judgement.at(item, sample)];
  return `${scored?.status === 'ok' ? scored.body.outcome : null} ${judged.status === 'ok' ? judged.body.label : null}`;
}
