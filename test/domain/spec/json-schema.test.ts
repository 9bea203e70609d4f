import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { experiments } from '../../../domain/spec/experiment.ts';
import { type JsonSchema, jsonSchemaOf, schemaText } from '../../../domain/spec/json-schema.ts';

function config(name: string): string {
  return readFileSync(new URL(`../../../configs/${name}`, import.meta.url), 'utf8');
}

test('configs/schema.json is what the code says (if not: node configs/write-schema.ts)', () => {
  expect(config('schema.json')).toBe(schemaText());
});

test.each([
  ['quickstart.yaml', './schema.json'],
  ['examples/gsm8k.yaml', '../schema.json'],
])('%s tells editors where its schema is', (name, schema) => {
  expect(config(name).split('\n')[0]).toBe(`# yaml-language-server: $schema=${schema}`);
});

/** Names of the fields without a description; a list's elements share the list's. */
function undescribed(schema: JsonSchema, name: string): string[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
      ...(field.description === undefined ? [`${name}.${key}`] : []),
      ...undescribed(field, `${name}.${key}`),
    ]),
    ...(schema.anyOf ?? []).flatMap((branch) => undescribed(branch, name)),
  ];
  return schema.items === undefined ? inner : [...inner, ...undescribed(schema.items, `${name}[]`)];
}

test('every field says what it is', () => {
  expect(undescribed(jsonSchemaOf(experiments.sweep), 'sweep')).toEqual([]);
});
