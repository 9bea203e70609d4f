// One contestant's one go: a folder of its own, and an environment that marks its processes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../local/until.ts';
import type { Job } from './contestants/contestant.ts';
import { markedProcesses, markName } from './processes.ts';
import type { BenchServer } from './server/server.ts';

const begun = new Set<string>();

/** The folder is gone when `work` has ended, and with it every process that carries its mark. */
export async function withJob<T>(
  { url }: Pick<BenchServer, 'url'>,
  size: Pick<Job, 'items' | 'inFlight' | 'profile'>,
  work: (job: Job, mark: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-bench-'));
  begun.add(dir);
  try {
    const env = { ...ownEnvironment(), [markName]: dir };
    return await work({ ...size, url, dir, env, begin: () => {}, end: () => {} }, dir);
  } finally {
    await end(dir);
  }
}

/** For a bench that is told to stop in the middle. */
export async function endJobs(): Promise<void> {
  for (const dir of begun) await end(dir);
}

async function end(dir: string): Promise<void> {
  for (const pid of markedProcesses(dir)) process.kill(pid, 'SIGKILL');
  await until(() => markedProcesses(dir).length === 0, 5_000);
  await rm(dir, { recursive: true, force: true });
  begun.delete(dir);
}

/** Nobody's own Temporal, store or key takes part. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(TEMPORAL_|UTURN_(HOME|STORE)|AWS_|OPENAI_|INSPECT_)/;
  const ours = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(ours), NO_COLOR: '1' };
}
