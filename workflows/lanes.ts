// A bounded number of things in flight, in a fixed order.
import { CancellationScope } from '@temporalio/workflow';

/**
 * Works through what `next` gives, `width` at a time, until it gives null.
 * The first failure cancels what else is in flight and is thrown.
 */
export async function inLanes<T>(opts: {
  width: number;
  next(): Promise<T | null>;
  work(thing: T): Promise<void>;
}): Promise<void> {
  const lane = async () => {
    for (let thing = await opts.next(); thing !== null; thing = await opts.next()) await opts.work(thing);
  };
  await CancellationScope.cancellable(async () => {
    const lanes = Array.from({ length: opts.width }, lane);
    try {
      await Promise.all(lanes);
    } catch (failure) {
      CancellationScope.current().cancel();
      await Promise.allSettled(lanes);
      throw failure;
    }
  });
}
