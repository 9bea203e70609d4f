// From the `store` setting to a store.
import { fileURLToPath } from 'node:url';
import { ConfigProblem } from '../../domain/problems.ts';
import { type Metrics, noMetrics } from '../metrics.ts';
import { fileStore } from './file.ts';
import type { Opening } from './format.ts';
import { measuredStore } from './measured.ts';
import { isSafeName } from './paths.ts';
import type { BucketPlace } from './s3.ts';
import type { Store } from './store.ts';

/** What a store's kind may want to know. */
type StoreOptions = Opening & { metrics: Metrics };

/** One kind of store per scheme. */
const kinds = new Map<string, (uri: string, opts: StoreOptions) => Promise<Store>>([
  ['file', (uri, opts) => fileStore(folderOf(uri), opts)],
  // The SDK takes a while to load: only where there is a bucket.
  ['s3', async (uri, opts) => (await import('./s3.ts')).s3Store(bucketIn(uri), opts)],
]);

/** The store at a URI or a plain path, its calls counted. @throws ConfigProblem, WorldProblem as the store's kind does */
export async function openStore(uri: string, metrics: Metrics = noMetrics, opening: Opening = {}): Promise<Store> {
  return measuredStore(await opened(uri, { ...opening, metrics }), metrics);
}

async function opened(uri: string, opts: StoreOptions): Promise<Store> {
  // One letter before the colon is a drive.
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):/.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) return fileStore(plainPath(uri), opts);
  const open = kinds.get(scheme);
  if (open === undefined) throw notAStore(uri, `there is no ${scheme}: store`);
  return open(uri, opts);
}

function plainPath(path: string, given: string = path): string {
  if (path.trim() === '' || path.includes('\0')) throw notAStore(given, `${JSON.stringify(path)} is not a path`);
  if (/^~(\/|$)/.test(path)) throw notAStore(given, 'only a shell knows what "~" is');
  return path;
}

/** `file:///a/b`, and `file:b` for a folder from here. */
function folderOf(uri: string): string {
  const rest = uri.slice('file:'.length);
  if (!rest.startsWith('//')) return plainPath(rest, uri);
  try {
    const { search, hash } = new URL(uri);
    if (search === '' && hash === '') return fileURLToPath(uri);
  } catch {
    // Told below, like a query or a fragment.
  }
  throw notAStore(uri, 'this is not a local file: URI');
}

/** `s3://bucket` and `s3://bucket/a/prefix`. */
export function bucketIn(uri: string): BucketPlace {
  const [, bucket = '', prefix = ''] =
    /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9])(?:\/(.*?))?\/?$/i.exec(uri) ?? [];
  if (bucket === '') throw notAStore(uri, 'this names no bucket: the name of one has 3 to 63 of a-z, 0-9, "." and "-"');
  if (prefix === '' || prefix.split('/').every(isSafeName)) return { bucket, prefix };
  throw notAStore(uri, `${JSON.stringify(prefix)} is not a prefix that a store can have`);
}

function notAStore(uri: string, why: string): ConfigProblem {
  const allowed = 'a path, a file: URI or an s3: URI';
  return new ConfigProblem(`${JSON.stringify(uri)}: ${why}`, {
    place: { field: 'store' },
    advice: `A store is ${allowed}, for example ./results, file:///data/results or s3://bucket/results.`,
  });
}
