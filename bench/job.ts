// One contestant's one go: a folder of its own, and an environment that marks its processes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from './contestants/contestant.ts';
import { markName } from './processes.ts';
import type { BenchServer } from './server/server.ts';

/** The folder is gone when `work` has ended. */
export async function withJob<T>(
  { url }: BenchServer,
  size: Pick<Job, 'items' | 'inFlight' | 'profile'>,
  work: (job: Job, mark: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-bench-'));
  try {
    const env = { ...ownEnvironment(), [markName]: dir };
    return await work({ ...size, url, dir, env, begin: () => {}, end: () => {} }, dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Nobody's own Temporal, store or key takes part. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(TEMPORAL_|UTURN_(HOME|STORE)|AWS_|OPENAI_|INSPECT_)/;
  const ours = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(ours), NO_COLOR: '1' };
}
