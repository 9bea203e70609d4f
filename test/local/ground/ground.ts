// Ground for tests on real processes: a home in a temporary folder, and everything started from it ended afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Home, logFile, openHome } from '../../../local/home.ts';
import { freePort, splitAddress } from '../../../local/ports.ts';
import {
  ensureService,
  listServices,
  type Service,
  type ServiceOptions,
  stopService,
} from '../../../local/services.ts';

export type Ground = { home: Home; command(keep: 'up' | 'run'): Command; [Symbol.asyncDispose](): Promise<void> };

/** `leave` ends its input and returns what it says last; `kill` is kill -9. */
export type Command = { service(): Promise<Service>; leave(): Promise<string>; kill(): Promise<void> };

export async function ground(): Promise<Ground> {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-home-'));
  const home = await openHome({ UTURN_HOME: join(dir, '.uturn') });
  const children: ChildProcess[] = [];
  return {
    home,
    command(keep) {
      const script = join(import.meta.dirname, 'command.ts');
      const child = spawn(process.execPath, ['--no-warnings', script, home.dir, keep], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      children.push(child);
      const ended = once(child, 'exit');
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const line = async () => String((await lines.next()).value);
      let service: Promise<Service> | undefined;
      const ask = () => {
        service ??= line().then((text): Service => JSON.parse(text));
        return service;
      };
      return {
        service: ask,
        async leave() {
          await ask();
          child.stdin.end();
          const last = await line();
          await ended;
          return last;
        },
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      for (const { name } of await listServices(home)) await stopService(home, name, { graceMs: 2_000 });
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Takes the echo service of a home. Impatient, so that tests are short. */
export function ensureEcho(home: Home, opts: Partial<ServiceOptions>): Promise<Service> {
  return ensureService(home, 'echo', {
    start: async (previous) => {
      const port = await freePort(previous && splitAddress(previous.address).port);
      const script = join(import.meta.dirname, 'echo.ts');
      return { command: process.execPath, args: ['--no-warnings', script, String(port)], address: `127.0.0.1:${port}` };
    },
    healthy: async ({ address }) => {
      const answer = await fetch(`http://${address}/`, { signal: AbortSignal.timeout(200) }).catch(() => null);
      return answer?.ok === true;
    },
    keep: 'run',
    report: () => {},
    patienceMs: 500,
    graceMs: 300,
    ...opts,
  });
}

/** How often the echo service of a home was started. */
export async function beginnings(home: Home): Promise<number> {
  return (await readFile(logFile(home, 'echo'), 'utf8')).match(/begins/g)?.length ?? 0;
}
