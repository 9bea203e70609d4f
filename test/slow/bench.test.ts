// The bench itself, in small: bare loops and uturn on the bench's server.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../local/command.ts';

const report = z.object({
  rows: z.array(z.object({ contestant: z.string(), items: z.number(), served: z.number(), samples_per_s: z.number() })),
  failed: z.array(z.unknown()),
  ratios: z.record(z.string(), z.record(z.string(), z.number())),
});

test('a small bench measures each contestant, counts one request per sample, and ends with its ratios', async () => {
  const main = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');
  const args = ['--quick', '--only', 'http,openai-node,uturn-file', '--json'];
  const { code, stdout, lines } = await runCommand(process.execPath, ['--no-warnings', main, ...args]);
  expect(lines.find((line) => line.startsWith('bench: '))).toMatch(/^bench: 3 of 3 gates passed/);
  expect(code).toBe(0);
  const { rows, failed, ratios } = report.parse(JSON.parse(stdout));
  expect(failed).toEqual([]);
  expect(rows.map(({ contestant, items, served }) => ({ contestant, items, served }))).toEqual(
    ['http', 'openai-node', 'uturn-file'].map((contestant) => ({ contestant, items: 200, served: 200 })),
  );
  expect(rows.every((row) => row.samples_per_s > 0)).toBe(true);
  expect(Object.keys(ratios['0 ms, 16 in flight'] ?? {})).toEqual(['uturn-file / http', 'uturn-file / openai-node']);
  expect(Object.keys(JSON.parse(stdout) as object).at(-1)).toBe('ratios');
});
