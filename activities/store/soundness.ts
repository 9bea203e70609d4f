// Whether an object holds what its name says.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sha256, shortHashOf } from '../../domain/records/canonical.ts';
import { readRecords } from './lines.ts';
import { holdsItsName, isPart, isSegment } from './shard.ts';

/** What is wrong with an object, in words; null where nothing is, or its name says nothing. */
export async function faultIn(path: string, bytes: Uint8Array): Promise<string | null> {
  const [kind, ...rest] = path.split('/');
  const name = rest.at(-1) ?? '';
  if (kind === 'blobs') return sha256(bytes) === name ? null : 'its bytes do not have the SHA-256 in its name';
  if (kind === 'plans') return `${hashIn(bytes)}.json` === name ? null : 'it does not have the hash in its name';
  if (kind === 'stages' && isPart(name))
    return (await holdsItsName(name, bytes)) ? null : 'it does not hold what its name says';
  if (kind === 'stages' && isSegment(name)) return linesOf(bytes);
  if (kind === 'nights' && name.endsWith('.yaml'))
    return `${sha256(bytes)}.yaml` === name ? null : 'its bytes do not have the SHA-256 in its name';
  if (kind === 'runs' && name.endsWith('.json.gz'))
    return (await isPackedJson(bytes)) ? null : 'it does not hold gzipped JSON';
  if (kind === 'runs' || kind === 'nights') return isJson(bytes) ? null : 'it does not hold JSON';
  return null;
}

/** A torn last line was never finished: that is no damage. */
function linesOf(bytes: Uint8Array): string | null {
  const { damaged, records } = readRecords(bytes);
  return damaged === 0 ? null : `${damaged} of its ${damaged + records.length} lines cannot be read`;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function isPackedJson(bytes: Uint8Array): Promise<boolean> {
  return promisify(gunzip)(bytes).then(isJson, () => false);
}

function hashIn(bytes: Uint8Array): string | null {
  try {
    return shortHashOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
