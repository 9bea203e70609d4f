// A worker that nobody waits for and that has nothing to do goes home: a killed command leaves no process for ever.
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTemporal, type Temporal } from '../local/connection.ts';
import type { Home } from '../local/home.ts';
import { listServices, stopUnkept } from '../local/services.ts';
import { othersPresent } from '../local/users.ts';

export type IdleOptions = { home: Home; temporal: Temporal; afterMs: number; signal: AbortSignal };

/**
 * Resolves when for `afterMs` no command used the home and no run was open, or never where the worker was brought
 * `up` to stay. What cannot be asked counts as busy.
 */
export async function untilIdle(opts: IdleOptions): Promise<'idle' | 'stopped'> {
  const every = Math.max(250, Math.min(10_000, opts.afterMs / 4));
  let quietSince = Date.now();
  while (!opts.signal.aborted) {
    await sleep(every, undefined, { signal: opts.signal }).catch(() => undefined);
    if (await busy(opts).catch(() => true)) quietSince = Date.now();
    else if (Date.now() - quietSince >= opts.afterMs) return 'idle';
  }
  return 'stopped';
}

/** Ends the other services of the home; this process ends itself. */
export async function stopOthers(home: Home): Promise<void> {
  await stopUnkept(home, { except: 'worker' });
}

async function busy({ home, temporal }: IdleOptions): Promise<boolean> {
  const worker = (await listServices(home)).find((service) => service.name === 'worker');
  if (worker?.keep !== 'run' || (await othersPresent(home))) return true;
  const connected = await connectTemporal(temporal);
  try {
    return (await connected.client.workflow.count('ExecutionStatus = "Running"')).count > 0;
  } finally {
    await connected.close();
  }
}
