// docs/config.md is the schema in words, and every config in a page is one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sentence } from '../../domain/problems.ts';
import { readSpec } from '../../domain/spec/read.ts';
import { blocks, page, pages, root, tableRows } from './pages.ts';

type Schema = {
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  items?: Schema | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  default?: unknown;
};
const schema: z.ZodType<Schema> = z.object({
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return schema.optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
  default: z.unknown().optional(),
});

/** Every field with what stands in its place when it is left out, as the page writes it. */
function fields(node: Schema, path = ''): [field: string, absent: string][] {
  const alternatives = [...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((one) => fields(one, path));
  const elements = node.items === undefined ? [] : fields(node.items, `${path}[]`);
  const own = Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const absent = (node.required ?? []).includes(name) ? 'required' : absentOf(field);
    return [[at, absent] as [string, string], ...fields(field, at)];
  });
  return [...alternatives, ...elements, ...own];
}

function absentOf(field: Schema): string {
  if (field.default === null || field.default === undefined) return 'none';
  if (field.properties !== undefined) return 'see fields';
  return `\`${typeof field.default === 'string' ? field.default : JSON.stringify(field.default)}\``;
}

test('docs/config.md has every field of the schema once, with its default', () => {
  const parsed = schema.parse(JSON.parse(readFileSync(join(root, 'configs', 'schema.json'), 'utf8')));
  const expected = new Map<string, string[]>();
  for (const [field, absent] of fields(parsed))
    expected.set(field, [...new Set([...(expected.get(field) ?? []), absent])].sort());

  const rows = tableRows(page('docs/config.md'), 'field').map(([field = '', absent = '']): [string, string[]] => {
    const words = absent.match(/`[^`]+`|required|none|see fields/g) ?? [];
    return [field.replaceAll('`', ''), words.sort()];
  });
  expect(rows.map(([field]) => field).sort()).toEqual([...expected.keys()].sort());
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
});

test('every whole config in a page is one that uturn takes', () => {
  const configs = pages.flatMap(blocks).filter(({ language, text }) => language === 'yaml' && text.includes('kind:'));
  expect(configs.length).toBeGreaterThan(1);
  const refused = configs.flatMap((block) => {
    const read = readSpec(block.text, { file: `${block.page}:${block.line}` });
    return 'problems' in read ? read.problems.map(sentence) : [];
  });
  expect(refused).toEqual([]);
});
