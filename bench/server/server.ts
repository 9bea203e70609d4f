// The bench's hold on its model server: starting it, setting its latency, reading what it served.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Since the last `begin`. `first`, `last`: when the first generation came in and the last was sent, in ms since 1970. */
export type Served = {
  paths: Record<string, number>;
  first: number | null;
  last: number | null;
  in_flight: number;
  max_in_flight: number;
};

export type BenchServer = {
  /** `/v1` not included. */
  url: string;
  pid: number;
  begin(latencyMs: number): Promise<void>;
  served(): Promise<Served>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startServer(): Promise<BenchServer> {
  const child = spawn(process.execPath, ['--no-warnings', new URL('serve.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const url = String((await lines.next()).value);
  return {
    url,
    pid: child.pid ?? 0,
    async begin(latencyMs) {
      await fetch(`${url}/__begin`, { method: 'POST', body: JSON.stringify({ latency_ms: latencyMs }) });
    },
    served: async () => (await (await fetch(`${url}/__served`)).json()) as Served,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Requests that stand for a sample. */
export function generationsOf({ paths }: Served): number {
  return (paths['/v1/completions'] ?? 0) + (paths['/v1/chat/completions'] ?? 0);
}
