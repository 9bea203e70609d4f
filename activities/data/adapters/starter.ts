// The set that comes with uturn: `configs/data/starter.jsonl`.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the file lies, from the sources or from their build one folder deeper. */
export function starterPath(): string {
  const places = ['../../..', '../../../..'].map((up) =>
    fileURLToPath(new URL(`${up}/configs/data/starter.jsonl`, import.meta.url)),
  );
  return places.find(existsSync) ?? places[0] ?? '';
}
