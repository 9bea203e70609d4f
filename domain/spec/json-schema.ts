// The config's schema for editors, made from the same zod schemas that check it.
import { z } from 'zod';
import { experiments } from './experiment.ts';

/** The part of JSON Schema that problem sentences are made from. */
export type JsonSchema = {
  description?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
};

/** What a schema accepts, before defaults are filled in. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as JsonSchema;
}

/** Text of `configs/schema.json`. */
export function schemaText(): string {
  const all = z.discriminatedUnion('kind', [experiments.sweep, experiments.perturbation, experiments.nightly]);
  return `${JSON.stringify(jsonSchemaOf(all), null, 2)}\n`;
}
