// How a number of held-out samples is made up: items, temperatures, models and samples of each.

export type Shape = { items: number; temperatures: number[]; models: number; samples: number; total: number };

/** About `wanted` samples, in the blocks that a data set of thousands of items has. */
export function shapeOf(wanted: number): Shape {
  const large = wanted >= 400_000;
  const temperatures = Array.from({ length: large ? 10 : 2 }, (_, n) => (n + 1) / 10);
  const [models, samples] = [2, large ? 4 : 2];
  const items = Math.max(1, Math.round(wanted / (temperatures.length * models * samples)));
  return { items, temperatures, models, samples, total: items * temperatures.length * models * samples };
}
