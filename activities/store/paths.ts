// Paths inside a store: the same rules for every kind of store.
import { ConfigProblem } from '../../domain/problems.ts';

const safeName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** Whether one name may stand in a path. A leading dot is kept for a store's own scratch files. */
export function isSafeName(name: string): boolean {
  return safeName.test(name);
}

/** The path as it stands, if it is one. @throws ConfigProblem */
export function checkedPath(path: string): string {
  if (path.split('/').every(isSafeName)) return path;
  throw new ConfigProblem(`${JSON.stringify(path)} is not a path in a store`, {
    advice:
      'Names in a store are made of letters, digits, "-", "_" and ".", do not begin with ".", and are at most 200 characters long.',
  });
}

/** A folder's path without its final `/`; '' is the store itself. @throws ConfigProblem */
export function checkedFolder(folder: string): string {
  return folder === '' ? '' : checkedPath(folder.replace(/\/$/, ''));
}
