// Arguments of an instruction as a test reads them: it knows what they hold, and says so by the word it reads with.

export type Kwargs = Record<string, unknown>;

export function text(kwargs: Kwargs, name: string): string {
  const value = kwargs[name];
  if (typeof value !== 'string') throw new TypeError(`${name} is no text: ${JSON.stringify(kwargs)}`);
  return value;
}

export function count(kwargs: Kwargs, name: string): number {
  const value = kwargs[name];
  if (typeof value !== 'number') throw new TypeError(`${name} is no number: ${JSON.stringify(kwargs)}`);
  return value;
}

export function texts(kwargs: Kwargs, name: string): string[] {
  const value = kwargs[name];
  if (!Array.isArray(value)) throw new TypeError(`${name} is no list: ${JSON.stringify(kwargs)}`);
  return value.map(String);
}

/** `many` where at least `n` are asked for, `few` where less than `n` are; and the other way round. */
export function bySide(relation: string, { many, few }: { many: string; few: string }): Replies {
  return relation === 'at least' ? { follows: many, fails: few } : { follows: few, fails: many };
}

/** A reply that follows the instruction as it stands, and one that does not in any form. */
export type Replies = { follows: string; fails: string };
