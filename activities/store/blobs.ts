// Bytes named by their SHA-256: data sets, templates, whatever a plan points to.
import { ConfigProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import type { Store } from './store.ts';

/**
 * Keeps bytes, or a string's UTF-8, and returns their SHA-256.
 * @throws TypeError for a string that UTF-8 cannot hold
 * @throws ConfigProblem when a damaged blob stands in its place
 */
export async function putBlob(store: Store, data: string | Uint8Array): Promise<string> {
  if (typeof data === 'string' && !data.isWellFormed())
    throw new TypeError('a blob of text must be well-formed Unicode');
  const digest = sha256(data);
  if ((await store.create(pathOf(digest), data)) === 'exists') await getBlob(store, digest);
  return digest;
}

/** @throws ConfigProblem when it is missing or damaged */
export async function getBlob(store: Store, digest: string): Promise<Uint8Array> {
  const place = { file: `${store.uri}/${pathOf(digest)}` };
  const bytes = await store.read(pathOf(digest));
  if (bytes === null) {
    throw new ConfigProblem('this blob is missing', {
      place,
      advice: 'Restore it from a copy of the store, or plan the experiment again from its data.',
    });
  }
  if (sha256(bytes) !== digest) {
    throw new ConfigProblem('this blob is damaged: its bytes do not have the SHA-256 in its name', {
      place,
      advice: 'Delete it, then restore it from a copy of the store or plan the experiment again from its data.',
    });
  }
  return bytes;
}

const pathOf = (digest: string) => `blobs/${digest}`;
