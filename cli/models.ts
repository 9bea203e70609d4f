// Models of a run that an option names.
import { InvalidArgumentError } from 'commander';
import { ConfigProblem } from '../domain/problems.ts';
import { nearest } from '../domain/spec/nearest.ts';
import { concurrency } from '../domain/spec/server.ts';

/** A model's name, one each time the option is given. */
export function modelName(value: string, before: string[]): string[] {
  return [...new Set([...before, value])];
}

/** Numbers by model, `smol=8`, one each time the option is given; the last of a model counts. */
export function perModel(value: string, before: Record<string, number>): Record<string, number> {
  const at = value.lastIndexOf('=');
  const [model, given] = [value.slice(0, at), value.slice(at + 1)];
  if (at < 1) throw new InvalidArgumentError('Write it as a model and a number, such as my-model=8.');
  return { ...before, [model]: atOnce(given) };
}

/** How many requests may be in flight: the limits of a config. */
export function atOnce(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && concurrency.safeParse(value).success) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 4096.');
}

/** @throws ConfigProblem  the run has no such model */
export function checkModels(run: string, { wanted, known }: { wanted: string[]; known: string[] }): void {
  for (const model of wanted) {
    if (known.includes(model)) continue;
    const meant = nearest(model, known);
    throw new ConfigProblem(`${run} has no model ${model}`, {
      advice: `${meant === null ? '' : `Did you mean ${meant}? `}It has ${known.join(', ')}.`,
    });
  }
}
