// Field types that several parts of a config share.
import { z } from 'zod';

/** An optional field: absent, empty and `null` in the file all mean null. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null);
}

export function text() {
  return z.string().min(1);
}

/** A short name that stands in tables, paths and workflow ids. */
export function shortName() {
  return z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is no short name: up to 64 letters, digits, ".", "_" and "-", no other first than a letter or digit.');
}

export function digest() {
  return z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256: 64 characters of 0-9 and a-f.');
}

type Refusal = { message: string; advice: string };

/** An issue of our own, with its advice; `path` is relative to the value that is checked. */
export function refuse(payload: z.core.ParsePayload, path: PropertyKey[], refusal: Refusal): void {
  const { message, advice } = refusal;
  payload.issues.push({ code: 'custom', input: payload.value, path, message, params: { advice } });
}

/** Refuses the second and later elements with the same key. Looks at what can be read even when other elements are wrong. */
export function unique<T>(keyOf: (element: T) => unknown, refusal: (key: string, first: number) => Refusal) {
  const check = z.check<T[]>((payload) => {
    const seen = new Map<unknown, number>();
    for (const [index, element] of payload.value.entries()) {
      const key = element === null || element === undefined ? undefined : keyOf(element);
      const first = seen.get(key);
      if (key === undefined || first === undefined) seen.set(key, index);
      else refuse(payload, [index], refusal(String(key), first));
    }
  });
  check._zod.def.when = ({ value }) => Array.isArray(value);
  return check;
}
