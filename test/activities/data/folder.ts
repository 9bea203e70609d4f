// A folder of files that goes away with the test.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from '../../../activities/data/adapt.ts';

export async function folder() {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-data-'));
  return {
    dir,
    /** The file as a source; sentences call it by its plain name. */
    async source(name: string, content: string | Uint8Array, more: Partial<DataSource> = {}): Promise<DataSource> {
      const path = join(dir, name);
      await writeFile(path, content);
      return { id: 'mine', adapter: 'jsonl', path, shown: name, sha256: null, ...more };
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
