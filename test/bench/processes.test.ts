// What a contestant's processes take, and that none of them outlives its job.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withJob } from '../../bench/job.ts';
import { markedProcesses, markName, watchProcesses } from '../../bench/processes.ts';

/** Says when it has used half a second of CPU, and stays. */
const busy = `while (process.cpuUsage().user < 500_000); console.log('done'); setInterval(() => {}, 1_000);`;
/** Starts one like itself in a session of its own, which nobody waits for, and stays. */
const detaching = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }); setInterval(() => {}, 1_000);`;

function start(script: string, env: NodeJS.ProcessEnv) {
  return spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'ignore'] });
}

test.skipIf(process.platform !== 'linux')(
  'CPU of marked processes is counted, of detached ones too, and of no others',
  async () => {
    const mark = 'counted';
    using watch = watchProcesses(mark);
    using nobody = watchProcesses('nobody');
    const ours = start(detaching, { ...process.env, [markName]: mark });
    const foreign = start(busy, { ...process.env, [markName]: 'another' });
    try {
      await Promise.all([once(ours.stdout, 'data'), once(foreign.stdout, 'data')]);
      const { cpu_s, peak_mb } = watch.taken();
      expect(cpu_s).toBeGreaterThanOrEqual(0.45);
      expect(peak_mb).toBeGreaterThan(20);
      expect(nobody.taken().cpu_s).toBe(0);
      watch.restart();
      expect(watch.taken().cpu_s).toBeLessThan(cpu_s);
    } finally {
      for (const pid of markedProcesses(mark)) process.kill(pid, 'SIGKILL');
      foreign.kill('SIGKILL');
    }
  },
);

test.skipIf(process.platform !== 'linux')('a job ends what it started, and takes its folder along', async () => {
  const size = { items: 1, inFlight: 1, profile: null };
  const left = await withJob({ url: '' }, size, async ({ dir, env }, mark) => {
    const child = start(detaching, env);
    await once(child.stdout, 'data');
    expect(markedProcesses(mark)).toHaveLength(2);
    return { dir, mark };
  });
  expect(markedProcesses(left.mark)).toEqual([]);
  expect(existsSync(left.dir)).toBe(false);
});
