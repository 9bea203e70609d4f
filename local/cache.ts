// Tools and weights that uturn fetches by itself, kept once for all checkouts of a person.
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { withLock } from './lock.ts';

/** `UTURN_CACHE`, else `uturn` under `XDG_CACHE_HOME`, else under `~/.cache`. Never inside a checkout by default. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.UTURN_CACHE) return resolve(env.UTURN_CACHE);
  // The XDG convention: a relative path there is to be ignored.
  const shared = env.XDG_CACHE_HOME;
  return join(shared && isAbsolute(shared) ? shared : join(homedir(), '.cache'), 'uturn');
}

/**
 * `usable` looks at a finished folder again (a venv whose Python was removed is not): if it says no, it is built anew.
 * `onWait` is called once when another process is already building the same thing.
 */
export type InstallOptions = { cache?: string; usable?: (folder: string) => Promise<boolean>; onWait?: () => void };

/**
 * The folder `name` of the cache, built by `build` unless it is there.
 * `build` fills a temporary folder that is renamed into place when it has returned: a folder under its name is whole.
 * Of several processes that ask at once one builds, the others wait for it. What killed builds left is removed.
 */
export async function installOnce(
  name: string,
  build: (folder: string) => Promise<void>,
  opts: InstallOptions = {},
): Promise<string> {
  const cache = opts.cache ?? cacheFolder();
  const final = join(cache, name);
  const isThere = async () => (await exists(final)) && ((await opts.usable?.(final)) ?? true);
  if (await isThere()) return final;

  await mkdir(cache, { recursive: true });
  const underLock = async () => {
    if (await isThere()) return;
    await removeLeftovers(cache, name);
    await rm(final, { recursive: true, force: true });
    await buildAside(final, build);
  };
  await withLock(join(cache, 'locks', `${name}.lock`), underLock, { ...(opts.onWait && { onWait: opts.onWait }) });
  return final;
}

async function buildAside(final: string, build: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(`${final}${UNFINISHED}`);
  try {
    await build(folder);
    await rename(folder, final);
  } catch (problem) {
    await rm(folder, { recursive: true, force: true });
    throw problem;
  }
}

const UNFINISHED = '.unfinished-';

// Only called under the lock of `name`, so nobody is building in what it finds.
async function removeLeftovers(cache: string, name: string): Promise<void> {
  for (const entry of await readdir(cache)) {
    if (entry.startsWith(`${name}${UNFINISHED}`)) await rm(join(cache, entry), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
