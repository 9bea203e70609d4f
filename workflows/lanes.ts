// A bounded number of things in flight, in a fixed order.
import { CancellationScope, condition } from '@temporalio/workflow';

/**
 * Works through what `next` gives, `width()` at a time, until it gives null. Where that grows more are begun at once; where it
 * shrinks, those that are too many come to their end first. The first failure cancels what else is in flight and is thrown.
 */
export async function inLanes<T>(opts: {
  width(): number;
  next(): Promise<T | null>;
  work(thing: T): Promise<void>;
}): Promise<void> {
  const lanes: Promise<void>[] = [];
  let open = 0;
  let nothingLeft = false;
  const lane = async () => {
    for (let thing = await opts.next(); thing !== null; thing = await opts.next()) {
      await opts.work(thing);
      if (open <= opts.width()) continue;
      open -= 1;
      return;
    }
    nothingLeft = true;
    open -= 1;
  };
  const fill = () => {
    while (open < opts.width()) {
      open += 1;
      lanes.push(lane());
    }
  };
  await CancellationScope.cancellable(async () => {
    fill();
    try {
      for (let over = false; !over; ) {
        const all = Promise.all(lanes).then(() => true);
        const grown = condition(() => !nothingLeft && open < opts.width()).then(() => false);
        over = await Promise.race([all, grown]);
        if (!over && !nothingLeft) fill();
      }
    } catch (failure) {
      CancellationScope.current().cancel();
      await Promise.allSettled(lanes);
      throw failure;
    }
  });
}
