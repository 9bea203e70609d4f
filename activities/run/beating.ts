// Work on a run that may take minutes: heartbeats say that its worker lives, so that a dead one is noticed before long.
import { Context } from '@temporalio/activity';

export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const pulse = setInterval(() => context.heartbeat(), 2_000);
  try {
    return await work();
  } finally {
    clearInterval(pulse);
  }
}
