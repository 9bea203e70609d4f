// Pythons of the peers: one venv each in the cache, made once of packages pinned by hash, and never inside a checkout.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../domain/records/canonical.ts';
import { installOnce } from '../local/cache.ts';
import { lastLines, runCommand } from '../local/command.ts';
import { PIP_FLAGS, systemPython } from '../local/python.ts';

const folder = join(import.meta.dirname, 'python');

/** Path of a Python that has exactly what this file pins. @throws Error  it cannot be had here; with what was said */
export async function peerPython(requirements: string): Promise<string> {
  const file = join(folder, requirements);
  const digest = sha256(await readFile(file, 'utf8')).slice(0, 16);
  const made = await installOnce(`bench-${digest}`, async (at) => {
    const step = async (program: string, args: string[]) => {
      const end = await runCommand(program, args);
      if (end.code !== 0) throw new Error(`${requirements} could not be installed:${lastLines(end)}`);
    };
    await step(await systemPython(), ['-m', 'venv', at]);
    await step(pythonIn(at), ['-m', 'pip', 'install', ...PIP_FLAGS, '--require-hashes', '--no-deps', '-r', file]);
  });
  return pythonIn(made);
}

function pythonIn(venv: string): string {
  return join(venv, 'bin', 'python');
}
