// A reply that follows an instruction, and one that does not.
import type { InstructionFamily } from '../../domain/accuracy/instructions.ts';
import { ifbenchReplies } from './ifbench.ts';
import { ifevalReplies } from './ifeval.ts';
import type { Kwargs, Replies } from './kwargs.ts';

const byFamily = { ifeval: ifevalReplies, ifbench: ifbenchReplies };

export function repliesFor(family: InstructionFamily, { id, kwargs }: { id: string; kwargs: Kwargs }): Replies {
  const made = byFamily[family][id];
  if (made === undefined) throw new RangeError(`no replies are written for ${id}`);
  return made(kwargs);
}
