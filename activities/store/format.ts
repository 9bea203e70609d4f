// The format version at the root of every store.
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Store } from './store.ts';

const path = 'format.json';
const format = 1;
const schema = z.looseObject({ format: z.int().min(1) });

/** Writes the version where there is none. @throws ConfigProblem when a newer uturn made the store, or something else did */
export async function checkFormat(store: Store): Promise<void> {
  const found = await store.read(path);
  if (found === null) {
    const outcome = await store.create(path, `${JSON.stringify({ format })}\n`);
    if (outcome === 'created') return;
  }
  const version = versionIn(found ?? (await store.read(path)));
  const place = { file: `${store.uri}/${path}` };
  if (version === null) {
    throw new ConfigProblem('this file does not hold a format version', {
      place,
      advice:
        'If the folder belongs to something else, set UTURN_STORE to another one; if the file is damaged, restore it as {"format":1}.',
    });
  }
  if (version > format) {
    throw new ConfigProblem(`the store has format ${version}, this uturn reads format ${format}`, {
      place,
      advice: 'A newer uturn made it: update uturn, or set UTURN_STORE to another folder.',
    });
  }
}

function versionIn(bytes: Uint8Array | null): number | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes ?? undefined))).format;
  } catch {
    return null;
  }
}
