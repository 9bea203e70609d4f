// Lengths of time as they are written in configs and on the command line.
import { ConfigProblem } from '../problems.ts';

export const span = /^([1-9]\d*)(s|m|h|d)$/;

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws ConfigProblem  it is no length of time */
export function milliseconds(text: string): number {
  const [, digits, unit = ''] = span.exec(text) ?? [];
  const each = units[unit];
  if (digits !== undefined && each !== undefined) return Number(digits) * each;
  throw new ConfigProblem(`${JSON.stringify(text)} is no length of time`, {
    advice: 'Write it as 30s, 10m, 6h or 1d.',
  });
}
