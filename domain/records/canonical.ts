// Canonical JSON (RFC 8785) and the hashes made from it: what makes two results "the same".
import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** RFC 8785 text of a JSON value. Throws on what JSON cannot hold (undefined at the root, NaN, functions). */
export function canonicalJson(value: unknown): string {
  const ordered = inOrder(value);
  const text = ordered === unusual ? canonicalize(value) : JSON.stringify(ordered);
  if (text === undefined) throw new TypeError('value has no canonical JSON form');
  return text;
}

/** What is left to the library: refused by it, or not in order however it is built. */
const unusual = Symbol('unusual');
/** JavaScript puts such names first, whatever the order they were given in. */
const index = /^(?:0|[1-9]\d*)$/;

/**
 * The value with its names in order: RFC 8785 writes everything else as JSON.stringify does. Records hold thousands of
 * token ids, which the library, sign by sign, takes ten times as long for.
 */
function inOrder(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : unusual;
  if (typeof value === 'number') return Number.isFinite(value) ? value : unusual;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object' || 'toJSON' in value) return unusual;
  return Array.isArray(value) ? elementsInOrder(value) : namesInOrder(value);
}

function elementsInOrder(values: unknown[]): unknown {
  if (values.every(Number.isSafeInteger)) return values;
  const ordered: unknown[] = [];
  for (const each of values) {
    const one = inOrder(each);
    if (one === unusual) return unusual;
    ordered.push(one);
  }
  return ordered;
}

function namesInOrder(value: object): unknown {
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  const ordered: Record<string, unknown> = {};
  for (const [name, each] of entries) {
    const one = inOrder(each);
    if (one === unusual || !name.isWellFormed() || name === '__proto__' || index.test(name)) return unusual;
    ordered[name] = one;
  }
  return ordered;
}

/** Lower-case hex SHA-256 of bytes, or of a well-formed string's UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** SHA-256 of a value's canonical JSON, 64 hex characters. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The first 128 bits of `hashOf`, 32 hex characters: short enough for names in histories and paths. */
export function shortHashOf(value: unknown): string {
  return hashOf(value).slice(0, 32);
}
