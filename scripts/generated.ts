// The files that are made from code: says which are behind it, or with --write makes them again.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaText } from '../domain/spec/json-schema.ts';

const root = join(import.meta.dirname, '..');
const made: Record<string, () => string> = { 'configs/schema.json': schemaText };

for (const [file, text] of Object.entries(made)) {
  const path = join(root, file);
  if (process.argv.includes('--write')) writeFileSync(path, text());
  else if (readFileSync(path, 'utf8') !== text()) {
    console.error(`${file} is not what the code makes of it. Make it again: npm run generate`);
    process.exitCode = 1;
  }
}
