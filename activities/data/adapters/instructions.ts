// IFEval and IFBench as their authors publish them: a prompt, the ids of its instructions, and their arguments.
import { z } from 'zod';
import { instructionIds } from '../../../domain/accuracy/instruction-ids.ts';
import type { InstructionFamily } from '../../../domain/accuracy/instructions.ts';
import type { Item } from '../../../domain/data/item.ts';
import type { ConfigProblem } from '../../../domain/problems.ts';
import { shown as shownValue } from '../../../domain/spec/field.ts';
import type { Sentence } from '../../../domain/spec/issues.ts';
import { nearest } from '../../../domain/spec/nearest.ts';
import { onceEach } from '../ids.ts';
import type { DataFile } from '../lines.ts';
import { fromRows, type Made, type Row, wholeText } from '../rows.ts';

const row = z.object({
  // A number in IFEval, a text in IFBench.
  key: z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : value),
    z.string().regex(/^[\w.-]{1,60}$/, 'is no key: up to 60 letters and digits.'),
  ),
  prompt: wholeText().min(1),
  instruction_id_list: z.array(z.string()).min(1),
  kwargs: z.array(z.record(z.string(), z.json()).nullable()),
});
type InstructionRow = z.infer<typeof row>;

/** Prompts are sent as they stand. Ids come from the keys: `ifeval-1000`. */
export function instructionSet(family: InstructionFamily) {
  const known = instructionIds(family);
  return (data: DataFile, shown: string): { items: Item[]; problems: ConfigProblem[] } => {
    const seen = onceEach('key');
    return fromRows(data.lines, row, {
      shown,
      make: (one) => {
        const faults = [...faultsOf(one, known), ...seen(one.value.key, one.line)];
        return faults.length > 0 ? { faults } : itemFrom(one, family);
      },
    });
  };
}

function itemFrom({ value }: Row<InstructionRow>, family: InstructionFamily): Made<Item> {
  const instructions = value.instruction_id_list.map((id, place) => ({ id, kwargs: given(value.kwargs[place] ?? {}) }));
  return {
    item: {
      id: `${family}-${value.key}`,
      messages: [{ role: 'user', content: value.prompt }],
      answer: { check: 'instructions', family, instructions },
      assistant: null,
      reference_user_turn: null,
    },
  };
}

/** Files list every argument that any instruction has, null where this one has no use for it. */
function given(kwargs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(kwargs).filter(([, value]) => value !== null));
}

function faultsOf({ value }: Row<InstructionRow>, known: string[]): Sentence[] {
  const { instruction_id_list: ids, kwargs } = value;
  const faults = ids.flatMap((id, place): Sentence[] => {
    if (known.includes(id)) return [];
    const meant = nearest(id, known);
    const advice = meant === null ? 'Is this the right file?' : `Did you mean ${meant}?`;
    const message = `${shownValue(id)} is no instruction that has a checker.`;
    return [{ path: ['instruction_id_list', place], message, advice }];
  });
  if (kwargs.length === ids.length) return faults;
  const message = `holds ${kwargs.length} objects for ${ids.length} instructions.`;
  return [...faults, { path: ['kwargs'], message, advice: 'Give one object per instruction, `{}` for none.' }];
}
