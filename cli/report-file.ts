// The page of a run, written beside its home's other output or where somebody wants it.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { readRun } from '../activities/run/documents.ts';
import { errorCode } from '../activities/store/disk.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import type { Summary } from '../domain/summary.ts';
import type { Home } from '../local/home.ts';
import { conversations } from '../report/conversations.ts';
import { reportPage } from '../report/page/page.ts';

/** Writes the page to `file`, or to `<home>/reports/<run>.html`, and returns its path as a person would type it. */
export async function writeReport(
  at: { home: Home; store: Store },
  summary: Summary,
  opts: { file?: string } = {},
): Promise<string> {
  const doc = await readRun(at.store, summary.run);
  const { shown, of } = await conversations(at.store, doc, await getPlan(at.store, doc.plan));
  const page = reportPage(summary, shown, { title: summary.name, of });
  if (opts.file !== undefined) return writeOutput(opts.file, page);

  // Somebody may have the last one open, or be writing this one too.
  const path = join(at.home.dir, 'reports', `${summary.run}.html`);
  await mkdir(dirname(path), { recursive: true });
  await writeOutput(`${path}.${process.pid}`, page);
  await rename(`${path}.${process.pid}`, path);
  return typed(path);
}

/** Writes a file that somebody asked for and returns its path. @throws ConfigProblem, WorldProblem `disk` */
export async function writeOutput(file: string, text: string): Promise<string> {
  try {
    await writeFile(file, text);
    return typed(resolve(file));
  } catch (cause) {
    const why: Record<string, string> = {
      ENOENT: 'its folder does not exist',
      ENOTDIR: 'a part of its path is a file',
      EISDIR: 'it is a folder',
      EACCES: 'this user may not write there',
      EPERM: 'this user may not write there',
      EROFS: 'its file system is read-only',
    };
    const known = why[errorCode(cause)];
    if (known === undefined) throw new WorldProblem('disk', `${file} cannot be written: ${String(cause)}`, { cause });
    throw new ConfigProblem(`${file} cannot be written: ${known}.`, {
      advice: 'Give the path of a file in a folder that is there.',
      cause,
    });
  }
}

function typed(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
