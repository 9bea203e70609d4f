import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../local/command.ts';

const root = join(import.meta.dirname, '..', '..');

async function lastLine(...args: string[]): Promise<{ code: number | null; line: string }> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const end = await runCommand(process.execPath, [vitest, 'run', ...args], {
    cwd: join(import.meta.dirname, 'closing'),
  });
  return { code: end.code, line: end.stdout.split('\n').at(-2) ?? '' };
}

test('a test run ends with a plain line that counts its tests, and a file that cannot be read as a failed one', async () => {
  expect(await lastLine()).toEqual({ code: 1, line: '2 passed, 2 failed, 1 skipped' });
});

test('nothing is said of skipped tests where there are none', async () => {
  expect(await lastLine('unreadable')).toEqual({ code: 1, line: '0 passed, 1 failed' });
});
