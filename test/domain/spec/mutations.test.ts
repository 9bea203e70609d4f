// Whatever somebody does to a config, the answer is a spec or sentences with lines.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readSpec } from '../../../domain/spec/read.ts';

const texts = ['quickstart.yaml', 'examples/gsm8k.yaml'].map((name) =>
  readFileSync(new URL(`../../../configs/${name}`, import.meta.url), 'utf8'),
);

function expectAnswer(text: string): void {
  const read = readSpec(text, { file: 'a.yaml' });
  if ('spec' in read) {
    expect(read.lineOf(['temperatures'])).toBeGreaterThan(0);
    return;
  }
  expect(read.problems.length).toBeGreaterThan(0);
  const lines = text.split('\n').length;
  for (const { message, place } of read.problems) {
    expect(message).not.toBe('');
    expect(place.file).toBe('a.yaml');
    expect(place.line).toBeGreaterThanOrEqual(1);
    expect(place.line).toBeLessThanOrEqual(lines);
  }
}

const anyText = fc.string({ unit: 'binary', maxLength: 30 });
const pieces = fc.constantFrom(
  '\n',
  '\t',
  ': ',
  '- ',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '#',
  '&a ',
  '*a',
  '!x ',
  '|',
  '>',
  '---\n',
  '? ',
  ', ',
  '\u0000',
  '\ud835',
  '.inf',
  'null',
);

test('characters put in, cut out or replaced', () => {
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(40), fc.oneof(anyText, pieces), (text, at, cut, put) => {
      const start = at % (text.length + 1);
      expectAnswer(text.slice(0, start) + put + text.slice(start + cut));
    }),
    { numRuns: 500 },
  );
});

test('lines dropped, doubled or moved', () => {
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(fc.nat(30), { maxLength: 40 }), (text, order) => {
      const lines = text.split('\n');
      expectAnswer(order.map((line) => lines[line % lines.length]).join('\n'));
    }),
    { numRuns: 300 },
  );
});

type Path = (string | number)[];
function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]))];
}

function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = Array.isArray(root) ? [...root] : { ...(root as object) };
  return Object.assign(copy, { [key]: withValue((root as Record<string, unknown>)[key], rest, value) });
}

test('any value in any place', () => {
  const roots = texts.map((text) => parse(text) as unknown);
  const mutated = fc
    .constantFrom(...roots)
    .chain((root) =>
      fc
        .tuple(
          fc.constantFrom(...pathsIn(root)),
          fc.oneof(fc.jsonValue(), fc.constantFrom('sweep', 0, -1, 1e308, '', [], {}, null)),
        )
        .map(([path, value]) => withValue(root, path, value)),
    );
  fc.assert(
    fc.property(mutated, (value) => expectAnswer(stringify(value))),
    { numRuns: 500 },
  );
});

test('any text at all', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), expectAnswer), { numRuns: 300 });
});

test('an unknown field is refused wherever it stands', () => {
  const root = parse(texts[1] ?? '') as unknown;
  // Below template_kwargs anything goes.
  const mappings = pathsIn(root).filter((path) => {
    const inner = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  });
  for (const path of mappings) {
    const read = readSpec(stringify(withValue(root, [...path, 'zzzzzz'], 1)), { file: 'a.yaml' });
    const field = `${path.map((key) => (/^\d+$/.test(String(key)) ? `[${key}]` : `.${key}`)).join('')}.zzzzzz`.slice(1);
    expect('problems' in read && read.problems.map(({ message, place }) => [place.field, message])).toEqual([
      [field, 'there is no such field.'],
    ]);
  }
  expect(mappings.length).toBeGreaterThan(3);
});
