import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../local/command.ts';

const root = join(import.meta.dirname, '..', '..');

/** What a command says that is interrupted twice, and its exit code; left alone it ends by itself with 0. */
async function interruptedTwice(between: { ms: number }): Promise<{ code: number | null; lines: string[] }> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'uturn-interrupt-'));
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { onInterrupt } from ${JSON.stringify(join(root, 'cli', 'follow.ts'))};
    import { openHome } from ${JSON.stringify(join(root, 'local', 'home.ts'))};
    const signal = onInterrupt(await openHome(process.env), console.log);
    signal.addEventListener('abort', () => console.log('aborted'));
    process.emit('SIGINT');
    if (${between.ms} > 0) await sleep(${between.ms});
    process.emit('SIGINT');
    await sleep(1_000);
    process.exit(0);
  `;
  const env = { ...process.env, UTURN_HOME: folder.path };
  const { code, lines } = await runCommand(process.execPath, ['--input-type=module', '--eval', script], { env });
  return { code, lines };
}

const stopping = ['Stopping: what is in flight ends first. Ctrl-C again stops at once.', 'aborted'];

test('one Ctrl-C that arrives twice, by the terminal and by npm, still lets what is in flight end', async () => {
  expect(await interruptedTwice({ ms: 0 })).toEqual({ code: 0, lines: stopping });
});

test('a second Ctrl-C stops at once', async () => {
  expect(await interruptedTwice({ ms: 400 })).toEqual({ code: 130, lines: stopping });
});
