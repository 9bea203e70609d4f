// Where two values differ, field by field, and where two texts do, line by line.

/** `there`, `made`: absent where the field is not there at all. */
export type Difference = { field: string; there?: unknown; made?: unknown };

/** Fields that differ, by their path (`cells[2].accuracy.right`), in the order of the first value. */
export function differences(there: unknown, made: unknown, field = ''): Difference[] {
  if (Object.is(there, made)) return [];
  if (!isObject(there) || !isObject(made) || Array.isArray(there) !== Array.isArray(made))
    return [{ field, there, made }];
  const [before, after] = [new Map(Object.entries(there)), new Map(Object.entries(made))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const inside = Array.isArray(there) ? `${field}[${name}]` : field === '' ? name : `${field}.${name}`;
    if (!before.has(name)) return [{ field: inside, made: after.get(name) }];
    if (!after.has(name)) return [{ field: inside, there: before.get(name) }];
    return differences(before.get(name), after.get(name), inside);
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `line` counts from 1; null where a text has ended. */
export type LineDifference = { line: number; there: string | null; made: string | null };

/** The first line in which two texts differ; null where they are the same. */
export function firstDifference(there: string, made: string): LineDifference | null {
  if (there === made) return null;
  const [before, after] = [there.split('\n'), made.split('\n')];
  const at = before.findIndex((line, n) => line !== after[n]);
  const n = at === -1 ? before.length : at;
  return { line: n + 1, there: before[n] ?? null, made: after[n] ?? null };
}
