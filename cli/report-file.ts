// The page of a run, written beside its home's other output or where somebody wants it.
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { errorCode } from '../activities/store/disk.ts';
import type { Store } from '../activities/store/store.ts';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import type { Summary } from '../domain/summary.ts';
import { makeFolders } from '../local/folders.ts';
import type { Home } from '../local/home.ts';
import { reportFiles } from '../report/files.ts';
import { reportPage } from '../report/page/page.ts';
import { gather } from '../report/report.ts';

export type ReportPlace = { file?: string; folder?: string };

/**
 * Writes the page to `file`, or to `<home>/reports/<run>.html`, and returns its path as a person would type it. With `folder`, the page
 * goes there instead (or as well), with all that belongs to it.
 */
export async function writeReport(
  at: { home: Home; store: Store },
  summary: Summary,
  { file, folder }: ReportPlace = {},
): Promise<string> {
  const report = await gather(at.store, summary);
  if (folder !== undefined) {
    for (const { path, text } of await reportFiles(report)) await replace(join(folder, path), text);
    if (file === undefined) return typed(resolve(folder, 'report.html'));
  }
  const page = reportPage(report, { title: summary.name });
  if (file !== undefined) return writeOutput(file, page);
  const path = join(at.home.dir, 'reports', `${summary.run}.html`);
  await replace(path, page);
  return typed(path);
}

/** Somebody may have the last one open, or be writing this one too. */
async function replace(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  try {
    await makeFolders(dirname(path));
    await writeFile(unfinished, text);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw notWritten(path, cause);
  }
}

/** Writes a file that somebody asked for and returns its path. @throws ConfigProblem, WorldProblem `disk` */
export async function writeOutput(file: string, text: string): Promise<string> {
  try {
    await writeFile(file, text);
    return typed(resolve(file));
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

const why: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
};

/** What stands in the way of a file that somebody asked for. */
export function notWritten(file: string, cause: unknown): ConfigProblem | WorldProblem {
  const known = why[errorCode(cause)];
  if (known === undefined) return new WorldProblem('disk', `${file} cannot be written: ${String(cause)}`, { cause });
  return new ConfigProblem(`${file} cannot be written: ${known}.`, {
    advice: 'Give the path of a file in a folder that is there.',
    cause,
  });
}

function typed(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
