// Exact numbers: fractions of BigInts, so that 0.1, 1/10 and 0.10 are one value and nothing is rounded.

/** In lowest terms, `d` above 0. */
export type Rational = { n: bigint; d: bigint };

/** Digits (and powers of ten) beyond which a numeral is refused: nobody's answer, and slow to compute with. */
export const largestDigits = 200;

/** `n/d` in lowest terms, null where `d` is 0. */
export function ratio(n: bigint, d: bigint): Rational | null {
  if (d === 0n) return null;
  const common = gcd(n < 0n ? -n : n, d < 0n ? -d : d) * (d < 0n ? -1n : 1n);
  return { n: n / common, d: d / common };
}

export function plus(a: Rational, b: Rational): Rational {
  return ratio(a.n * b.d + b.n * a.d, a.d * b.d) ?? a;
}

export function over(a: Rational, b: Rational): Rational | null {
  return ratio(a.n * b.d, a.d * b.n);
}

export function negated(a: Rational): Rational {
  return { n: -a.n, d: a.d };
}

/** Value of `12`, `12.50`, `.5`, `1.5e3`: ASCII digits, no sign, no grouping. Null for anything else and beyond `largestDigits`. */
export function parseDecimal(text: string): Rational | null {
  if (text.length > 2 * largestDigits) return null;
  const parts = /^(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  const [, whole = '', decimals = '', power = '0'] = parts ?? [];
  const digits = whole + decimals;
  if (digits === '' || digits.length > largestDigits || Math.abs(Number(power)) > largestDigits) return null;
  const exponent = Number(power) - decimals.length;
  return ratio(BigInt(digits) * 10n ** BigInt(Math.max(exponent, 0)), 10n ** BigInt(Math.max(-exponent, 0)));
}

/** The one way each value is written: `-3`, `0.5`, and `1/3` where no decimal ends. */
export function canonicalNumber({ n, d }: Rational): string {
  const places = decimalPlaces(d);
  if (places === null) return `${n}/${d}`;
  if (places === 0) return `${n}`;
  const digits = `${((n < 0n ? -n : n) * 10n ** BigInt(places)) / d}`.padStart(places + 1, '0');
  return `${n < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Decimal places of `1/d`, null where they never end. */
function decimalPlaces(d: bigint): number | null {
  let rest = d;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
