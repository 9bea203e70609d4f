// Work that several activities of this process want at once, and that only the first of them needs to do.
import { Context } from '@temporalio/activity';

const waiting = { done: 0, total: 0, tokens: 0 };

/** Works on one thing after another, things of other names beside them. Who waits sends heartbeats and may be cancelled. */
export function queues(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const lasts = new Map<string, Promise<void>>();
  return async (name, work) => {
    const before = lasts.get(name);
    const mine = Promise.withResolvers<void>();
    const last = Promise.all([before, mine.promise]).then(() => {
      if (lasts.get(name) === last) lasts.delete(name);
    });
    lasts.set(name, last);
    try {
      if (before !== undefined) await patiently(before);
      return await work();
    } finally {
      mine.resolve();
    }
  };
}

async function patiently(before: Promise<void>): Promise<void> {
  const context = Context.current();
  const pulse = setInterval(() => context.heartbeat(waiting), 2_000);
  try {
    await Promise.race([before, context.cancelled]);
  } finally {
    clearInterval(pulse);
  }
}
