// From a config's text to a spec, or to everything that is wrong with it.
import { ConfigProblem } from '../problems.ts';
import { type Document, type Fault, readDocument } from './document.ts';
import { type ExperimentSpec, experiments, isKind, kinds } from './experiment.ts';
import { fieldName, type Path, shown, valueAt } from './field.ts';
import { isCovered, keepKeysOut, sentencesFor } from './issues.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { nearest } from './nearest.ts';
import { isSecretName, secretsIn } from './secrets.ts';

/**
 * `lineOf` finds a field's line for whoever meets a problem with it later: a missing file, a server that does not
 * answer.
 */
export type ReadSpec = { spec: ExperimentSpec; lineOf(path: Path): number } | { problems: ConfigProblem[] };

/**
 * The spec in a YAML text, or all problems, in the order of their lines. Never throws. `file` is only named in
 * problems.
 */
export function readSpec(text: string, { file }: { file: string }): ReadSpec {
  const document = readDocument(text);
  const faults = [...secretFaults(text, document), ...document.faults];
  const problems = () => ({ problems: inOrder(faults).map((fault) => problemOf(fault, file)) });
  if (document.value === undefined) return problems();

  const given = valueAt(document.value, ['kind']);
  const kind = isKind(given) ? given : nearest(String(given), kinds);
  if (!isKind(given) && !isCovered(['kind'], faults)) faults.push(unknownKind(given, document));
  if (kind === null) return problems();

  const parsed = experiments[kind].safeParse(document.value);
  if (parsed.success && faults.length === 0) return { spec: parsed.data, lineOf: document.lineOf };
  const context = {
    value: document.value,
    schema: jsonSchemaOf(experiments[kind]),
    unknownAdvice: (name: string) => (isSecretName(name) ? keepKeysOut : null),
  };
  const found = (parsed.error?.issues ?? []).flatMap((issue) => sentencesFor(issue, context));
  for (const sentence of found.filter(({ path }) => !isCovered(path, faults))) {
    faults.push({ ...sentence, line: document.lineOf(sentence.path) });
  }
  return problems();
}

function unknownKind(kind: unknown, document: Document): Fault {
  const path: Path = ['kind'];
  const known = `There is: ${kinds.join(', ')}.`;
  const meant = typeof kind === 'string' ? nearest(kind, kinds) : null;
  return {
    path,
    line: document.lineOf(path),
    message: kind === undefined || kind === null ? 'is missing.' : `${shown(kind)} is no kind of experiment.`,
    advice: meant === null ? known : `${known} Did you mean ${meant}?`,
  };
}

function secretFaults(text: string, document: Document): Fault[] {
  return secretsIn(text).map((offset) => ({
    path: document.pathAt(offset),
    line: document.lineAt(offset),
    message: 'holds what looks like a key or a password.',
    advice: keepKeysOut,
  }));
}

/** By line; the same thing said twice is said once. */
function inOrder(faults: Fault[]): Fault[] {
  const once = new Map(faults.map((fault) => [`${fault.line} ${fieldName(fault.path)} ${fault.message}`, fault]));
  return [...once.values()].toSorted((a, b) => a.line - b.line);
}

function problemOf({ path, line, message, advice }: Fault, file: string): ConfigProblem {
  const field = fieldName(path);
  return new ConfigProblem(message, { place: { file, line, ...(field !== '' && { field }) }, advice });
}
