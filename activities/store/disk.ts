// What a failed file operation means: somebody's to change, or the world's to get over.
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';

const writable = 'Give this user the right to read and write there, or set UTURN_STORE to another folder.';
const plainFolder = 'A file stands where a folder is needed. Move it away, or set UTURN_STORE to another folder.';
const hardLinks = 'Set UTURN_STORE to a folder on one local disk: objects are put in place by hard links.';

/** Codes that no amount of waiting changes, and what to do about them. */
const advice = new Map([
  ['EACCES', writable],
  ['EPERM', `${writable} ${hardLinks}`],
  ['EROFS', writable],
  ['ENOTDIR', plainFolder],
  ['EEXIST', plainFolder],
  ['EISDIR', 'A folder stands where a file is needed. Move it away, or set UTURN_STORE to another folder.'],
  ['ELOOP', 'Its symbolic links run in a circle. Set UTURN_STORE to another folder.'],
  ['ENAMETOOLONG', 'Set UTURN_STORE to a folder with a shorter path.'],
  ['EXDEV', hardLinks],
  ['ENOTSUP', hardLinks],
  ['EOPNOTSUPP', hardLinks],
  ['ENOSYS', hardLinks],
]);

/** The system's word for an error (`ENOSPC`), or ''. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The problem behind a failed operation on `file`: the disk's unless the code is known to be somebody's to change. */
export function diskProblem(error: unknown, file: string): ConfigProblem | WorldProblem {
  if (error instanceof ConfigProblem || error instanceof WorldProblem) return error;
  const what = error instanceof Error ? error.message : String(error);
  const todo = advice.get(errorCode(error));
  if (todo !== undefined)
    return new ConfigProblem(`the store cannot be used: ${what}`, { place: { file }, advice: todo, cause: error });
  return new WorldProblem('disk', `${file}: ${what}`, { cause: error });
}
