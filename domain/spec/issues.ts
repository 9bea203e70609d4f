// What zod found wrong, as sentences: what is wrong, what is allowed, what was probably meant.
import type { z } from 'zod';
import type { Fault } from './document.ts';
import { fieldName, type Path, shown, valueAt } from './field.ts';
import type { JsonSchema } from './json-schema.ts';
import { nearest } from './nearest.ts';

export type Issue = z.core.$ZodIssue;
/**
 * `schema` is the JSON Schema of what `value` was checked against. `unknownAdvice` may say more of a field nobody
 * knows.
 */
export type Context = { value: unknown; schema: JsonSchema; unknownAdvice?: (name: string) => string | null };
export type Sentence = { path: Path; message: string; advice: string };

export const keepKeysOut =
  'Keys do not belong in a config. Put it into an environment variable and name that in `api_key_env`.';

/** All sentences for one issue: an object with three unknown fields has one issue and three sentences. */
export function sentencesFor(issue: Issue, at: Context): Sentence[] {
  if (issue.code === 'invalid_union') return unionSentences(issue, at);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField([...issue.path, key], at));
  const input = valueAt(at.value, issue.path);
  const about = describedAt(at.schema, issue.path, at.value);
  return [{ path: issue.path, message: messageFor(issue, input, about), advice: adviceFor(issue, input, about) }];
}

function messageFor(issue: Issue, input: unknown, about: JsonSchema): string {
  if (input === undefined && issue.code !== 'custom') return 'is missing.';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'int' && typeof input === 'number') return `${shown(input)} is not a whole number.`;
      return `${kindShown(input)}; ${wanted(about.type === 'integer' ? 'int' : issue.expected)} is needed.`;
    case 'too_big':
      if (Array.isArray(input)) return `has ${input.length}; at most ${issue.maximum} are allowed.`;
      if (!issue.inclusive) return `${shown(input)} is too large; it must be below ${issue.maximum}.`;
      return `${shown(input)} is above the largest allowed, ${issue.maximum}.`;
    case 'too_small':
      if (Array.isArray(input) && input.length > 0)
        return `has only ${input.length}; at least ${issue.minimum} are needed.`;
      if (typeof input !== 'number')
        return typeof input === 'string' ? 'is empty.' : 'is empty; at least one is needed.';
      if (!issue.inclusive) return `${shown(input)} is too small; it must be above ${issue.minimum}.`;
      return `${shown(input)} is below the smallest allowed, ${issue.minimum}.`;
    case 'invalid_value':
      return `${shown(input)} is not allowed; one of ${issue.values.join(', ')} is.`;
    case 'invalid_format':
      // An environment variable's name is where keys end up by mistake: they are not repeated.
      return issue.path.at(-1) === 'api_key_env' ? issue.message : `${shown(input)} ${issue.message}`;
    default:
      return issue.path.at(-1) === 'url' ? `${shown(input)} ${issue.message}` : issue.message;
  }
}

function adviceFor(issue: Issue, input: unknown, about: JsonSchema): string {
  const own = issue.code === 'custom' ? issue.params?.['advice'] : undefined;
  if (typeof own === 'string') return own;
  if (issue.path.at(-1) === 'api_key_env') return keepKeysOut;
  const meant = suggestion(issue, input, about);
  const described = about.description ?? '';
  if (meant === null) return described;
  return described === '' ? `Did you mean ${meant}?` : `${described.replace(/\.$/, '')}; did you mean ${meant}?`;
}

function suggestion(issue: Issue, input: unknown, about: JsonSchema): string | null {
  if (issue.code === 'too_big' && typeof input === 'number' && about.type === 'number') {
    // A share given as per cent, or a decimal point that slipped.
    const meant = input / (issue.maximum === 1 && input >= 2 ? 100 : 10);
    return meant <= Number(issue.maximum) ? String(Number(meant.toPrecision(12))) : null;
  }
  if (issue.code === 'invalid_value' && typeof input === 'string') return nearest(input, issue.values.map(String));
  if (issue.code !== 'invalid_type') return null;
  if (issue.expected === 'string' && ['number', 'boolean'].includes(typeof input))
    return `"${String(input)}" in quotes`;
  if (['number', 'int'].includes(issue.expected) && typeof input === 'string' && /^-?\d+(\.\d+)?$/.test(input)) {
    return `${input} without quotes`;
  }
  if (issue.expected === 'boolean' && ['yes', 'on', 'no', 'off'].includes(String(input).toLowerCase())) {
    return ['yes', 'on'].includes(String(input).toLowerCase()) ? 'true' : 'false';
  }
  if (issue.expected === 'array' && ['number', 'string'].includes(typeof input))
    return `a list of one, [${shown(input)}]`;
  return null;
}

