// Which clusters a resample picks. Rates of one seed over as many clusters pick the same ones, and to draw them is most of the work.
import { indexAt, streamKey } from './random.ts';

export type Draws = {
  draws: number;
  /** Positions of the clusters that one resample picks, of so many. Overwritten by the next call where they are not kept. */
  of(clusters: number, draw: number): Uint32Array | Uint16Array;
};

/** What is kept at most, in bytes: the draws of 16,000 clusters. */
const mostKept = 64 * 2 ** 20;

/** Always the same draws for a seed. They are kept while there is room: for as many clusters as were asked for last. */
export function drawing(seed: number, draws = 2000): Draws {
  let kept: { clusters: number; all: Uint16Array; drawn: Uint8Array } | null = null;
  let one = new Uint32Array(0);

  const draw = (into: Uint32Array | Uint16Array, number: number) => {
    const key = streamKey(seed, number);
    for (let position = 0; position < into.length; position++) into[position] = indexAt(key, position, into.length);
    return into;
  };

  return {
    draws,
    of(clusters, number) {
      if (2 * clusters * draws > mostKept || clusters > 2 ** 16) {
        if (one.length !== clusters) one = new Uint32Array(clusters);
        return draw(one, number);
      }
      if (kept?.clusters !== clusters)
        kept = { clusters, all: new Uint16Array(clusters * draws), drawn: new Uint8Array(draws) };
      const mine = kept.all.subarray(number * clusters, (number + 1) * clusters);
      if (kept.drawn[number] === 1) return mine;
      kept.drawn[number] = 1;
      return draw(mine, number);
    },
  };
}
