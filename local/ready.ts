// A worker has no port to ask, so it says in a file that it polls.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from './home.ts';

export async function sayReady(home: Home): Promise<void> {
  await writeFile(join(home.dir, 'worker.ready'), String(process.pid));
}

export async function isReady(home: Home, pid: number): Promise<boolean> {
  const said = await readFile(join(home.dir, 'worker.ready'), 'utf8').catch(() => '');
  return said === String(pid);
}
