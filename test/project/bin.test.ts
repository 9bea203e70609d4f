import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { systemPython } from '../../local/python.ts';

const root = join(import.meta.dirname, '..', '..');

/** Says that it is there and what it hears, and ends a moment after the first signal, when a second one would have come. */
const listener = `
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
  console.log(signal);
  setTimeout(() => process.exit(7), 300);
});
setInterval(() => undefined, 1_000);
console.log('ready');
`;

/** `uturn.js` among other files, run by a Node that calls itself 20. */
async function tree(files: Record<string, string>, node: 'with Node 24' | 'without Node 24') {
  const folder = await mkdtempDisposable(join(tmpdir(), 'uturn-bin-'));
  const write = async (file: string, content: string) => {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), content);
  };
  for (const [file, content] of Object.entries(files)) await write(file, content);
  await write(
    'old.cjs',
    "Object.defineProperties(process, { version: { value: 'v20.1.0' }, versions: { value: { node: '20.1.0' } } });",
  );
  await write('package.json', '{ "type": "module" }');
  await mkdir(join(folder.path, 'bin'));
  await copyFile(join(root, 'bin', 'uturn.js'), join(folder.path, 'bin', 'uturn.js'));
  if (node === 'with Node 24') {
    await mkdir(join(folder.path, 'node_modules', 'node', 'bin'), { recursive: true });
    await symlink(process.execPath, join(folder.path, 'node_modules', 'node', 'bin', 'node'));
  }
  const args = ['--require', join(folder.path, 'old.cjs'), join(folder.path, 'bin', 'uturn.js')];
  return { args, [Symbol.asyncDispose]: () => folder.remove() };
}

function start(args: string[]): { child: ChildProcess; said: Promise<string>; complained: Promise<string> } {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  return { child, said: text(child.stdout), complained: text(child.stderr) };
}

test('arguments go in and the exit code comes out, from the sources and from their build', async () => {
  const main = 'console.log(process.argv.slice(2).join());\nprocess.exit(3);\n';
  for (const place of ['cli/main.ts', 'dist/cli/main.js']) {
    await using at = await tree({ [place]: main }, 'with Node 24');
    const { child, said } = start([...at.args, 'run', 'a b.yaml']);
    expect([await said, child.exitCode ?? (await once(child, 'exit'))[0]]).toEqual(['run,a b.yaml\n', 3]);
  }
});

test('what was compiled is kept for the next start, whatever Node started it', async () => {
  for (const old of [true, false]) {
    await using at = await tree(
      { 'cli/main.ts': "await import('./heavy.ts');", 'cli/heavy.ts': 'export {};' },
      'with Node 24',
    );
    await using cache = await mkdtempDisposable(join(tmpdir(), 'uturn-compiled-'));
    const args = old ? at.args : at.args.slice(2);
    const child = spawn(process.execPath, args, { env: { ...process.env, UTURN_CACHE: cache.path } });
    expect(await once(child, 'exit')).toEqual([0, null]);
    const kept = await readdir(join(cache.path, 'compiled'), { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile()).length).toBeGreaterThan(1);
  }
});

test('with no Node 24 around it says what to install', async () => {
  await using at = await tree({ 'cli/main.ts': '' }, 'without Node 24');
  const { child, complained } = start(at.args);
  expect(await complained).toBe(
    'uturn needs Node 24 or newer; this is v20.1.0.\n' +
      '  Install Node 24, or beside uturn: npm install node@24 (in a checkout: npm ci).\n',
  );
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(2);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a %s for the outer process is heard once', async (signal) => {
  await using at = await tree({ 'cli/main.ts': listener }, 'with Node 24');
  const { child, said } = start(at.args);
  child.stdout?.once('data', () => child.kill(signal));
  expect(await said).toBe(`ready\n${signal}\n`);
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(7);
});

test('a main that is killed ends as a shell would say it', async () => {
  await using at = await tree({ 'cli/main.ts': "process.kill(process.pid, 'SIGKILL');" }, 'with Node 24');
  const { child } = start(at.args);
  expect(await once(child, 'exit')).toEqual([137, null]);
});

test('killing the wrapper kills the command', async () => {
  await using at = await tree({ 'cli/main.ts': listener }, 'with Node 24');
  const { child, said } = start(at.args);
  child.stdout?.once('data', () => child.kill('SIGKILL'));
  // The command holds the pipe open for as long as it lives.
  expect(await said).toBe('ready\n');
});

/** Runs a command on a terminal of its own, presses Ctrl-C once it is ready, and prints what the terminal showed. */
const terminal = `
import os, pty, sys
shown = b''
def read(fd):
    global shown
    data = os.read(fd, 1024)
    if b'ready' not in shown and b'ready' in shown + data: os.write(fd, b'\\x03')
    shown += data
    return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))
`;

test('Ctrl-C in a terminal is heard once', async () => {
  await using at = await tree({ 'cli/main.ts': listener }, 'with Node 24');
  const child = spawn(await systemPython(), ['-c', terminal, process.execPath, ...at.args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect((await text(child.stdout)).replaceAll('\r', '')).toBe('ready\n^CSIGINT\n');
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(7);
});
