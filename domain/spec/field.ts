// How fields and values are shown in sentences. Both come from a file that may hold anything.
import { secretsIn } from './secrets.ts';

export type Path = readonly PropertyKey[];

/** `models[0].url`; names that are no plain words are quoted. '' for the whole file. */
export function fieldName(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    const word = String(part);
    if (secretsIn(word).length > 0 || !/^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(word)) return `${name}[${shown(word)}]`;
    return name === '' ? word : `${name}.${word}`;
  }, '');
}

/** A value in one short line. Control characters are escaped, keys and passwords left out. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  if (secretsIn(text).length > 0) return '"…"';
  // JSON leaves these as they are: C1 controls, bidirectional marks, line separators.
  const plain = text.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return plain.length <= 60 ? plain : `${plain.slice(0, 56)}…"`;
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    return (value as Record<PropertyKey, unknown>)[part];
  }, root);
}
