// Which set a file looks like, for somebody who gave another one.

import { instructionIds } from '../../domain/accuracy/instruction-ids.ts';
import type { InstructionFamily } from '../../domain/accuracy/instructions.ts';
import { parseCsv } from './csv.ts';
import { elementLines } from './elements.ts';
import type { WholeFile } from './lines.ts';

/** Names of the sets that its first row looks like, as somebody would write them in a config; none where it is like no set. */
export function looksLike(data: WholeFile): string[] {
  const row = firstRow(data);
  return shapes.find(({ fits }) => fits(row))?.sets ?? [];
}

/** Whether it is a table of comma-separated values: several columns, and as many in its second row. */
export function isCsv({ lines, bytes }: WholeFile): boolean {
  if (lines.slice(0, 2).some(({ text }) => text === null || /^\s*[{[]/.test(text))) return false;
  const [header, first = header] = parseCsv(new TextDecoder().decode(bytes)).rows;
  return header !== undefined && header.fields.length > 1 && header.fields.length === first?.fields.length;
}

type Fields = Record<string, unknown>;

const shapes: { sets: string[]; fits(row: Fields): boolean }[] = [
  { sets: ['gpqa-main', 'gpqa-diamond'], fits: (row) => 'Question' in row && 'Correct Answer' in row },
  { sets: ['ifeval'], fits: (row) => 'prompt' in row && isOf('ifeval', row['instruction_id_list']) },
  { sets: ['ifbench'], fits: (row) => 'prompt' in row && isOf('ifbench', row['instruction_id_list']) },
  { sets: ['ifeval', 'ifbench'], fits: (row) => 'prompt' in row && 'instruction_id_list' in row },
  { sets: ['healthbench'], fits: (row) => 'prompt' in row && 'prompt_id' in row },
  { sets: ['math'], fits: (row) => 'problem' in row && 'solution' in row },
  { sets: ['gsm8k'], fits: (row) => 'question' in row && String(row['answer']).includes('####') },
  { sets: ['jsonl'], fits: (row) => 'id' in row && 'question' in row },
  { sets: ['coval', 'jsonl'], fits: (row) => 'messages' in row },
];

function isOf(family: InstructionFamily, ids: unknown): boolean {
  const known = instructionIds(family);
  return Array.isArray(ids) && ids.length > 0 && ids.every((id) => known.includes(String(id)));
}

function firstRow(data: WholeFile): Fields {
  const text = elementLines(data)[0]?.text ?? '';
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    const head = text.split('\r')[0] ?? '';
    const names = /^[^,]*;/.test(head) ? head.replaceAll('"', '').split(';') : (parseCsv(head).rows[0]?.fields ?? []);
    return Object.fromEntries(names.map((name) => [name.trim(), null]));
  }
}
