// Making folders where the file system may take none.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * A folder and those above it, as `mkdir -p`. Node's own never comes back where a parent is there and takes no
 * folders (under /proc, say): each missing one is tried once.
 * @throws  what the system says; ENOENT where the parent is there all the same
 */
export async function makeFolders(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !(await isThere(at)); at = dirname(at)) missing.unshift(at);
  for (const each of missing) await mkdir(each).catch(unlessMade);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Two commands may make a folder at once. */
function unlessMade(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
