// A config's YAML with the place of everything in it.
import {
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type YAMLMap,
} from 'yaml';
import type { Path } from './field.ts';

export type Fault = { path: Path; line: number; message: string; advice: string };

export type Document = {
  value: unknown;
  faults: Fault[];
  /** Line of a field, or of the closest thing around it that is there. */
  lineOf(path: Path): number;
  /** The field whose text an offset lies in. */
  pathAt(offset: number): Path;
  lineAt(offset: number): number;
};

const longest = 200_000;
const deepest = 32;

const howToWrite =
  'A field is written `name: value`, with a space after the colon; fields of one group are indented alike, ' +
  'with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.';

/** Reads YAML that a person wrote. `value` is undefined where the text is no single mapping. Never throws. */
export function readDocument(text: string): Document {
  const lines = new LineCounter();
  // What is missing is missed after the last line: there is nothing to look at there.
  const end = text.trimEnd().length;
  const lineAt = (offset: number) => Math.max(1, lines.linePos(Math.min(offset, end)).line);
  const places = new Map<string, Place>();
  const document = (value: unknown, faults: Fault[]): Document => ({
    value,
    faults,
    lineAt,
    lineOf: (path) => lineAt(placeOf(places, path)?.start ?? 0),
    pathAt: (offset) => [...places.values()].findLast(({ start, end }) => start <= offset && offset < end)?.path ?? [],
  });
  const broken = (offset: number, message: string, advice: string) =>
    document(undefined, [{ path: [], line: lineAt(offset), message, advice }]);

  if (text.length > longest) return broken(0, 'is longer than 200,000 characters.', 'Is this the right file?');
  const parsed = parse(text, lines);
  if (parsed === null) return broken(0, 'is nested too deeply.', `A config has at most ${deepest} levels.`);
  const [first, second] = parsed;
  const faults = syntaxFaults(parsed, lineAt);
  if (faults.length > 0) return document(undefined, faults);
  if (second !== undefined) {
    return broken(
      second.range[0],
      'holds a second document.',
      'Leave out what stands from the line `---` on, or put it into a file of its own.',
    );
  }
  const root = first?.contents ?? null;
  if (root === null || (isScalar(root) && root.value === null)) {
    return broken(0, 'is empty.', 'Start from configs/quickstart.yaml.');
  }
  if (!isMap(root)) return broken(root.range?.[0] ?? 0, 'holds no fields.', howToWrite);
  const value = walk(root, [], { places, faults, lineAt });
  return document(value, faults);
}

type Place = { path: Path; start: number; end: number };
type Walk = { places: Map<string, Place>; faults: Fault[]; lineAt(offset: number): number };

/** The node as plain data. What cannot be (an alias, say) is null, with a fault. */
function walk(node: unknown, path: Path, at: Walk): unknown {
  if (path.length > deepest)
    return fault(at, { path, node }, 'is nested too deeply.', `A config has at most ${deepest} levels.`);
  if (isAlias(node))
    return fault(
      at,
      { path, node },
      `repeats another part by *${node.source}.`,
      'Write the part out: configs do without aliases.',
    );
  if (isMap(node)) return walkMap(node, path, at);
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      note(at, [...path, index], item, item);
      return walk(item, [...path, index], at);
    });
  }
  if (!isScalar(node)) return null;
  if (typeof node.value === 'number' && !Number.isFinite(node.value)) {
    return fault(
      at,
      { path, node },
      `${node.source ?? node.value} is no number that can be counted with.`,
      'Write a finite number.',
    );
  }
  return node.value;
}

function walkMap(map: YAMLMap, path: Path, at: Walk): Record<string, unknown> {
  const first = new Map<string, number>();
  const entries = map.items.flatMap((pair): [string, unknown][] => {
    if (!isScalar(pair.key)) {
      fault(at, { path, node: pair.key }, 'has a field without a plain name.', 'A field is written `name: value`.');
      return [];
    }
    const key =
      isScalar(pair.key) && typeof pair.key.value === 'string'
        ? pair.key.value
        : String(pair.key.source ?? pair.key.value);
    const here = [...path, key];
    note(at, here, pair.key, pair.value ?? pair.key);
    const line = at.lineAt(startOf(pair.key));
    const before = first.get(key);
    if (before !== undefined) {
      fault(
        at,
        { path: here, node: pair.key },
        `stands here a second time; the first is on line ${before}.`,
        'Leave one of them out.',
      );
      return [];
    }
    first.set(key, line);
    return [[key, walk(pair.value, here, at)]];
  });
  return Object.fromEntries(entries);
}

function fault(at: Walk, where: { path: Path; node: unknown }, message: string, advice: string): null {
  at.faults.push({ path: where.path, line: at.lineAt(startOf(where.node)), message, advice });
  return null;
}

function note(at: Walk, path: Path, from: unknown, to: unknown): void {
  const place = { path, start: startOf(from), end: (to as Node | null)?.range?.[1] ?? startOf(from) };
  if (!at.places.has(keyOf(path))) at.places.set(keyOf(path), place);
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function placeOf(places: Map<string, Place>, path: Path): Place | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = places.get(keyOf(path.slice(0, length)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

function parse(text: string, lineCounter: LineCounter) {
  try {
    const options = { prettyErrors: false, uniqueKeys: false, logLevel: 'silent', lineCounter } as const;
    const parsed = parseAllDocuments(text, options);
    return 'empty' in parsed ? [] : parsed;
  } catch (error) {
    // The library descends by recursion.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** One fault a line: what follows on the same line is mostly the first one's echo. */
function syntaxFaults(documents: NonNullable<ReturnType<typeof parse>>, lineAt: (offset: number) => number): Fault[] {
  const faults = new Map<number, Fault>();
  for (const { code, message, pos } of documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])) {
    const line = lineAt(pos[0]);
    const said = inOurWords[code] ?? `cannot be read as YAML: ${message.split('\n')[0]}.`;
    const advice = code === 'TAB_AS_INDENT' ? 'Put spaces in its place.' : howToWrite;
    if (!faults.has(line)) faults.set(line, { path: [], line, message: said, advice });
  }
  return [...faults.values()].slice(0, 20);
}

const inOurWords: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'is indented with a tab.',
  BLOCK_AS_IMPLICIT_KEY: 'holds two fields, or is followed by a line that is indented too far.',
  MULTILINE_IMPLICIT_KEY: 'is no `name: value`.',
  BAD_INDENT: 'is indented otherwise than what it belongs to, or a bracket before it is not closed.',
  // Nested deeper than the library can follow.
  RESOURCE_EXHAUSTION: 'is nested too deeply.',
};
