// The home: the folder `.uturn/`, where everything that lives on this machine is kept.
import { access, constants, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import { makeFolders } from './folders.ts';

export type Home = {
  dir: string;
  /** Records of the processes that serve this home, one file each. */
  services: string;
  /** Commands that use this home right now, one file each. */
  users: string;
  logs: string;
  locks: string;
  /** Temporal's SQLite database. */
  database: string;
  /** Folder of the default store. */
  store: string;
};

/** Paths of the home: `UTURN_HOME`, else `.uturn` in the working directory. Touches nothing. */
export function homePaths(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): Home {
  const dir = resolve(cwd, env.UTURN_HOME || '.uturn');
  return {
    dir,
    services: join(dir, 'services'),
    users: join(dir, 'users'),
    logs: join(dir, 'logs'),
    locks: join(dir, 'locks'),
    database: join(dir, 'temporal.db'),
    store: join(dir, 'store'),
  };
}

/**
 * The home, with its folders created where they are missing.
 * @throws ConfigProblem  when it cannot be created or written
 * @throws WorldProblem `disk`  when the disk is full
 */
export async function openHome(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): Promise<Home> {
  const home = homePaths(env, cwd);
  try {
    await makeFolders(home.dir);
    for (const folder of [home.dir, home.services, home.users, home.logs, home.locks, home.store]) {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK | constants.X_OK);
    }
    await keepOutOfGit(home);
  } catch (cause) {
    throw unusable(home, cause);
  }
  return home;
}

export function logFile(home: Home, name: string): string {
  return join(home.logs, `${encodeURIComponent(name)}.log`);
}

/** A home usually lies in somebody's checkout; gigabytes of database and records do not belong in a commit. */
async function keepOutOfGit(home: Home): Promise<void> {
  try {
    await writeFile(join(home.dir, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function unusable(home: Home, cause: unknown): Error {
  const code = codeOf(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new WorldProblem('disk', `the disk of ${home.dir} is full`, { cause });
  }
  const why: Record<string, string> = {
    EACCES: 'it is not writable by this user',
    EPERM: 'it is not writable by this user',
    EROFS: 'its file system is read-only',
    ENOENT: 'its file system takes no folders',
    ENOTDIR: 'a file stands where a folder should be',
    EEXIST: 'a file stands where a folder should be',
  };
  return new ConfigProblem(`${home.dir} cannot be used: ${why[code] ?? String(cause)}.`, {
    advice: 'Set UTURN_HOME to a folder that can be written, or start uturn somewhere else.',
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
