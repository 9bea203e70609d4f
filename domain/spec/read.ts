// From a config's text to a spec, or to everything that is wrong with it.
import { z } from 'zod';
import { ConfigProblem, sentence } from '../problems.ts';
import { type Document, type Fault, readDocument } from './document.ts';
import { type ExperimentSpec, experiments, isKind, type Kind, kinds, type RunnableSpec } from './experiment.ts';
import { fieldName, type Path, shown, valueAt } from './field.ts';
import { isCovered, keepKeysOut, sentencesFor } from './issues.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { judge as judgeSpec } from './judge.ts';
import { models as modelsSpec } from './model.ts';
import { nearest } from './nearest.ts';
import { isSecretName, secretsIn } from './secrets.ts';
import type { SweepSpec } from './sweep.ts';

/**
 * `lineOf` finds a field's line for whoever meets a problem with it later: a missing file, a server that does not
 * answer.
 */
export type ReadSpec = { spec: ExperimentSpec; lineOf(path: Path): number } | { problems: ConfigProblem[] };
export type ReadModels = { models: SweepSpec['models']; lineOf(path: Path): number } | { problems: ConfigProblem[] };
export type ReadJudge = { judge: SweepSpec['judge']; lineOf(path: Path): number } | { problems: ConfigProblem[] };

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

  const spec = valueBy(experiments[kind], document, faults);
  return spec !== null && faults.length === 0 ? { spec, lineOf: document.lineOf } : problems();
}

/** The judge in a YAML text: of an experiment, or of a file with nothing but `judge:`. Never throws. */
export function readJudge(text: string, at: { file: string }): ReadJudge {
  const read = readAlone(text, { ...at, schema: judgeAlone, name: 'judge' });
  return 'problems' in read ? read : { judge: read.found.judge, lineOf: read.lineOf };
}

/** The models in a YAML text: of an experiment, or of a file with nothing but `models:`. Never throws. */
export function readModels(text: string, at: { file: string }): ReadModels {
  const read = readAlone(text, { ...at, schema: modelsAlone, name: 'models' });
  return 'problems' in read ? read : { models: read.found.models, lineOf: read.lineOf };
}

const judgeAlone = z.strictObject({ judge: judgeSpec });
const modelsAlone = z.strictObject({ models: modelsSpec });

type Alone<Schema> = { file: string; schema: Schema; name: 'judge' | 'models' };

/** One part of an experiment, by itself or in the whole of it. */
function readAlone<Schema extends z.ZodType>(
  text: string,
  { file, schema, name }: Alone<Schema>,
): { found: z.output<Schema> | RunnableSpec; lineOf(path: Path): number } | { problems: ConfigProblem[] } {
  const document = readDocument(text);
  if (document.value === undefined || valueAt(document.value, ['kind']) !== undefined) {
    const read = readSpec(text, { file });
    if ('problems' in read) return read;
    if (isRunnable(read.spec)) return { found: read.spec, lineOf: read.lineOf };
    const advice = `Give the experiment’s file, or one with nothing but \`${name}:\`.`;
    return { problems: [new ConfigProblem(`a ${read.spec.kind} has no ${name}.`, { place: { file }, advice })] };
  }
  const faults = [...secretFaults(text, document), ...document.faults];
  const found = valueBy(schema, document, faults);
  if (found !== null && faults.length === 0) return { found, lineOf: document.lineOf };
  return { problems: inOrder(faults).map((fault) => problemOf(fault, file)) };
}

/** What the schema makes of a document; null, and what is wrong added to `faults`, where it refuses it. */
function valueBy<Schema extends z.ZodType>(
  schema: Schema,
  document: Document,
  faults: Fault[],
): z.output<Schema> | null {
  const parsed = schema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  const context = {
    value: document.value,
    schema: jsonSchemaOf(schema),
    unknownAdvice: (name: string) => (isSecretName(name) ? keepKeysOut : null),
  };
  const found = parsed.error.issues.flatMap((issue) => sentencesFor(issue, context));
  for (const sentence of found.filter(({ path }) => !isCovered(path, faults))) {
    faults.push({ ...sentence, line: document.lineOf(sentence.path) });
  }
  return null;
}

type SpecOf<K extends Kind> = Extract<ExperimentSpec, { kind: K }>;

/** A spec of one kind. @throws ConfigProblem  all that is wrong with the text, or that it is of another kind */
export function specOf<K extends Kind>(
  config: { file: string; text: string },
  kind: K,
): { spec: SpecOf<K>; lineOf(path: Path): number } {
  const read = readSpec(config.text, { file: config.file });
  if ('problems' in read) throw new ConfigProblem(read.problems.map(sentence).join('\n'));
  const { spec, lineOf } = read;
  if (isOf(spec, kind)) return { spec, lineOf };
  const place = { file: config.file, line: lineOf(['kind']), field: 'kind' };
  throw new ConfigProblem(`a ${kind} is wanted here, and this is a ${spec.kind}.`, {
    place,
    advice: whereTo[spec.kind],
  });
}

/** A spec that is run as it is. @throws ConfigProblem  all that is wrong with the text, or that it is put on a schedule */
export function runnableOf(config: { file: string; text: string }): { spec: RunnableSpec; lineOf(path: Path): number } {
  const read = readSpec(config.text, { file: config.file });
  if ('spec' in read && isRunnable(read.spec)) return { spec: read.spec, lineOf: read.lineOf };
  return specOf(config, 'sweep');
}

function isRunnable(spec: ExperimentSpec): spec is RunnableSpec {
  return spec.kind !== 'nightly';
}

const whereTo: Record<Kind, string> = {
  sweep: 'Run it: uturn run <file>',
  perturbation: 'Run it: uturn run <file>',
  nightly: 'Put it on a schedule: uturn schedule add <file>. Or run its experiment.',
};

function isOf<K extends Kind>(spec: ExperimentSpec, kind: K): spec is SpecOf<K> {
  return spec.kind === kind;
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
