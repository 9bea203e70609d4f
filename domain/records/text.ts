// Model text may hold lone surrogates, which UTF-8 cannot. Stored text is always well-formed;
// where the original was not, the exact UTF-16 code units are kept beside it.

/** `text` is always well-formed Unicode; `utf16` (base64, little endian) is there only where that lost something. */
export type StoredText = { text: string; utf16?: string };

/** Stored form of any JavaScript string. Lone surrogates become U+FFFD in `text`. */
export function storeText(original: string): StoredText {
  if (original.isWellFormed()) return { text: original };
  return { text: original.toWellFormed(), utf16: Buffer.from(original, 'utf16le').toString('base64') };
}

/** The exact original string of `storeText`. */
export function exactText(stored: StoredText): string {
  return stored.utf16 === undefined ? stored.text : Buffer.from(stored.utf16, 'base64').toString('utf16le');
}

/** The same JSON value with U+FFFD in the place of every lone surrogate; the value itself where there is none. */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (mended(value) as T);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(Number.isFinite) || value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isWellFormed);
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mended(one)]));
}
