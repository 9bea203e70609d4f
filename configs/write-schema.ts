// Writes `schema.json`, from which editors complete configs: node configs/write-schema.ts
import { writeFileSync } from 'node:fs';
import { schemaText } from '../domain/spec/json-schema.ts';

writeFileSync(new URL('schema.json', import.meta.url), schemaText());
