import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../local/command.ts';

const root = join(import.meta.dirname, '..', '..');

const output = z.object({
  diagnostics: z.array(z.object({ code: z.string(), message: z.string(), filename: z.string() })),
});

/** What the project's own lint says about a tree of files, as `file: message`. */
async function lint(files: Record<string, string>, rule: string): Promise<string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'uturn-lint-'));
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder.path, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true } }));
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const args = [oxlint, '--config', join(root, '.oxlintrc.json'), '--format', 'json'];
  const end = await runCommand(process.execPath, args, { cwd: folder.path });
  const { diagnostics } = output.parse(JSON.parse(end.stdout));
  return diagnostics
    .filter(({ code }) => code === rule)
    .map(({ filename, message }) => `${filename}: ${message}`)
    .sort();
}

test('each wall stops what is behind it, however it is imported', async () => {
  const found = await lint(
    {
      'domain/plan/clock.ts': "import { readFile } from 'node:fs/promises';\nexport const read = readFile;\n",
      'domain/plan/store.ts': "export { openStore } from '../../activities/store/open.ts';\n",
      'domain/type.ts': "import type { Store } from '../activities/store/store.ts';\nexport type Mine = Store;\n",
      'workflows/clock.ts': "import { hostname } from 'node:os';\nexport const host = hostname;\n",
      'workflows/run.ts':
        "import { runActivities } from '../activities/run/run.ts';\nexport const run = runActivities;\n",
      'workflows/inline.ts': "import { type Run } from '../activities/run/run.ts';\nexport type Mine = Run;\n",
      'activities/run/sweep.ts': "import { sweep } from '../../workflows/sweep.ts';\nexport const run = sweep;\n",
      'activities/run/table.ts': "export const table = () => import('../../report/table.ts');\n",
      'local/reach.ts':
        "import { reachModel } from '../activities/inference/reach.ts';\nexport const reach = reachModel;\n",
      'report/ask.ts': "export * from '../activities/inference/client.ts';\n",
      'report/exit.ts': "import { exit } from '../cli/exit.ts';\nexport const code = exit.ok;\n",
      'cli/start.ts': "import { startWorkers } from '../workers/start.ts';\nexport const start = startWorkers;\n",
      'cli/types.ts': "export type Sweep = import('../workflows/sweep.ts').Sweep;\n",
      'workers/main.ts': "import { exit } from '../cli/exit.ts';\nexport const code = exit.ok;\n",
      'tools/new.ts': "import { z } from 'zod';\nexport const any = z.unknown();\n",
    },
    'uturn(import-walls)',
  );
  expect(found).toMatchInlineSnapshot(`
    [
      "activities/run/sweep.ts: activities/ may not import workflows/sweep.ts",
      "activities/run/table.ts: activities/ may not import report/table.ts",
      "cli/start.ts: cli/ may not import workers/start.ts",
      "cli/types.ts: cli/ may not import workflows/sweep.ts",
      "domain/plan/clock.ts: domain/ may not import node:fs/promises, only canonicalize, node:crypto, yaml, zod",
      "domain/plan/store.ts: domain/ may not import activities/store/open.ts",
      "domain/type.ts: domain/ may not import activities/store/store.ts",
      "local/reach.ts: local/ may not import activities/inference/reach.ts",
      "report/ask.ts: report/ may not import activities/inference/client.ts",
      "report/exit.ts: report/ may not import cli/exit.ts",
      "tools/new.ts: tools/ has no line in scripts/lint/walls.ts: say there what it may import",
      "workers/main.ts: workers/ may not import cli/exit.ts",
      "workflows/clock.ts: workflows/ may not import node:os, only @temporalio/workflow",
      "workflows/inline.ts: workflows/ may import only types from activities/run/run.ts: write \`import type\`",
      "workflows/run.ts: workflows/ may import only types from activities/run/run.ts: write \`import type\`",
    ]
  `);
});

test('what each folder needs goes through', async () => {
  const found = await lint(
    {
      'domain/records/key.ts':
        "import { createHash } from 'node:crypto';\nimport { z } from 'zod/v4';\nimport { n } from '../n.ts';\nexport const all = [createHash, z, n];\n",
      'workflows/campaign.ts':
        "import { sleep } from '@temporalio/workflow';\nimport type { Run } from '../activities/run/run.ts';\nimport { keys } from '../domain/plan/keys.ts';\nexport const all = [sleep, keys];\nexport type Mine = Run;\n",
      'activities/run/run.ts':
        "import { join } from 'node:path';\nimport { home } from '../../local/home.ts';\nimport { open } from '../store/open.ts';\nexport const all = [join, home, open];\n",
      'report/summarise.ts':
        "import { readPart } from '../activities/store/shard.ts';\nimport { items } from '../activities/data/items.ts';\nexport const all = [readPart, items];\n",
      'workers/start.ts': "import { summarise } from '../report/summarise.ts';\nexport const all = [summarise];\n",
      'cli/main.ts': "import { table } from '../report/table.ts';\nexport const all = [table];\n",
      'test/cli/main.test.ts': "import { exit } from '../../cli/exit.ts';\nexport const all = [exit];\n",
      'vitest.config.ts': "import { exit } from './cli/exit.ts';\nexport const all = [exit];\n",
    },
    'uturn(import-walls)',
  );
  expect(found).toEqual([]);
});

test('an update that waits between its reading and its writing is found', async () => {
  const declared =
    'declare const next: () => Promise<number>;\nlet total = 0;\nlet rows: number[] = [];\nconst at = { total: 0 };\n';
  const asks = (body: string) =>
    `${declared}export async function ask() {\n  ${body}\n  return [total, rows, at];\n}\n`;
  const found = await lint(
    {
      'local/bad/add.ts': asks('total += await next();'),
      'local/bad/inside.ts': asks('total -= Math.max(1, (await next()) * 2);'),
      'local/bad/property.ts': asks('at.total = at.total + (await next());'),
      'local/bad/spread.ts': asks('rows = [...rows, await next()];'),
      'local/good/argument.ts': asks('total = await next().then((n) => n + total);'),
      'local/good/before.ts': asks('const n = await next();\n  total += n;'),
      'local/good/other.ts': asks('total = at.total + (await next());'),
      'local/good/function.ts': asks('rows = rows.concat([1].filter(() => void (async () => await next())));'),
      'local/good/set.ts': asks('total = await next();'),
    },
    'uturn(no-await-in-update)',
  );
  expect(found).toMatchInlineSnapshot(`
    [
      "local/bad/add.ts: total is read before this await and written after it: what others added meanwhile is lost. Await into a constant first.",
      "local/bad/inside.ts: total is read before this await and written after it: what others added meanwhile is lost. Await into a constant first.",
      "local/bad/property.ts: at.total is read before this await and written after it: what others added meanwhile is lost. Await into a constant first.",
      "local/bad/spread.ts: rows is read before this await and written after it: what others added meanwhile is lost. Await into a constant first.",
    ]
  `);
});

test('a promise nobody waits for is found, so types are looked at', async () => {
  const text = 'declare const save: () => Promise<void>;\nexport function end() {\n  save();\n}\n';
  expect(await lint({ 'local/end.ts': text }, 'typescript(no-floating-promises)')).toHaveLength(1);
});
