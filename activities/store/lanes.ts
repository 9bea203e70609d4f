// Work on many things at once, that come one after another and are not kept.

/** Works on each, `lanes` at a time. Nothing is begun after a failure, which is thrown when what was begun has ended. */
export async function inLanes<T>(
  things: AsyncIterable<T> | Iterable<T>,
  lanes: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const coming = (async function* () {
    yield* things;
  })();
  let failed = false;
  const lane = async () => {
    try {
      for (let next = await coming.next(); !next.done && !failed; next = await coming.next()) await work(next.value);
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  await coming.return(undefined);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
