// Where the published data sets lie that `npm run test:data` goes over. The project holds none of them.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type AdaptedData, adapt } from '../../activities/data/adapt.ts';
import type { AdapterName } from '../../domain/spec/data.ts';

/** What is wrong with `UTURN_DATA`, in one sentence; null where it names a folder. */
export function folderProblem(folder: string | undefined): string | null {
  if (folder === undefined || folder === '')
    return 'UTURN_DATA is not set: it names the folder with the data sets, one folder each (gsm8k/test.jsonl …).';
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? null
    : `UTURN_DATA names no folder: ${folder} does not exist, or is a file.`;
}

/** A file of that folder: `dataPath('gsm8k', 'test.jsonl')`. */
export function dataPath(...names: string[]): string {
  const folder = process.env['UTURN_DATA'];
  const problem = folderProblem(folder);
  if (problem !== null) throw new Error(problem);
  return join(folder ?? '', ...names);
}

/** A file of that folder, read as a config would have it read. */
export function published(adapter: AdapterName, ...names: string[]): Promise<AdaptedData> {
  const shown = names.join('/');
  return adapt({ id: adapter, adapter, path: dataPath(...names), shown, sha256: null });
}

if (import.meta.main) {
  const problem = folderProblem(process.env['UTURN_DATA']);
  if (problem !== null) {
    console.error(problem);
    process.exit(2);
  }
}
