// Option values that several commands read the same way.
import { InvalidArgumentError } from 'commander';

/** A whole number from 1. */
export function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return value;
}

/** For options that may be given several times. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
