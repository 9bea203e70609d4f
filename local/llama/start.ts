// Starting the local model server so that it survives whoever started it.
import { mkdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { isAlive, lastLines, type ProcessIdentity, spawnDetached, stop } from '../process.ts';
import { until } from '../until.ts';

/** `contexts`: how many texts at once; left out, the number of cores, at most 4. `port`: left out, any free one. */
export type LlamaOptions = { file: string; name?: string; contexts?: number; contextSize?: number; port?: number };

export type LlamaServer = { pid: number; port: number; url: string; stop(): Promise<void> };

const START_MS = 120_000;
/** Longer than the server itself waits for generations it has begun. */
const GRACE_MS = 12_000;

/** What to run, for whoever starts and watches processes in a way of their own. */
export function llamaCommand(opts: LlamaOptions): { command: string; args: string[] } {
  const args = [join(import.meta.dirname, `server${extname(import.meta.filename)}`), '--model', opts.file];
  if (opts.name !== undefined) args.push('--name', opts.name);
  if (opts.contexts !== undefined) args.push('--contexts', String(opts.contexts));
  if (opts.contextSize !== undefined) args.push('--context-size', String(opts.contextSize));
  if (opts.port !== undefined) args.push('--port', String(opts.port));
  return { command: process.execPath, args };
}

/**
 * Starts the server in a process group of its own and returns when it has completed a first request.
 * @throws ConfigProblem  it ended at its start (its last lines are in the message)
 * @throws WorldProblem `timeout`  it did not answer in two minutes
 */
export async function startLlamaServer(
  opts: LlamaOptions & { logFile: string; report: (line: string) => void },
): Promise<LlamaServer> {
  await mkdir(dirname(opts.logFile), { recursive: true });
  const from = await stat(opts.logFile).then(
    ({ size }) => size,
    () => 0,
  );
  const { command, args } = llamaCommand(opts);
  opts.report(`starting the local model server with ${basename(opts.file)}`);
  const identity = await spawnDetached(command, args, { logFile: opts.logFile });
  try {
    const port = await portOf(identity, { logFile: opts.logFile, from });
    const url = `http://127.0.0.1:${port}`;
    await complete(url);
    opts.report(`the local model server answers at ${url}`);
    return { pid: identity.pid, port, url, stop: () => end(identity) };
  } catch (problem) {
    await end(identity);
    throw problem;
  }
}

/** Whether a server there completes a text of one token: health alone says nothing about the model. */
export async function answers(url: string, timeoutMs: number): Promise<boolean> {
  return complete(url, timeoutMs).then(
    () => true,
    () => false,
  );
}

// The server says its port on standard output, which is the log: so it reaches us through a file that outlives us.
async function portOf(server: ProcessIdentity, log: { logFile: string; from: number }): Promise<number> {
  let port: number | null = null;
  const said = async () => {
    const alive = isAlive(server);
    const text = (await readFile(log.logFile)).subarray(log.from).toString('utf8');
    port = Number(/^\{"port":(\d+)\}$/m.exec(text)?.[1]) || null;
    return port !== null || !alive;
  };
  await until(said, START_MS, { everyMs: 50 });
  if (port !== null) return port;

  const lines = (await lastLines(log.logFile, 8, { from: log.from })).map((line) => `\n    ${line}`).join('');
  if (isAlive(server)) {
    throw new WorldProblem('timeout', `the local model server did not start in ${START_MS / 1000} s; it said:${lines}`);
  }
  throw new ConfigProblem(`the local model server ended at its start; it said:${lines}`, {
    advice: `All it said is in ${log.logFile}.`,
  });
}

async function complete(url: string, timeoutMs = START_MS): Promise<void> {
  const response = await fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Hello', max_tokens: 1, temperature: 0 }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok)
    throw new WorldProblem('server_error', `${url} answered ${response.status}: ${await response.text()}`);
}

async function end(identity: ProcessIdentity): Promise<void> {
  await stop(identity, { graceMs: GRACE_MS });
}
