// Who may generate now: a few members (contexts), and a bounded first-come queue in front of them.

/** The queue is full, or closing. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export type Pool<Member> = {
  /**
   * Lends a free member to `work`, in the order of asking, and takes it back when `work` has ended.
   * An abort takes a waiting one out of the queue (rejects with the signal's reason); running work has to look itself.
   * @throws Overloaded
   */
  run<T>(work: (member: Member) => Promise<T>, signal: AbortSignal): Promise<T>;
  state(): { free: number; waiting: number };
  /** Turns away whoever waits or comes from now on, and resolves when nothing runs any more. */
  close(): Promise<void>;
};

export function createPool<Member>(members: Member[], opts: { longestQueue: number }): Pool<Member> {
  const free = [...members];
  const waiting: Waiter<Member>[] = [];
  const idle = Promise.withResolvers<void>();
  let closed = false;

  const giveBack = (member: Member) => {
    const next = waiting.shift();
    if (next) next.resolve(member);
    else free.push(member);
    if (closed && free.length === members.length) idle.resolve();
  };

  const borrow = (signal: AbortSignal): Promise<Member> => {
    if (closed) return Promise.reject(new Overloaded('the server is stopping'));
    const member = free.shift();
    if (member !== undefined) return Promise.resolve(member);
    if (waiting.length >= opts.longestQueue) {
      return Promise.reject(new Overloaded(`${waiting.length} requests are waiting already`));
    }
    const waiter = Promise.withResolvers<Member>();
    const leave = () => {
      const place = waiting.indexOf(waiter);
      if (place < 0) return;
      waiting.splice(place, 1);
      waiter.reject(signal.reason);
    };
    waiting.push(waiter);
    signal.addEventListener('abort', leave, { once: true });
    return waiter.promise.finally(() => signal.removeEventListener('abort', leave));
  };

  return {
    async run(work, signal) {
      signal.throwIfAborted();
      const member = await borrow(signal);
      try {
        return await work(member);
      } finally {
        giveBack(member);
      }
    },
    state: () => ({ free: free.length, waiting: waiting.length }),
    close() {
      closed = true;
      for (const waiter of waiting.splice(0)) waiter.reject(new Overloaded('the server is stopping'));
      if (free.length === members.length) idle.resolve();
      return idle.promise;
    },
  };
}

type Waiter<Member> = PromiseWithResolvers<Member>;
