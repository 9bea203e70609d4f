// The config's schema for editors, made from the same zod schemas that check it.
import { z } from 'zod';
import { experiments, type Kind } from './experiment.ts';

/** The part of JSON Schema that zod writes for us and problem sentences are made from. */
export type JsonSchema = {
  description?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};

export function jsonSchemaOf(kind: Kind): JsonSchema {
  return z.toJSONSchema(experiments[kind], { io: 'input', target: 'draft-7' }) as JsonSchema;
}

/** Text of `configs/schema.json`. */
export function schemaText(): string {
  const all = z.discriminatedUnion('kind', [experiments.sweep]);
  return `${JSON.stringify(z.toJSONSchema(all, { io: 'input', target: 'draft-7' }), null, 2)}\n`;
}
