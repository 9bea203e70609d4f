// The real command line as child processes, with everything it prints.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** `code` is 128 + n where signal n ended it. `json`: stdout parsed, null where that is no JSON. */
export type Ran<Json = unknown> = { code: number; stdout: string; stderr: string; json: Json };

export type Running<Json = unknown> = { process: ChildProcess; done: Promise<Ran<Json>> };

export type CommandOptions = { env?: NodeJS.ProcessEnv; cwd?: string; limitMs?: number; prefix?: string[] };

const entry = join(import.meta.dirname, '..', '..', 'bin', 'uturn.js');
const signals: Record<string, number> = { SIGINT: 130, SIGKILL: 137, SIGTERM: 143 };

/** Starts `uturn <args>`. `prefix` goes before it, such as a shell that sets limits. One that never ends is killed. */
export function command<Json = unknown>(
  args: string[],
  opts: CommandOptions & { env: NodeJS.ProcessEnv },
): Running<Json> {
  const [program = '', ...rest] = [...(opts.prefix ?? []), process.execPath, entry, ...args];
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: opts.env,
    ...(opts.cwd !== undefined && { cwd: opts.cwd }),
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), opts.limitMs ?? 120_000);
  const end = async (): Promise<Ran<Json>> => {
    const [[code, signal], stdout, stderr] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    clearTimeout(limit);
    return { code: code ?? signals[String(signal)] ?? 128, stdout, stderr, json: parsed<Json>(stdout) };
  };
  return { process: child, done: end() };
}

function parsed<Json>(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null as Json;
  }
}
