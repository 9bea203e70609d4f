// Files of a report held against those that somebody has in a folder.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { errorCode } from '../../activities/store/disk.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import type { ReportFile } from '../../report/files.ts';
import { firstDifference, type LineDifference } from '../../report/replay/differences.ts';

/** `equal`: null where there is nothing to hold it against. `missing`: the folder has no such file. */
export type FileCompared = {
  path: string;
  bytes: number;
  sha256: string;
  equal: boolean | null;
  missing?: true;
  first?: LineDifference;
};

/** `others`: files of the folder that no report of this run has. */
export type FilesCompared = { files: FileCompared[]; others: string[] };

/** Byte for byte. Without a folder only what was made is told. @throws ConfigProblem  the folder cannot be read */
export async function compareFiles(made: ReportFile[], folder: string | null): Promise<FilesCompared> {
  const told = made.map(({ path, text }) => ({
    path,
    bytes: Buffer.byteLength(text),
    sha256: sha256(text.toWellFormed()),
  }));
  if (folder === null) return { files: told.map((one) => ({ ...one, equal: null })), others: [] };
  const there = await filesIn(folder);
  const files: FileCompared[] = [];
  for (const [at, one] of told.entries()) {
    const text = made[at]?.text ?? '';
    const bytes = there.includes(one.path) ? await readFile(join(folder, one.path)) : null;
    if (bytes === null) files.push({ ...one, equal: false, missing: true });
    else if (bytes.equals(Buffer.from(text))) files.push({ ...one, equal: true });
    else files.push({ ...one, equal: false, ...first(bytes, text) });
  }
  const known = new Set(made.map(({ path }) => path));
  return { files, others: there.filter((path) => !known.has(path)) };
}

function first(bytes: Buffer, text: string): Pick<FileCompared, 'first'> {
  const found = firstDifference(bytes.toString('utf8'), text);
  return found === null ? {} : { first: found };
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')).sort();
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'it is not there' : String(cause);
    throw new ConfigProblem(`${folder} cannot be read: ${why}`, {
      advice: 'Give a folder that uturn report --out has written.',
      cause,
    });
  }
}
