import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ConfigProblem, sentence } from '../../domain/problems.ts';
import { runCommand } from '../../local/command.ts';
import { systemPython, toolVenv } from '../../local/python.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = await mkdtemp(join(tmpdir(), 'uturn-python-'));

/** A program that answers as a Python of that version would. */
async function pythonThatSays(name: string, script: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const refusal = async (asked: Promise<unknown>): Promise<string> => {
  const problem = await asked.catch((error: unknown) => error);
  if (!(problem instanceof ConfigProblem)) throw new Error(`not refused: ${String(problem)}`);
  return sentence(problem);
};

test('the tools run from the cache, and a second call makes nothing', async () => {
  const lines: string[] = [];
  const venv = await toolVenv({ report: () => {} });
  expect(await toolVenv({ report: (line) => lines.push(line) })).toMatchObject({ python: venv.python });
  expect(lines).toEqual([]);

  const temporal = await runCommand(venv.bin('temporal'), ['--version']);
  const jinja = await runCommand(venv.python, ['-c', 'import jinja2, markupsafe; print(jinja2.__version__)']);
  expect([temporal.stdout.split(' ').slice(0, 3).join(' '), jinja.stdout.trim()]).toEqual([
    'temporal version 1.9.1',
    '3.1.6',
  ]);
});

test('a venv whose Python was removed is made again', async () => {
  const cache = join(folder, 'cache');
  const { python } = await toolVenv({ report: () => {}, cache });
  await rm(python);
  await symlink('/nowhere/python', python);
  const lines: string[] = [];
  await toolVenv({ report: (line) => lines.push(line), cache });
  expect(lines).toEqual([
    'installing the Python tools (Temporal dev server, jinja2; 45 MB)',
    'installed the Python tools',
  ]);
  expect((await runCommand(python, ['-c', 'print("runs")'])).stdout).toBe('runs\n');
});

test('UTURN_PYTHON is the one that is used', async () => {
  const newer = await pythonThatSays('newer', 'echo 3 15');
  expect(await systemPython({ UTURN_PYTHON: newer })).toBe(newer);
});

test.each([
  ['older', 'echo 3 10', '3.10'],
  ['ancient', 'echo 2 7', '2.7'],
  ['no-python', 'echo hello', 'not found'],
  ['broken', 'exit 1', 'not found'],
])('a UTURN_PYTHON that is %s is refused', async (name, script, found) => {
  const python = await pythonThatSays(name, script);
  expect(await refusal(systemPython({ UTURN_PYTHON: python }))).toBe(
    `uturn needs Python 3.11 or newer; found ${python}: ${found}\n` +
      '  Set UTURN_PYTHON to such a Python, or unset it to have uturn look for one.',
  );
});

test('without a venv module, and without network, the sentence says what failed and what to do', async () => {
  await mkdir(join(folder, 'empty'), { recursive: true });
  const noVenv = await pythonThatSays(
    'no-venv',
    'case "$1" in -c) echo 3 12;; *) echo "No module named venv" >&2; exit 1;; esac',
  );
  vi.stubEnv('UTURN_PYTHON', noVenv);
  expect(await refusal(toolVenv({ report: () => {}, cache: join(folder, 'a') }))).toBe(
    `${noVenv} cannot make a virtual environment:\n    No module named venv\n` +
      '  Install the venv module (on Debian and Ubuntu: apt install python3-venv), or set UTURN_PYTHON.',
  );
  vi.unstubAllEnvs();

  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', join(folder, 'empty'));
  const offline = await refusal(toolVenv({ report: () => {}, cache: join(folder, 'b') }));
  vi.unstubAllEnvs();
  expect(offline).toContain('the Python tools could not be installed; pip said:\n    ');
  expect(offline).toContain('No matching distribution found for jinja2==3.1.6');
  expect(offline).toContain('Check the network');
});

test.each(['requirements.txt', 'requirements-checkers.txt', 'requirements-checkers-source.txt'])(
  '%s pins versions and hashes, and holds nothing else',
  async (file) => {
    const text = await readFile(join(import.meta.dirname, '..', '..', 'python', file), 'utf8');
    const strange = text
      .split('\n')
      .filter((line) => !/^([a-z0-9-]+==[\d.]+ \\| {4}--hash=sha256:[0-9a-f]{64}( \\)?)?$/.test(line));
    expect(strange).toEqual([]);
  },
);
