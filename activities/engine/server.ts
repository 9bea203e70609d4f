// One vLLM server, from its start to its end, for as long as this process lives and wants it.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineOrder, servedName } from '../../domain/plan/engine.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { hideSecrets, keysOf } from '../../domain/spec/secrets.ts';
import { type Home, logFile } from '../../local/home.ts';
import { lastLines } from '../../local/process.ts';
import { recordService, roomInLog, stopService } from '../../local/services.ts';
import { type ServerEnd, type Supervised, supervise } from '../../local/supervised.ts';
import { vllmArgs, vllmEnvironment } from '../../local/vllm/command.ts';

export type ServerDeps = { home: Home; env: NodeJS.ProcessEnv };

export type EngineServer = {
  /** Base address, `/v1` included. */
  address: string;
  /** What the running server says of itself. */
  version: string;
  /** Throws when it ends by itself or does not answer any more; aborted, returns. */
  watch(signal: AbortSignal): Promise<never>;
  /** Ends it and everything it started. */
  stop(): Promise<void>;
};

type Wanted = { name: string; order: EngineOrder; python: string; signal: AbortSignal };

/** Loading hundreds of gigabytes takes long; a server that ends by itself is noticed at once. */
const startMs = 2 * 3_600_000;
const silentMs = 120_000;

/**
 * Starts the server and returns when every name it serves has completed one request: being healthy is not enough.
 * @throws WorldProblem `engine_start`  it ended before; the message holds the last lines of its log
 * @throws the signal's reason, when that is aborted
 */
export async function openServer(wanted: Wanted, deps: ServerDeps): Promise<EngineServer> {
  // A worker that lost its supervisor may have left one of the same name.
  await stopService(deps.home, serviceName(wanted.name), { graceMs: 5_000 });
  for (let attempt = 1; ; attempt += 1) {
    const started = await start(wanted, deps);
    try {
      const version = await firstAnswers(wanted, started);
      return {
        address: started.address,
        version,
        watch: (signal) => watch(started, signal),
        stop: started.server.stop,
      };
    } catch (problem) {
      await started.server.stop();
      // Between choosing a port and binding it anybody may take it.
      const taken = problem instanceof WorldProblem && /address already in use/i.test(problem.message);
      if (!taken || attempt >= 3) throw problem;
    }
  }
}

export function serviceName(engine: string): string {
  return engine.replaceAll('/', '-');
}

type StartedServer = {
  server: Supervised;
  address: string;
  trouble(kind: string, what: string): Promise<WorldProblem>;
};

async function start({ name, order, python }: Wanted, { home, env }: ServerDeps): Promise<StartedServer> {
  const host = env['UTURN_ADVERTISE'] || '127.0.0.1';
  const port = await freePortAt(host);
  const log = logFile(home, serviceName(name));
  const from = await roomInLog(log);
  const server = await supervise(python, vllmArgs(order, { host, port }), {
    logFile: log,
    env: vllmEnvironment(order, env),
  });
  await recordService(home, {
    name: serviceName(name),
    process: server.process,
    address: `${host}:${port}`,
    // It goes with the worker that owns it, which ends it before it goes.
    keep: 'up',
    extra: { model: order.model },
  });
  const trouble = async (kind: string, what: string) => {
    const lines = (await lastLines(log, 12, { from })).map((line) => `\n    ${quoted(line, env)}`);
    const said = lines.length === 0 ? '' : `; its log ends:${lines.join('')}`;
    return new WorldProblem(kind, `the vLLM of ${servedName(order)} ${what}${said}`);
  };
  return { server, address: `http://${host}:${port}/v1`, trouble };
}

/** Waits until each name has completed a token. Returns the version that the server tells. */
async function firstAnswers({ order, signal }: Wanted, { server, address, trouble }: StartedServer): Promise<string> {
  const stop = new AbortController();
  const over = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(startMs)]);
  const answers = async () => {
    for (const model of [servedName(order), ...order.adapters.map(({ name }) => name)]) {
      while (!(await completes(address, model, over))) await sleep(500, undefined, { signal: over });
    }
    const reply = await fetch(address.replace(/v1$/, 'version'), { signal: over });
    return String(((await reply.json()) as { version?: unknown }).version);
  };
  try {
    const first = await Promise.race([answers(), server.ended]);
    if (typeof first === 'string') return first;
    throw await trouble('engine_start', `${howItEnded(first)} while it was starting`);
  } catch (problem) {
    if (signal.aborted) throw signal.reason;
    if (!over.aborted) throw problem;
    throw await trouble('engine_start', `completed nothing in ${startMs / 3_600_000} hours`);
  } finally {
    stop.abort();
  }
}

async function completes(address: string, model: string, signal: AbortSignal): Promise<boolean> {
  const body = JSON.stringify({ model, prompt: 'Hello', max_tokens: 1, temperature: 0 });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal };
  return fetch(`${address}/completions`, init).then(
    async (reply) => {
      await reply.arrayBuffer();
      return reply.ok;
    },
    () => false,
  );
}

/** Looks every few seconds. A busy server may be slow to say that it is well, so a silent one gets two minutes. */
async function watch({ server, address, trouble }: StartedServer, signal: AbortSignal): Promise<never> {
  const ended = server.ended.then((end) => ({ end }));
  for (let wellAt = Date.now(); ; ) {
    const look = sleep(5_000, null, { signal }).catch(() => null);
    const seen = await Promise.race([ended, look]);
    if (seen !== null) throw await trouble('engine_died', howItEnded(seen.end));
    signal.throwIfAborted();
    if (await isWell(address)) wellAt = Date.now();
    if (Date.now() - wellAt > silentMs)
      throw await trouble('engine_died', `has not answered for ${silentMs / 1_000} s`);
  }
}

function isWell(address: string): Promise<boolean> {
  return fetch(address.replace(/v1$/, 'health'), { signal: AbortSignal.timeout(30_000) }).then(
    async (reply) => {
      await reply.arrayBuffer();
      return reply.ok;
    },
    () => false,
  );
}

function howItEnded({ code, signal }: ServerEnd): string {
  if (signal !== null) return `was killed (${signal})`;
  return code === null ? 'is gone' : `ended with code ${code}`;
}

/** A line of a log, short, and without what looks like a key or is one of this environment's. */
function quoted(line: string, env: NodeJS.ProcessEnv): string {
  const hidden = keysOf(env).reduce((text, key) => text.replaceAll(key, '…'), hideSecrets(line));
  return hidden.length <= 300 ? hidden : `${hidden.slice(0, 300)}…`;
}

function freePortAt(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (cause) => {
      const advice = 'UTURN_ADVERTISE must be an address of this machine that the other workers reach.';
      reject(new ConfigProblem(`nothing can listen at ${host}: ${cause.message}`, { advice, cause }));
    });
    probe.listen(0, host, () => {
      const at = probe.address();
      probe.close(() => resolve(typeof at === 'object' && at !== null ? at.port : 0));
    });
  });
}
