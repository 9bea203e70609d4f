// The Python process that renders templates: one at a time, restarted when it dies or does not come back.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import type { Message } from '../../domain/data/item.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';

/** What `python/uturn/render.py` takes. `seconds` bounds the computing time of this rendering. */
export type RenderRequest = {
  template: string;
  messages: Message[];
  add_generation_prompt: boolean;
  kwargs: Record<string, unknown>;
  bos_token: string | null;
  eos_token: string | null;
  date: string | null;
  seconds: number;
};

export type RenderReply = { text: string } | { error: string };

export type RenderProcess = { ask(request: RenderRequest): Promise<RenderReply>; close(): Promise<void> };

const SCRIPT = join(import.meta.dirname, '..', '..', 'python', 'uturn', 'render.py');
/** Wall time on top of the computing time: a busy machine, and the start of Python. */
const GRACE_MS = 30_000;

/** Starts nothing yet; the process is there from the first question on and never keeps Node alive by itself. */
export function renderProcess(python: string, opts: { graceMs?: number } = {}): RenderProcess {
  const graceMs = opts.graceMs ?? GRACE_MS;
  let running: Running | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let id = 0;

  async function askOnce(request: RenderRequest): Promise<RenderReply | 'died'> {
    if (running === null || running.ended()) running = start(python);
    id += 1;
    return running.exchange({ id, ...request }, request.seconds * 1000 + graceMs);
  }

  return {
    ask(request) {
      const asked = last.then(async () => {
        // Killed from outside (memory, a person): the rendering is asked for once more.
        const reply = await askOnce(request);
        const again = reply === 'died' ? await askOnce(request) : reply;
        if (again === 'died') throw new WorldProblem('renderer', `the template renderer died twice (${python})`);
        return again;
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

type Running = {
  exchange(request: RenderRequest & { id: number }, limitMs: number): Promise<RenderReply | 'died'>;
  ended(): boolean;
  end(): Promise<void>;
};

type Child = ChildProcessByStdio<Writable, Readable, null>;

const lineFormat = z.union([
  z.object({ id: z.number(), text: z.string() }),
  z.object({ id: z.number(), error: z.string() }),
  z.object({ fatal: z.string() }),
]);

function start(python: string): Running {
  // -I: neither the environment nor the current folder decides what Python imports. No environment: a template
  // is somebody else's code, and its sandbox has nothing to find.
  const child: Child = spawn(python, ['-I', SCRIPT], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: systemOnly(process.env),
  });
  let waiting: { settle: (reply: RenderReply | 'died') => void; fail: (problem: Error) => void } | null = null;
  let ended = false;
  const closed = new Promise<void>((done) => child.once('close', () => done()));

  child.once('error', (cause) => {
    ended = true;
    waiting?.fail(
      new ConfigProblem(`cannot start ${python}, which renders chat templates`, { advice: REINSTALL, cause }),
    );
  });
  child.once('close', () => {
    ended = true;
    waiting?.settle('died');
  });
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = lineFormat.parse(JSON.parse(line));
    if ('fatal' in reply) waiting?.fail(new ConfigProblem(reply.fatal, { advice: REINSTALL }));
    else waiting?.settle('text' in reply ? { text: reply.text } : { error: reply.error });
  });

  return {
    async exchange(request, limitMs) {
      hold(child, 'ref');
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<RenderReply | 'died'>((settle, fail) => {
          waiting = { settle, fail };
          timer = setTimeout(() => {
            child.kill('SIGKILL');
            ended = true;
            settle({ error: `not finished after ${limitMs / 1000} s` });
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
