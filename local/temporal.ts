// Where Temporal comes from: a server somebody names, or a dev server of this home's own.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { ConfigProblem } from '../domain/problems.ts';
import { cacheFolder } from './cache.ts';
import { answers, type ConnectOptions, localConnectOptions, type Temporal } from './connection.ts';
import type { Home } from './home.ts';
import { freePort, splitAddress } from './ports.ts';
import { toolVenv } from './python.ts';
import { searchFlags } from './search.ts';
import { ensureService, type Keep, type Service, type StartCommand } from './services.ts';

export type { Temporal } from './connection.ts';

export type External = { kind: 'external'; address: string; namespace: string; connectOptions: ConnectOptions };
export type Binary = { kind: 'binary'; path: string; found: 'path' | 'venv' };

export type TemporalOptions = {
  keep: Keep;
  report(line: string): void;
  env?: NodeJS.ProcessEnv;
  /** `served`: with its web page. A running server without one is restarted, on the same port. */
  ui?: 'served';
};

export const SERVICE = 'temporal';
const NAMESPACE = 'default';

/**
 * The Temporal of this home: the one the environment names, else the home's own, which is joined or started.
 * An external one is not asked anything here; `connectTemporal` does.
 * @throws ConfigProblem  the settings cannot be read, no `temporal` can be had, or it ended while starting
 */
export async function ensureTemporal(home: Home, opts: TemporalOptions): Promise<Temporal> {
  const env = opts.env ?? process.env;
  const external = externalTemporal(env);
  if (external) return { ...external, ui: null };

  const service = await ensureService(home, SERVICE, {
    start: async (previous) => devServer(await localBinary(env, opts.report), { home, env, previous, ui: opts.ui }),
    healthy: ({ address }) => answers(address, NAMESPACE),
    // A server goes on for a while on a database that was deleted under it, and then fails at whatever writes.
    suits: (running) => existsSync(home.database) && (opts.ui === undefined || uiAddress(running) !== null),
    keep: opts.keep,
    report: opts.report,
  });
  return localTemporal(service);
}

/** A Temporal service as others see it. */
export function localTemporal(service: Service): Temporal {
  const { address } = service;
  const ui = uiAddress(service);
  return {
    kind: 'local',
    address,
    namespace: NAMESPACE,
    ui: ui && `http://${ui}`,
    connectOptions: localConnectOptions(address),
  };
}

function uiAddress({ extra }: Service): string | null {
  return typeof extra.ui === 'string' ? extra.ui : null;
}

/** In this order: the environment or a profile, `temporal` on PATH, the one in our Python tools (installed if need be). */
export async function findTemporal(
  env: NodeJS.ProcessEnv,
  opts: { report: (line: string) => void },
): Promise<External | Binary> {
  return externalTemporal(env) ?? (await localBinary(env, opts.report));
}

/**
 * What `TEMPORAL_ADDRESS` or a profile of Temporal's config file says; null where they name no address.
 * @throws ConfigProblem  the settings cannot be read, or are for a server that they do not name
 */
export function externalTemporal(env: NodeJS.ProcessEnv): External | null {
  const { connectionOptions, namespace } = settings(env);
  const { address, tls, apiKey, metadata } = connectionOptions;
  if (!address) {
    const given = ['TEMPORAL_PROFILE', 'TEMPORAL_API_KEY'].find((name) => env[name]);
    if (!given) return null;
    throw new ConfigProblem(`${given} is set, but nothing says which Temporal to use.`, {
      advice: `Set TEMPORAL_ADDRESS, or unset ${given} to use a Temporal that uturn starts here.`,
    });
  }
  return {
    kind: 'external',
    address,
    namespace: namespace ?? NAMESPACE,
    connectOptions: {
      address,
      ...(tls !== undefined && { tls }),
      ...(apiKey !== undefined && { apiKey }),
      ...(metadata !== undefined && { metadata }),
    },
  };
}

function settings(env: NodeJS.ProcessEnv): ClientConnectConfig {
  // An empty variable is how shells and CI files say that something is not set.
  const given = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '');
  try {
    return loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(given) });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigProblem(`The settings for Temporal cannot be read: ${why}`, {
      advice: 'Check TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE, the TEMPORAL_TLS_… paths and the files they name.',
      cause,
    });
  }
}

async function localBinary(env: NodeJS.ProcessEnv, report: (line: string) => void): Promise<Binary> {
  const onPath = programOnPath('temporal', env);
  if (onPath) return { kind: 'binary', path: onPath, found: 'path' };
  const venv = await toolVenv({ report, cache: cacheFolder(env) });
  return { kind: 'binary', path: venv.bin('temporal'), found: 'venv' };
}

/** The first executable file of this name on PATH. */
export function programOnPath(name: string, env: NodeJS.ProcessEnv): string | null {
  const isProgram = (path: string) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  };
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => resolve(folder, name)).find(isProgram) ?? null;
}

type DevServer = { home: Home; env: NodeJS.ProcessEnv; previous: Service | null; ui: 'served' | undefined };

async function devServer(binary: Binary, { home, env, previous, ui }: DevServer): Promise<StartCommand> {
  const port = await freePort(previous && splitAddress(previous.address).port);
  const uiBefore = previous && uiAddress(previous);
  const uiPort = ui || uiBefore ? await freePort(uiBefore ? splitAddress(uiBefore).port : null) : null;
  const listen = ['--ip', '127.0.0.1', '--port', String(port)];
  const page = uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)];
  return {
    command: binary.path,
    args: [
      'server',
      'start-dev',
      ...listen,
      ...page,
      ...searchFlags,
      '--db-filename',
      home.database,
      '--log-level',
      'warn',
    ],
    // Settings meant for clients of some other Temporal must not reach the server.
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_'))),
    cwd: home.dir,
    address: `127.0.0.1:${port}`,
    extra: uiPort === null ? {} : { ui: `127.0.0.1:${uiPort}` },
  };
}
