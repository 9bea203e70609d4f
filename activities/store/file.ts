// A store in a folder. Objects appear whole or not at all, and are never replaced.
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { makeFolders } from '../../local/folders.ts';
import { diskProblem, errorCode } from './disk.ts';
import { checkFormat, type Opening } from './format.ts';
import { checkedFolder, checkedPath, isSafeName } from './paths.ts';
import type { Segment, Store } from './store.ts';
import { turns } from './turns.ts';

/** Unfinished objects live here until they are linked into place. A killed process leaves some; nothing ever reads them. */
const scratch = '.tmp';
const syncEveryMs = 2_000;

/**
 * The store in a folder, made where there is none.
 * @throws ConfigProblem when the place cannot be used, or a newer uturn made it
 * @throws WorldProblem `disk`
 */
export async function fileStore(folder: string, opts: Opening = {}): Promise<Store> {
  const root = resolve(folder);
  const store: Store = {
    uri: pathToFileURL(root).href,
    fileOf: (path) => join(root, checkedPath(path)),
    read: async (path) => at(join(root, checkedPath(path)), readOrNull),
    create: async (path, data) =>
      at(join(root, checkedPath(path)), (file) => createFile(file, data, join(root, scratch))),
    list: async (path) => at(join(root, checkedFolder(path)), namesIn),
    async *below(folder) {
      yield* filesBelow(root, checkedFolder(folder));
    },
    segment: async (path) => at(join(root, checkedPath(path)), openSegment),
  };
  if (opts.missing !== 'refuse' && (await store.read('format.json')) === null) await makeRoot(root);
  await checkFormat(store, opts);
  return store;
}

/** On a read-only file system Node tells of a folder that cannot be made as of one that is not there. */
async function makeRoot(root: string): Promise<void> {
  try {
    await makeFolders(root);
    await makeFolder(join(root, scratch));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw diskProblem(error, root);
    throw new ConfigProblem('the store cannot be made here: the file system is read-only, or takes no folders', {
      place: { file: root },
      advice: 'Set UTURN_STORE to a folder that can be written.',
      cause: error,
    });
  }
}

/** Work on a file, its failures told as problems. */
async function at<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } catch (error) {
    throw diskProblem(error, file);
  }
}

async function readOrNull(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const ours = entries.filter((entry) => isSafeName(entry.name));
    return ours.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  for (const name of await at(join(root, folder), namesIn)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (name.endsWith('/')) yield* filesBelow(root, path.slice(0, -1));
    else yield path;
  }
}

async function createFile(
  file: string,
  data: string | Uint8Array,
  scratchFolder: string,
): Promise<'created' | 'exists'> {
  const temp = join(scratchFolder, `${process.pid}-${randomUUID()}`);
  await makeFolder(scratchFolder);
  await makeFolder(dirname(file));
  try {
    await writeDurably(temp, data);
    const outcome = await linkNew(temp, file);
    // Also where somebody else created it: their power may fail before their own fsync.
    await syncFolder(dirname(file));
    return outcome;
  } finally {
    await unlink(temp).catch(() => {});
  }
}

async function writeDurably(file: string, data: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `link` and not `rename`: it fails where the name is taken. */
async function linkNew(temp: string, file: string): Promise<'created' | 'exists'> {
  try {
    await link(temp, file);
    return 'created';
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'exists';
    throw error;
  }
}

/** Makes a folder and those above it; each new name is durable. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'ax');
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new WorldProblem('disk', `${file} is there already: somebody else writes segments under this name`, {
      cause: error,
    });
  }
}

async function openSegment(file: string): Promise<Segment> {
  await makeFolder(dirname(file));
  const handle = await openNew(file);
  await syncFolder(dirname(file));
  const inTurn = turns();
  let failure: unknown = null;
  let syncing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  const fail = (error: unknown) => {
    failure ??= diskProblem(error, file);
  };
  const sync = () => {
    timer = null;
    syncing = handle.sync().catch(fail);
  };

  return {
    append: (lines) =>
      inTurn(async () => {
        timer ??= setTimeout(sync, syncEveryMs).unref();
        // After a failure a torn line may stand at the end: nothing may follow it.
        if (failure === null) await handle.writeFile(`${lines}\n`).catch(fail);
        if (failure !== null) throw failure;
      }),
    close: () =>
      inTurn(async () => {
        if (timer !== null) clearTimeout(timer);
        await syncing;
        await handle.sync().catch(fail);
        await handle.close().catch(fail);
        if (failure !== null) throw failure;
      }),
  };
}
