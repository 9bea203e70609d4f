// The segment that was written last: where a kill may have torn a line.
import { glob, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** Cuts the newest segment under a folder in the middle of its last line. */
export async function tearNewest(folder: string): Promise<void> {
  const path = await newestSegment(folder);
  const bytes = await readFile(path);
  const lastLine = bytes.length - 1 - bytes.lastIndexOf('\n', bytes.length - 2);
  await truncate(path, bytes.length - Math.ceil(lastLine / 2));
}

async function newestSegment(folder: string): Promise<string> {
  let newest: { path: string; at: number } | null = null;
  for await (const name of glob('**/*.jsonl', { cwd: folder })) {
    const path = join(folder, name);
    const { mtimeMs, size } = await stat(path);
    if (size > 0 && mtimeMs > (newest?.at ?? 0)) newest = { path, at: mtimeMs };
  }
  if (newest === null) throw new Error(`no segment lies under ${folder}`);
  return newest.path;
}
