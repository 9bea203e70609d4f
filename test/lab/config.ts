// The experiment that a lab runs: generated questions with known answers, and a small sweep over the fake model.
import { stringify } from 'yaml';

export type LabItem = { id: string; question: string; answer: string };

/** Questions that differ in every number, so that no two prompts are alike. */
export function labItems(count: number): LabItem[] {
  return Array.from({ length: count }, (_, n) => {
    const [each, boxes, loose] = [3 + (n % 7), 2 + n, 1 + ((n * 5) % 11)];
    return {
      id: `sum-${String(n).padStart(4, '0')}`,
      question: `Each of ${boxes} boxes holds ${each} pens, and ${loose} pens lie beside them. How many pens are there?`,
      answer: String(each * boxes + loose),
    };
  });
}

/** One JSON line per item; the question is sent as it stands, so that the fake knows it by its text. */
export function labData(items: LabItem[]): string {
  const rows = items.map(({ id, question, answer }) => ({
    id,
    messages: [{ role: 'user', content: question }],
    check: 'number',
    answer,
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Fields of a config, or of its one model: they replace those of the lab's own. */
export type LabConfig = Record<string, unknown> & { model?: Record<string, unknown> };

export const dataFile = 'sums.jsonl';

/** A sweep in YAML. Weights are stated, so every home files the same records under the same keys. */
export function labConfig(at: { url: string; model: string }, { model, ...fields }: LabConfig): string {
  return stringify({
    kind: 'sweep',
    name: 'lab',
    models: [
      { url: at.url, model: at.model, id: 'fake', weights: 'f'.repeat(64), concurrency: 8, timeout_s: 30, ...model },
    ],
    data: [{ set: 'jsonl', id: 'sums', path: dataFile }],
    temperatures: [0.7],
    max_tokens: { assistant: 160, user: 80 },
    ...fields,
  });
}
