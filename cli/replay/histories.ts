// Histories of a run's workflows: from Temporal while it has them, then from the store, or from files.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Client } from '@temporalio/client';
import { readRun } from '../../activities/run/documents.ts';
import { historiesIn, historyIn, type WorkflowHistory, workflowsOf } from '../../activities/run/histories.ts';
import { keptHistories } from '../../activities/run/kept.ts';
import { errorCode } from '../../activities/store/disk.ts';
import { getPlan } from '../../activities/store/plans.ts';
import type { Store } from '../../activities/store/store.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { makeFolders } from '../../local/folders.ts';

/** Where a history was read from. */
export type Origin = 'temporal' | 'store' | 'file';

export type FoundHistory = WorkflowHistory & { from: Origin };

/** What Temporal still knows, then what the store kept of executions that it has forgotten. `client`: null where no Temporal is up. */
export async function* historiesOf(
  { store, client }: { store: Store; client: Client | null },
  run: string,
): AsyncGenerator<FoundHistory> {
  const doc = await readRun(store, run);
  const seen = new Set<string>();
  if (client !== null) {
    for await (const one of historiesIn(client, workflowsOf(doc, await getPlan(store, doc.plan)))) {
      seen.add(one.execution);
      yield { ...one, from: 'temporal' };
    }
  }
  for await (const one of keptHistories(store, run, seen)) yield { ...one, from: 'store' };
}

/** Of a file, or of every `.json` in a folder. @throws ConfigProblem  one holds no history */
export async function* historiesAt(path: string): AsyncGenerator<FoundHistory> {
  for (const file of await filesAt(path)) {
    const one = historyIn(await readFile(file, 'utf8'), { workflow: basename(file, '.json'), execution: '' });
    if (one === null)
      throw new ConfigProblem('this file holds no history of a workflow', {
        place: { file },
        advice: 'Give what --save-histories has written, or: temporal workflow show --workflow-id <id> --output json',
      });
    yield { ...one, from: 'file' };
  }
}

/** Writes each into a folder as it goes by, for `historiesAt`. */
export async function* saved(histories: AsyncIterable<FoundHistory>, folder: string): AsyncGenerator<FoundHistory> {
  await makeFolders(folder);
  let n = 0;
  for await (const one of histories) {
    const name = `${String(n).padStart(4, '0')}-${one.type}-${one.execution}.json`;
    await writeFile(join(folder, name), `${JSON.stringify(one.history, null, 1)}\n`);
    n += 1;
    yield one;
  }
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(path, name));
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file or folder' : String(cause);
    throw new ConfigProblem(`${path} cannot be read: ${why}`, {
      advice: 'Give a history as JSON, or a folder of them.',
      cause,
    });
  }
}
