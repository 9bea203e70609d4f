// The bench's hold on its model server: starting it, setting its latency, reading what it served.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Since the last `begin`; moments in ms since 1970. */
export type Served = {
  /** Whole replies. */
  paths: Record<string, number>;
  /** Generations asked for, also those whose asker did not wait for the reply. */
  received: number;
  /** When the first generation came in, and when the last was sent. */
  first: number | null;
  last: number | null;
  /** When the first one came in after `mark`. */
  since_mark: number | null;
  in_flight: number;
  max_in_flight: number;
};

export type BenchServer = {
  /** `/v1` not included. */
  url: string;
  begin(latencyMs: number): Promise<void>;
  mark(): Promise<void>;
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
  const tell = async (path: string, body: unknown) => {
    await (await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })).text();
  };
  return {
    url,
    begin: (latencyMs) => tell('/__begin', { latency_ms: latencyMs }),
    mark: () => tell('/__mark', {}),
    served: async () => (await (await fetch(`${url}/__served`)).json()) as Served,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Requests that stand for a sample. */
export function generationsOf({ paths }: Served): number {
  const generations = Object.entries(paths).filter(([path]) => path.endsWith('/completions'));
  return generations.reduce((sum, [, count]) => sum + count, 0);
}
