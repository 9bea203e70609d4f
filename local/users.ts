// Commands that use a home, so that the last one out can turn off the light.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Home } from './home.ts';
import { type LockOptions, withLock } from './lock.ts';
import { isAlive, type ProcessIdentity, thisProcess } from './process.ts';
import { readRecord, writeRecord } from './records.ts';

export type Membership = {
  /**
   * Signs off. If nobody else is left `lastOut` runs, and nobody can join until it has returned:
   * a command that comes meanwhile starts afresh instead of joining what is being stopped.
   */
  leave(lastOut?: () => Promise<void>): Promise<'last' | 'others'>;
};

/** Signs this process on; once a process. Comes before `ensureService`, or a last one out may stop what was joined. */
export async function joinHome(home: Home, opts: LockOptions = {}): Promise<Membership> {
  const mine = join(home.users, `${process.pid}.json`);
  await locked(home, () => writeRecord(mine, thisProcess()), opts);
  return {
    leave: (lastOut) =>
      locked(home, async () => {
        await rm(mine, { force: true });
        if ((await present(home)).length > 0) return 'others';
        await lastOut?.();
        return 'last';
      }),
  };
}

/** Commands at work in this home. Those that were killed do not count, and their files are removed. */
export function users(home: Home): Promise<ProcessIdentity[]> {
  return locked(home, () => present(home));
}

/** Whether another command is at work here; asks without waiting for whoever is stopping services. */
export async function othersPresent(home: Home): Promise<boolean> {
  return (await present(home)).some((user) => user.pid !== process.pid);
}

async function present(home: Home): Promise<ProcessIdentity[]> {
  const alive: ProcessIdentity[] = [];
  for (const file of (await readdir(home.users)).filter((name) => name.endsWith('.json'))) {
    const found = await readRecord(join(home.users, file), identitySchema);
    if (found.state === 'read' && isAlive(found.value)) alive.push(found.value);
    else await rm(join(home.users, file), { force: true });
  }
  return alive;
}

const identitySchema: z.ZodType<ProcessIdentity> = z.object({ pid: z.int(), started: z.string() });

function locked<T>(home: Home, fn: () => Promise<T>, opts: LockOptions = {}): Promise<T> {
  return withLock(join(home.locks, 'users.lock'), fn, opts);
}
