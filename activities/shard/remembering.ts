// What a worker has read and may need again, as much of it as there is room for.

/** `sizeOf`: in the unit of `room`. */
export type Room<T> = { room: number; sizeOf(one: T): number };

/**
 * Loads each thing once, however many ask at once; a load that failed is tried again. Where room is short, what was not
 * asked for the longest goes first; the one asked for last is kept, however large.
 */
export function remembering<T>(
  load: (key: string) => Promise<T>,
  { room, sizeOf }: Room<T>,
): (key: string) => Promise<T> {
  // In the order of their last use.
  const known = new Map<string, { loading: Promise<T>; size: number }>();

  const makeRoom = () => {
    let total = [...known.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of [...known].slice(0, -1)) {
      if (total <= room) return;
      total -= size;
      if (size > 0) known.delete(key);
    }
  };

  const begin = (key: string) => {
    const begun = { loading: load(key), size: 0 };
    begun.loading.then(
      (one) => {
        begun.size = sizeOf(one);
        makeRoom();
      },
      () => known.get(key) === begun && known.delete(key),
    );
    return begun;
  };

  return (key) => {
    const one = known.get(key) ?? begin(key);
    known.delete(key);
    known.set(key, one);
    return one.loading;
  };
}
