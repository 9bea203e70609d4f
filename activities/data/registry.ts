// Data sets that somebody named once: `uturn data add gsm8k <path>` lets a config say `{ set: gsm8k }`.
import { open, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { type AdapterName, adapterNames, type DataSpec, isAdapter } from '../../domain/spec/data.ts';
import { nearest } from '../../domain/spec/nearest.ts';
import { shortName } from '../../domain/spec/words.ts';
import { type AdaptedData, adapt, type DataSource } from './adapt.ts';
import { starterPath } from './adapters/starter.ts';

const registered = z.object({
  name: shortName(),
  adapter: z.enum(adapterNames),
  path: z.string(),
  sha256: z.string(),
  count: z.int(),
});
const registry = z.object({ format: z.literal(1), sets: z.array(registered) });

/** The folder `.uturn`. */
type HomeFolder = { dir: string };

/** What of a config's entry says which file it is. */
type NamedData = Pick<DataSpec, 'set' | 'id' | 'path' | 'sha256'>;

export type RegisteredData = z.infer<typeof registered>;
export type Verified = RegisteredData & { problem: ConfigProblem | null };

/** Registered sets by name. @throws ConfigProblem `data.json` there is broken */
export async function listData(home: HomeFolder): Promise<RegisteredData[]> {
  const file = registryFile(home);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null;
    throw diskProblem(file, cause);
  });
  if (text === null) return [];
  const read = registry.safeParse(jsonOrNull(text));
  if (read.success) return read.data.sets;
  throw new ConfigProblem('is not what uturn wrote there.', {
    place: { file },
    advice: 'Move it away and register the data sets again with `uturn data add`.',
  });
}

/** The set that comes with uturn, as if it were registered. */
export async function starterData(): Promise<RegisteredData> {
  const path = starterPath();
  const { file, items } = await adapt({ id: 'starter', adapter: 'starter', path, shown: 'starter', sha256: null });
  return { name: 'starter', adapter: 'starter', path, sha256: file, count: items.length };
}

/**
 * Reads a file whole and registers it under a name; a name that is there is taken over.
 * A name that is a format's (gsm8k) is read as that format, any other as jsonl. `report` hears what is worth knowing.
 * Two that add at the same moment: the later one's list stands.
 * @throws ConfigProblem  the name is not free, or the file cannot be used
 */
export async function addData(
  name: string,
  path: string,
  opts: { home: HomeFolder; cwd?: string; report?(line: string): void },
): Promise<RegisteredData> {
  checkName(name);
  const full = resolve(opts.cwd ?? process.cwd(), path);
  const adapter: AdapterName = isAdapter(name) ? name : 'jsonl';
  const data = await adapt({ id: name, adapter, path: full, shown: path, sha256: null });
  const added = { name, adapter, path: full, sha256: data.file, count: data.items.length };
  const others = (await listData(opts.home)).filter((set) => set.name !== name);
  const sets = [...others, added].sort((a, b) => (a.name < b.name ? -1 : 1));
  await writeWhole(registryFile(opts.home), { format: 1, sets });
  for (const note of data.notes) opts.report?.(note);
  return added;
}

/** Reads every registered file again, or one set's. @throws ConfigProblem no such set */
export async function verifyData(home: HomeFolder, name?: string): Promise<Verified[]> {
  const sets = await listData(home);
  if (name !== undefined && !sets.some((set) => set.name === name)) throw unknownSet(name, sets);
  const verified: Verified[] = [];
  for (const set of sets.filter((one) => name === undefined || one.name === name)) {
    verified.push({ ...set, problem: await problemWith(set) });
  }
  return verified;
}

/**
 * The data of a config's entry, read and adapted: from its own path (relative to `baseDir`, the config's folder), the
 * starter set, or a registered set, whose checksum then holds.
 * @throws ConfigProblem  nobody registered such a set, another checksum is stated than registered, or see `adapt`
 */
export async function resolveData(entry: NamedData, opts: { home: HomeFolder; baseDir: string }): Promise<AdaptedData> {
  return adapt(await sourceOf(entry, opts));
}

async function sourceOf(entry: NamedData, opts: { home: HomeFolder; baseDir: string }): Promise<DataSource> {
  const { set, id, path, sha256 } = entry;
  if (path !== null && isAdapter(set))
    return { id, adapter: set, path: resolve(opts.baseDir, path), shown: path, sha256 };
  if (set === 'starter') return { id, adapter: 'starter', path: starterPath(), shown: 'starter', sha256: null };
  const sets = await listData(opts.home);
  const found = sets.find((one) => one.name === set);
  if (found === undefined) throw unknownSet(set, sets);
  if (sha256 !== null && sha256 !== found.sha256) {
    throw new ConfigProblem(`the registered set ${set} has the SHA-256 ${found.sha256}, but ${sha256} is stated.`, {
      advice: `Register the stated file with \`uturn data add ${set} <path>\`, or state the other checksum.`,
    });
  }
  return { id, adapter: found.adapter, path: found.path, shown: found.path, sha256: found.sha256 };
}

function checkName(name: string): void {
  const place = { field: JSON.stringify(name) };
  if (name === 'starter')
    throw new ConfigProblem('starter comes with uturn.', { place, advice: 'Register your file under another name.' });
  if (name === 'jsonl') {
    throw new ConfigProblem('jsonl is the name of a format.', {
      place,
      advice: 'Give the set a name of its own, such as my-questions; it is read as jsonl.',
    });
  }
  const checked = shortName().safeParse(name);
  if (!checked.success) {
    throw new ConfigProblem(checked.error.issues[0]?.message ?? 'is no name.', {
      place,
      advice: 'Choose a name such as my-questions.',
    });
  }
}

function unknownSet(name: string, sets: RegisteredData[]): ConfigProblem {
  const meant = nearest(name, ['starter', ...sets.map((set) => set.name)]);
  const register = `Register it with \`uturn data add ${name} <path>\`, or give its \`path\`.`;
  return new ConfigProblem(`no data set is registered as ${name}.`, {
    advice: meant === null ? register : `Did you mean ${meant}? If not: ${register}`,
  });
}

async function problemWith(set: RegisteredData): Promise<ConfigProblem | null> {
  try {
    await adapt({ id: set.name, adapter: set.adapter, path: set.path, shown: set.path, sha256: set.sha256 });
    return null;
  } catch (error) {
    if (error instanceof ConfigProblem) return error;
    throw error;
  }
}

/** Whoever reads, or dies, at whatever moment finds the old list or the new one. */
async function writeWhole(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    {
      await using handle = await open(draft, 'w');
      await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await handle.sync();
    }
    await rename(draft, file);
  } catch (cause) {
    throw diskProblem(file, cause);
  }
}

function diskProblem(file: string, cause: unknown): ConfigProblem | WorldProblem {
  const advice = 'Set UTURN_HOME to a folder that can be written, or start uturn somewhere else.';
  if (['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(cause))) {
    return new ConfigProblem('cannot be read or written.', { place: { file }, advice, cause });
  }
  return new WorldProblem('disk', `${file}: ${String(cause)}`, { cause });
}

function registryFile(home: HomeFolder): string {
  return join(home.dir, 'data.json');
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
