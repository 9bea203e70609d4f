// Colour and shape, the same in every figure that shows models.
import type { Looks } from './looks.ts';

/** A colour for each model. */
export function modelColour(looks: Looks) {
  const order = [...looks.values()];
  const scale = { domain: order.map(({ short }) => short), range: order.map(({ tone }) => tone.light) };
  return { field: 'model', type: 'nominal' as const, scale, legend: null };
}

/** A shape for each family. */
export function familyShape(looks: Looks) {
  const shapes = new Map([...looks.values()].map(({ family, shape }) => [family, shape]));
  const scale = { domain: [...shapes.keys()], range: [...shapes.values()] };
  return { field: 'family', type: 'nominal' as const, scale, legend: null };
}
