// Which set a file looks like, for somebody who gave another one.
import { parseCsv } from './csv.ts';
import { elementLines } from './elements.ts';
import type { WholeFile } from './lines.ts';

/** Names of the sets that its first row looks like, as somebody would write them in a config; none where it is like no set. */
export function looksLike(data: WholeFile): string[] {
  const row = firstRow(data);
  return shapes.find(({ fits }) => fits(row))?.sets ?? [];
}

type Fields = Record<string, unknown>;

const shapes: { sets: string[]; fits(row: Fields): boolean }[] = [
  { sets: ['gpqa-main', 'gpqa-diamond'], fits: (row) => 'Question' in row && 'Correct Answer' in row },
  { sets: ['ifeval', 'ifbench'], fits: (row) => 'prompt' in row && 'instruction_id_list' in row },
  { sets: ['healthbench'], fits: (row) => 'prompt' in row && 'prompt_id' in row },
  { sets: ['math'], fits: (row) => 'problem' in row && 'solution' in row },
  { sets: ['gsm8k'], fits: (row) => 'question' in row && String(row['answer']).includes('####') },
  { sets: ['jsonl'], fits: (row) => 'id' in row && 'question' in row },
  { sets: ['coval', 'jsonl'], fits: (row) => 'messages' in row },
];

function firstRow(data: WholeFile): Fields {
  const text = elementLines(data)[0]?.text ?? '';
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    const names = parseCsv(text).rows[0]?.fields ?? [];
    return Object.fromEntries(names.map((name) => [name.trim(), null]));
  }
}
