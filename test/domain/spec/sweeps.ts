// A sweep's config read, for tests that look into what was read.
import type { ConfigProblem } from '../../../domain/problems.ts';
import { readSpec } from '../../../domain/spec/read.ts';
import type { SweepSpec } from '../../../domain/spec/sweep.ts';

export function readSweep(text: string, at: { file: string }): { spec: SweepSpec } | { problems: ConfigProblem[] } {
  const read = readSpec(text, at);
  if ('problems' in read) return read;
  const { spec } = read;
  if (spec.kind !== 'sweep') throw new Error(`${at.file} is a ${spec.kind}`);
  return { spec };
}
