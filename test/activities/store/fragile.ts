// A store as one process sees it: every operation waits for leave, and the process may die at any of them.
import type { Segment, Store } from '../../../activities/store/store.ts';

/** `during` leaves a line torn after `bytes`; anything else is whole or not there. */
export type Death = { operation: number; when: 'before' | 'during' | 'after'; bytes: number };

export type Fragility = {
  death: Death | null;
  /** Called before each operation. */
  leave(): Promise<void>;
  /** Puts text at the end of a segment without its newline. */
  tear(path: string, text: string): Promise<void>;
};

export class Killed extends Error {}

export function fragile(store: Store, { death, leave, tear }: Fragility): Store {
  let operation = 0;
  let dead = false;

  const die = (): never => {
    dead = true;
    throw new Killed('killed');
  };
  const step = async <T>(
    work: () => Promise<T>,
    half: (bytes: number) => Promise<void> = async () => {},
  ): Promise<T> => {
    await leave();
    if (dead) throw new Killed('killed before');
    const last = operation === death?.operation ? death : null;
    operation += 1;
    if (last?.when === 'before') die();
    if (last?.when === 'during') {
      await half(last.bytes);
      die();
    }
    const result = await work();
    if (last?.when === 'after') die();
    return result;
  };
  const mortal = (path: string, segment: Segment): Segment => ({
    append: (line) =>
      step(
        () => segment.append(line),
        (bytes) =>
          tear(
            path,
            Buffer.from(line)
              .subarray(0, bytes % (Buffer.byteLength(line) + 1))
              .toString('latin1'),
          ),
      ),
    close: () => step(() => segment.close()),
  });

  return {
    uri: store.uri,
    fileOf: (path) => store.fileOf(path),
    read: (path) => step(() => store.read(path)),
    create: (path, data) => step(() => store.create(path, data)),
    list: (folder) => step(() => store.list(folder)),
    async *below(folder) {
      for await (const path of store.below(folder)) yield await step(async () => path);
    },
    segment: async (path) => mortal(path, await step(() => store.segment(path))),
  };
}

/** Work that goes on one operation at a time. */
export type Stepped = { step(): Promise<'running' | 'ended'> };

export function stepped(work: (leave: () => Promise<void>) => Promise<unknown>): Stepped {
  let halted = Promise.withResolvers<'running' | 'ended'>();
  let go = Promise.withResolvers<void>();
  let over = false;
  const leave = () => {
    halted.resolve('running');
    return go.promise;
  };
  const ended = () => {
    over = true;
    halted.resolve('ended');
  };
  void work(leave).then(ended, ended);
  return {
    async step() {
      await halted.promise;
      // Of many operations asked for at once, some may still wait when the work has ended: they died with it.
      if (over) return 'ended';
      const before = go;
      halted = Promise.withResolvers();
      go = Promise.withResolvers();
      before.resolve();
      return halted.promise;
    },
  };
}
