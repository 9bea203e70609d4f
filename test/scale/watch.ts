// A run seen from outside while it goes on: how far the server has come, and what the worker has resident.

import { type BenchServer, generationsOf } from '../../bench/server/server.ts';
import type { Home } from '../../local/home.ts';
import { listServices } from '../../local/services.ts';
import { peakOf, residentOf } from './memory.ts';

/** MB. `heap`: of JavaScript objects, as the worker's own metrics tell it. */
export type Look = { served: number; resident: number; heap: number };
export type Watch = { end(): { looks: Look[]; peak: number } };

type Watched = { home: Home; server: BenchServer; total: number; metricsPort: number };

const everyMs = 2_000;
const sayEveryMs = 20_000;

export function watch({ home, server, total, metricsPort }: Watched): Watch {
  const looks: Look[] = [];
  let peak = 0;
  const begun = Date.now();
  let said = begun;

  const look = async () => {
    const served = generationsOf(await server.served());
    const worker = (await listServices(home)).find(({ name, alive }) => name === 'worker' && alive);
    const temporal = (await listServices(home)).find(({ name, alive }) => name === 'temporal' && alive);
    const resident = worker === undefined ? null : residentOf(worker.process.pid);
    if (worker !== undefined) peak = Math.max(peak, peakOf(worker.process.pid) ?? 0);
    const heap = await heapAt(metricsPort);
    if (resident !== null && heap !== null) looks.push({ served, resident, heap });
    if (Date.now() - said < sayEveryMs) return;
    said = Date.now();
    const seconds = (said - begun) / 1_000;
    const others = temporal === undefined ? 0 : (residentOf(temporal.process.pid) ?? 0);
    console.error(
      `${seconds.toFixed(0).padStart(5)} s  ${served} of ${total} served, ${(served / seconds).toFixed(0)}/s, ` +
        `worker ${(resident ?? 0).toFixed(0)} MB (heap ${(heap ?? 0).toFixed(0)}), Temporal ${others.toFixed(0)} MB`,
    );
  };
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return {
    end() {
      clearInterval(timer);
      return { looks, peak };
    },
  };
}

/** Null while there is no worker. */
async function heapAt(port: number): Promise<number | null> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (reply) => reply.text(),
    () => '',
  );
  const found = /^uturn_heap_bytes(?:\{[^}]*\})? (\d+(?:\.\d+)?)$/m.exec(text)?.[1];
  return found === undefined ? null : Number(found) / 2 ** 20;
}
