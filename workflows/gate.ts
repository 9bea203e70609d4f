// What stands before everything a campaign begins: a pause, and the run's budget.
import { condition } from '@temporalio/workflow';
import type { ShardRef } from '../domain/plan/boundary.ts';
import type { Control } from './control.ts';
import type { OpenPurse } from './purse.ts';

export type Gate = {
  /** Returns when something may be begun. */
  open(): Promise<void>;
  /** The same, and begins a node; what it returns is called when the node is over. */
  enter(node: ShardRef): Promise<() => void>;
};

/** `onShut` is called when the budget is used up and all that was begun is over, once until there is more. */
export function openGate(
  { control, purse }: { control: Control; purse: OpenPurse },
  onShut: () => Promise<void>,
): Gate {
  let quiet = false;
  const pass = async <T>(through: () => T | null): Promise<T> => {
    for (;;) {
      if (purse.isShut() && !quiet) {
        quiet = true;
        await onShut();
        continue;
      }
      // Awaited in any case: a campaign that is cancelled gets no further.
      await condition(() => !control.paused || (purse.isShut() && !quiet));
      if (control.paused) continue;
      const passed = through();
      if (passed !== null) {
        quiet = false;
        return passed;
      }
      if (!purse.isShut() || quiet) await purse.wait();
    }
  };
  return {
    open: async () => void (await pass(() => (purse.hasRoom() ? true : null))),
    enter: (node) => pass(() => purse.take(node)),
  };
}
