// Option values that several commands read the same way.
import { InvalidArgumentError } from 'commander';
import { type Budget, units } from '../domain/plan/budget.ts';
import { nearest } from '../domain/spec/nearest.ts';
import { experimentName } from '../domain/spec/sweep.ts';

/** A whole number from 1. */
export function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return value;
}

/** Tags, one each time the option is given; the same again is one. */
export function tags(value: string, before: string[]): string[] {
  const tag = value.trim();
  if (tag === '') throw new InvalidArgumentError('It must not be empty.');
  return [...new Set([...before, tag])];
}

/** A limit of a budget, `tokens=5e6`, one each time the option is given; the last of a unit counts. */
export function limit(value: string, before: Budget): Budget {
  const [, name = '', given = ''] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
  const unit = oneOf('unit', units)(name === '' && given === '' ? value : name);
  const amount = Number(given);
  if (given.trim() === '' || !Number.isFinite(amount) || amount <= 0)
    throw new InvalidArgumentError(
      `Write it with a number above 0, such as ${unit}=${unit === 'tokens' ? '5e6' : '20'}.`,
    );
  return { ...before, [unit]: amount };
}

/** The name of a run, as a config may give it. */
export function runName(text: string): string {
  if (!experimentName.test(text))
    throw new InvalidArgumentError('A name is up to 63 of a-z, 0-9 and "-", with no "-" first.');
  return text;
}

/** A place in a row that is counted from 0. */
export function position(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('It must be a whole number from 0.');
  return value;
}

/** A sampling temperature. */
export function temperature(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 2))
    throw new InvalidArgumentError('It must be a temperature from 0 to 2.');
  return value;
}

/** A share above 0 and below 1. */
export function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < 1))
    throw new InvalidArgumentError('It must be a share above 0 and below 1, such as 0.05.');
  return value;
}

/** Hours from 0, or a part of one. */
export function hours(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number of hours from 0.');
  return value;
}

/** One word of a list. */
export function oneOf<Word extends string>(what: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    const meant = nearest(text, words);
    const all = `Allowed are ${words.join(', ')}.`;
    throw new InvalidArgumentError(
      meant === null ? `There is no such ${what}. ${all}` : `Did you mean ${meant}? ${all}`,
    );
  };
}
