// Stores of their own for tests that read runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../activities/store/open.ts';
import type { Store } from '../../activities/store/store.ts';

/** An empty store that goes with the test. */
export async function freshStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'uturn-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return openStore(folder);
}
