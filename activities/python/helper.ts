// A Python process that answers one JSON line with one: one question at a time, restarted when it dies or hangs.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';

/** `reply`: what a line may be; `work`: what it does, as in "which renders chat templates". */
export type HelperOptions<Reply> = { python: string; script: string; reply: z.ZodType<Reply>; work: string };

/** `died`: twice on this question, the second time in a process of its own. `late`: killed at its limit, or ended by itself at one of its own. */
export type Asked<Reply> = { reply: Reply } | 'died' | 'late';

export type Helper<Request, Reply> = {
  /** @throws ConfigProblem  the process cannot start, or says that its packages are missing */
  ask(request: Request, limitMs: number): Promise<Asked<Reply>>;
  close(): Promise<void>;
};

/** Starts nothing yet; the process is there from the first question on and never keeps Node alive by itself. */
export function pythonHelper<Request extends object, Reply>(opts: HelperOptions<Reply>): Helper<Request, Reply> {
  let running: Running<Reply> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let id = 0;

  async function askOnce(request: Request, limitMs: number): Promise<Asked<Reply>> {
    if (running === null || running.ended()) running = start(opts);
    id += 1;
    return running.exchange({ id, ...request }, limitMs);
  }

  return {
    ask(request, limitMs) {
      const asked = last.then(async () => {
        // Killed from outside (memory, a person): it is asked once more.
        const first = await askOnce(request, limitMs);
        return first === 'died' ? askOnce(request, limitMs) : first;
      });
      last = asked.catch(() => {});
      return asked;
    },
    async close() {
      await last;
      await running?.end();
      running = null;
    },
  };
}

type Running<Reply> = {
  exchange(request: object, limitMs: number): Promise<Asked<Reply>>;
  ended(): boolean;
  end(): Promise<void>;
};

type Child = ChildProcessByStdio<Writable, Readable, null>;

const fatal = z.object({ fatal: z.string() });

function start<Reply>({ python, script, reply: format, work }: HelperOptions<Reply>): Running<Reply> {
  // -I: neither the environment nor the current folder decides what Python imports. No environment: what it is
  // given is other people's, and a way out of it shall find nothing.
  const child: Child = spawn(python, ['-I', join(SCRIPTS, script)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: systemOnly(process.env),
  });
  let waiting: { settle: (came: Asked<Reply>) => void; fail: (problem: unknown) => void } | null = null;
  let ended = false;
  const closed = new Promise<void>((done) => child.once('close', () => done()));

  child.once('error', (cause) => {
    ended = true;
    waiting?.fail(new ConfigProblem(`cannot start ${python}, which ${work}`, { advice: REINSTALL, cause }));
  });
  child.once('close', (_code, signal) => {
    ended = true;
    waiting?.settle(signal === 'SIGVTALRM' ? 'late' : 'died');
  });
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      const value: unknown = JSON.parse(line);
      const end = fatal.safeParse(value);
      if (end.success) waiting?.fail(new ConfigProblem(end.data.fatal, { advice: REINSTALL }));
      else waiting?.settle({ reply: format.parse(value) });
    } catch (problem) {
      waiting?.fail(problem);
    }
  });

  return {
    async exchange(request, limitMs) {
      hold(child, 'ref');
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<Asked<Reply>>((settle, fail) => {
          waiting = { settle, fail };
          timer = setTimeout(() => {
            child.kill('SIGKILL');
            ended = true;
            settle('late');
          }, limitMs);
          child.stdin.write(`${JSON.stringify(request)}\n`);
        });
      } finally {
        clearTimeout(timer);
        waiting = null;
        hold(child, 'unref');
      }
    },
    ended: () => ended,
    async end() {
      hold(child, 'ref');
      child.stdin.end();
      if (!ended) await closed;
    },
  };
}

const SCRIPTS = join(import.meta.dirname, '..', '..', 'python', 'uturn');
const REINSTALL = 'Remove the tool environment from the cache and start again: it is then installed anew.';

/** While nothing is asked, the process must not keep Node from ending; it ends by itself when its input closes. */
function hold(child: Child, how: 'ref' | 'unref'): void {
  child[how]();
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe[how]();
}

function systemOnly(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'SYSTEMROOT'];
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
