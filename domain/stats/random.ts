// Random numbers by position: the nth number of a stream is a function of seed, stream and n. No state, so
// the same draws come out on every machine and in any order. For resampling, not for secrets.

/** Key of one stream of a seed. Seeds may be any safe integer: both halves count. */
export function streamKey(seed: number, stream: number): number {
  const high = Math.floor(seed / 2 ** 32);
  return mix(mix(mix(seed | 0) ^ (high | 0)) + stream);
}

/** The 32 bits at a position of a stream. The key enters twice, so that streams are no shifted copies of each other. */
export function bitsAt(key: number, position: number): number {
  return mix(mix(Math.imul(position, 0x9e3779b9) ^ key) + Math.imul(key, 0x85ebca6b));
}

/** A whole number in 0 … below − 1 (`below` up to 2²⁰ or so: the bias is below / 2³²). */
export function indexAt(key: number, position: number, below: number): number {
  return Math.floor((bitsAt(key, position) / 2 ** 32) * below);
}

/** A bijection of 32-bit numbers that flips each output bit with probability close to ½ (constants: hash-prospector). */
function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