function unknownField(path: Path, at: Context): Sentence {
  const name = String(path.at(-1));
  const around = schemaAt(at.schema, path.slice(0, -1), at.value);
  const elsewhere = branchesOf(around).some(({ properties = {} }) => Object.hasOwn(properties, name));
  if (elsewhere) {
    const mark = around?.required?.[0] ?? '';
    const named =
      around?.properties?.[mark]?.enum === undefined
        ? mark
        : `${mark}: ${String(valueAt(at.value, [...path.slice(0, -1), mark]))}`;
    return { path, message: `does not go with \`${named}\`.`, advice: around?.description ?? '' };
  }
  const names = Object.keys(around?.properties ?? {});
  const meant = nearest(name, names);
  const known = meant !== null ? `Did you mean ${meant}?` : `Fields here: ${names.join(', ')}.`;
  const advice = at.unknownAdvice?.(name) ?? known;
  return { path, message: 'there is no such field.', advice };
}

/** A value of no alternative is told what the one it comes closest to asks for. */
function unionSentences(issue: Issue & { code: 'invalid_union' }, at: Context): Sentence[] {
  const { path } = issue;
  const input = valueAt(at.value, path);
  const about = describedAt(at.schema, path, at.value);
  if (issue.errors.length === 0) return [unknownAlternative(issue, at)];
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ path, message: `${kindShown(input)}; a mapping is needed.`, advice: about.description ?? '' }];
  }
  // What marks an alternative is the first field that it requires.
  const markers = about.anyOf?.flatMap((branch) => branch.required?.slice(0, 1) ?? []) ?? [];
  const [mark, another] = markers.filter((marker) => Object.hasOwn(input, marker));
  if (mark !== undefined && another === undefined) {
    const inner = issue.errors[markers.indexOf(mark)] ?? [];
    return inner.flatMap((one) => sentencesFor({ ...one, path: [...path, ...one.path] }, at));
  }
  if (mark !== undefined)
    return [{ path, message: `has both \`${mark}\` and \`${another}\`.`, advice: about.description ?? '' }];
  const meant = Object.keys(input).flatMap((key) => nearest(key, markers) ?? []);
  const message = `has neither ${markers.map((marker) => `\`${marker}\``).join(' nor ')}.`;
  return [{ path, message, advice: meant[0] === undefined ? (about.description ?? '') : `Did you mean ${meant[0]}?` }];
}

/** The field that names the alternative (`rule: max_wrods`) names none. */
function unknownAlternative(issue: Issue & { code: 'invalid_union' }, at: Context): Sentence {
  const input = valueAt(at.value, issue.path);
  const words = 'options' in issue ? (issue.options ?? []).map(String) : [];
  const meant = typeof input === 'string' ? nearest(input, words) : null;
  const message = input === undefined ? 'is missing.' : `${shown(input)} is not allowed.`;
  return {
    path: issue.path,
    message,
    advice: `One of ${words.join(', ')}${meant === null ? '.' : `; did you mean ${meant}?`}`,
  };
}

/** The schema a path leads to; among alternatives the one that knows the fields the value has. */
function schemaAt(schema: JsonSchema, path: Path, root: unknown): JsonSchema | undefined {
  let here = branchFor(schema, root);
  for (const [depth, part] of path.entries()) {
    const inner = typeof part === 'number' ? here?.items : here?.properties?.[String(part)];
    here = branchFor(inner, valueAt(root, path.slice(0, depth + 1)));
  }
  return here;
}

function branchFor(schema: JsonSchema | undefined, value: unknown): JsonSchema | undefined {
  const branches = branchesOf(schema);
  if (schema === undefined || branches.length === 0) return schema;
  const fits = ({ properties = {}, type }: JsonSchema) => {
    if (type === 'null') return value === null ? 0 : -2;
    const known = Object.entries(typeof value === 'object' && value !== null ? value : {}).filter(([key]) =>
      Object.hasOwn(properties, key),
    );
    const excluded = known.some(([key, inner]) => properties[key]?.enum?.includes(inner) === false);
    return excluded ? -1 : known.length;
  };
  const [best] = branches.toSorted((a, b) => fits(b) - fits(a));
  return { ...best, ...schema };
}

function branchesOf(schema: JsonSchema | undefined): JsonSchema[] {
  return schema?.anyOf ?? schema?.oneOf ?? [];
}

/** A field's schema with its description, or else that of the list it stands in. */
function describedAt(schema: JsonSchema, path: Path, root: unknown): JsonSchema {
  const own = schemaAt(schema, path, root) ?? {};
  if (own.description !== undefined || typeof path.at(-1) !== 'number') return own;
  const { description } = schemaAt(schema, path.slice(0, -1), root) ?? {};
  return description === undefined ? own : { ...own, description };
}

function kindShown(value: unknown): string {
  if (value === null) return 'is empty';
  if (Array.isArray(value)) return 'is a list';
  if (typeof value === 'object') return 'is a mapping';
  const names: Record<string, string> = { string: 'a text', number: 'a number' };
  return `${shown(value)} is ${names[typeof value] ?? 'true or false'}`;
}

function wanted(expected: string): string {
  const names: Record<string, string> = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
  };
  return names[expected] ?? 'a mapping';
}

/** Whether a sentence is about a field, or something inside one, that is already known to be wrong. */
export function isCovered(path: Path, faults: Fault[]): boolean {
  const covers = (outer: Path) => outer.length > 0 && fieldName(path.slice(0, outer.length)) === fieldName(outer);
  return faults.some((fault) => covers(fault.path));
}
