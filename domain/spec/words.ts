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
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'is no short name: up to 64 letters, digits, ".", "_" and "-", no other first than a letter or digit.',
    );
}

export function digest() {
  return z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256: 64 characters of 0-9 and a-f.');
}

type Refusal = { message: string; advice: string };

/** An issue of our own, with its advice; `path` is relative to the value that is checked. */
export function refuse(ctx: z.core.$RefinementCtx<unknown>, path: PropertyKey[], { message, advice }: Refusal): void {
  ctx.addIssue({ code: 'custom', path, message, params: { advice } });
}

/**
 * Refuses the second and later elements with the same key. Looks at what can be read even when other elements are
 * wrong.
 */
export function unique<T>(keyOf: (element: T) => unknown, refusal: (key: string, first: number) => Refusal) {
  const check = (elements: T[], ctx: z.core.$RefinementCtx<T[]>) => {
    const seen = new Map<string | number, number>();
    for (const [index, element] of elements.entries()) {
      const key = element === null || element === undefined ? null : keyOf(element);
      if (typeof key !== 'string' && typeof key !== 'number') continue;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, index);
      else refuse(ctx, [index], refusal(String(key), first));
    }
  };
  return z.superRefine(check, { when: ({ value }) => Array.isArray(value) });
}
