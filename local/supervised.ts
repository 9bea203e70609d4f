// Servers that must not outlive this process, however it ends: each under a small supervisor of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ConfigProblem } from '../domain/problems.ts';
import { killGroup, type ProcessIdentity } from './process.ts';

/** `code` and `signal` as Node gives them; both null where nobody saw how it ended. */
export type ServerEnd = { code: number | null; signal: string | null };

export type Supervised = {
  process: ProcessIdentity;
  ended: Promise<ServerEnd>;
  /** Ends the server and everything it started: SIGTERM, then SIGKILL. Returns when it is gone. */
  stop(): Promise<void>;
};

const started = z.object({ pid: z.int().min(2), started: z.string() });
const ended = z.object({ code: z.int().nullable(), signal: z.string().nullable(), problem: z.string().optional() });

/**
 * Starts a server in a process group of its own. Its output is appended to `logFile`.
 * @throws ConfigProblem  there is no such program
 */
export async function supervise(
  program: string,
  args: string[],
  opts: { logFile: string; env: NodeJS.ProcessEnv },
): Promise<Supervised> {
  const entry = join(import.meta.dirname, `supervise${extname(import.meta.filename)}`);
  const supervisor = spawn(process.execPath, ['--no-warnings', entry, opts.logFile, program, ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: opts.env,
  });
  supervisor.stdin.on('error', () => undefined); // it has ended already
  const words = createInterface(supervisor.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await words.next()).value ?? 'null')) as unknown;
  const closed = once(supervisor, 'close');

  const first = await next();
  const identity = started.safeParse(first);
  if (!identity.success) {
    const why = ended.safeParse(first).data?.problem ?? 'its supervisor ended';
    throw new ConfigProblem(`${program} could not be started: ${why}`);
  }
  const watch = async (): Promise<ServerEnd> => {
    const last = ended.safeParse(await next());
    await closed;
    if (last.success) return { code: last.data.code, signal: last.data.signal };
    // The supervisor itself was killed: nobody else holds its server now.
    killGroup(identity.data);
    return { code: null, signal: null };
  };
  const end = watch();
  return {
    process: identity.data,
    ended: end,
    async stop() {
      supervisor.stdin.end();
      await end;
    },
  };
}
