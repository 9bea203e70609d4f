// Histories of a run's workflows: from Temporal while it has them, from files later.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { z } from 'zod';
import { errorCode } from '../../activities/store/disk.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { makeFolders } from '../../local/folders.ts';

/** One execution of a workflow; `history` as JSON, as Temporal's own tools write it. */
export type WorkflowHistory = { workflow: string; execution: string; type: string; events: number; history: unknown };

const schema = z.looseObject({
  events: z.tuple(
    [
      z.looseObject({
        workflowExecutionStartedEventAttributes: z.looseObject({
          workflowType: z.looseObject({ name: z.string() }),
          workflowId: z.string().optional(),
          originalExecutionRunId: z.string().optional(),
        }),
      }),
    ],
    z.looseObject({}),
  ),
});

/** Every execution that Temporal still knows, of each workflow the oldest first. */
export async function* historiesIn(client: Client, workflows: string[]): AsyncGenerator<WorkflowHistory> {
  for (const workflow of workflows) {
    const found = [];
    for await (const info of client.workflow.list({ query: `WorkflowId = '${workflow.replaceAll("'", "''")}'` }))
      found.push(info);
    found.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
    for (const { runId } of found) {
      const history = await client.workflow.getHandle(workflow, runId).fetchHistory();
      yield told(historyToJSON(history), { workflow, execution: runId, file: workflow });
    }
  }
}

/** Of a file, or of every `.json` in a folder. @throws ConfigProblem  one holds no history */
export async function* historiesAt(path: string): AsyncGenerator<WorkflowHistory> {
  for (const file of await filesAt(path)) {
    yield told(await readFile(file, 'utf8'), { workflow: basename(file, '.json'), execution: '', file });
  }
}

/** Writes each into a folder as it goes by, for `historiesAt`. */
export async function* saved(
  histories: AsyncIterable<WorkflowHistory>,
  folder: string,
): AsyncGenerator<WorkflowHistory> {
  await makeFolders(folder);
  let n = 0;
  for await (const one of histories) {
    const name = `${String(n).padStart(4, '0')}-${one.type}-${one.execution}.json`;
    await writeFile(join(folder, name), `${JSON.stringify(one.history, null, 1)}\n`);
    n += 1;
    yield one;
  }
}

type From = Pick<WorkflowHistory, 'workflow' | 'execution'> & { file: string };

function told(text: string, { file, ...from }: From): WorkflowHistory {
  const history = jsonIn(text);
  const read = schema.safeParse(history);
  if (!read.success) {
    throw new ConfigProblem('this file holds no history of a workflow', {
      place: { file },
      advice: 'Give what --save-histories has written, or: temporal workflow show --workflow-id <id> --output json',
    });
  }
  const started = read.data.events[0].workflowExecutionStartedEventAttributes;
  return {
    workflow: started.workflowId || from.workflow,
    execution: from.execution || started.originalExecutionRunId || '',
    type: started.workflowType.name,
    events: read.data.events.length,
    history,
  };
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
