// What may name an item.
import { shown } from '../../domain/spec/field.ts';
import type { Sentence } from '../../domain/spec/issues.ts';

/** Up to 200 printable characters on one line, no space at either end. */
export function isId(id: string): boolean {
  return id.length <= 200 && id.trim() === id && !/\p{C}/u.test(id);
}

/** Told ids one after another with their lines, it says of a second one where the first stands. */
export function onceEach(field: string): (id: string, line: number) => Sentence[] {
  const lines = new Map<string, number>();
  return (id, line) => {
    const before = lines.get(id);
    if (before === undefined) lines.set(id, line);
    const message = `${shown(id)} stands already on line ${before}.`;
    return before === undefined ? [] : [{ path: [field], message, advice: 'Every item needs an id of its own.' }];
  };
}
