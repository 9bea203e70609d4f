// A folder of a test's own, gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'uturn-store-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
