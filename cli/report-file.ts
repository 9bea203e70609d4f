// The page of a run, written beside its home's other output.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import type { Summary } from '../domain/summary.ts';
import type { Home } from '../local/home.ts';
import { conversations } from '../report/conversations.ts';
import { reportPage } from '../report/page/page.ts';

/** Writes `<home>/reports/<run>.html` and returns its path as a person would type it. */
export async function writeReport(at: { home: Home; store: Store }, summary: Summary): Promise<string> {
  const doc = await readRun(at.store, summary.run);
  const read = await conversations(at.store, doc, await getPlan(at.store, doc.plan));
  const folder = join(at.home.dir, 'reports');
  const path = join(folder, `${summary.run}.html`);
  await mkdir(folder, { recursive: true });
  await writeFile(`${path}.${process.pid}`, reportPage(summary, read, { title: summary.name }));
  await rename(`${path}.${process.pid}`, path);
  return relative(process.cwd(), path);
}
