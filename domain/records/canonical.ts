// Canonical JSON (RFC 8785) and the hashes made from it: what makes two results "the same".
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** RFC 8785 text of a JSON value. Throws on what JSON cannot hold (undefined at the root, NaN, functions). */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('value has no canonical JSON form');
  return text;
}

/** Lower-case hex SHA-256 of bytes, or of a well-formed string's UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** SHA-256 of a value's canonical JSON, 64 hex characters. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The first 128 bits of `hashOf`, 32 hex characters: short enough for names in histories and paths. */
export function shortHashOf(value: unknown): string {
  return hashOf(value).slice(0, 32);
}
