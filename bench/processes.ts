// What the processes of one contestant take of the machine, seen from /proc: they carry a mark in their environment.
import { readdirSync, readFileSync } from 'node:fs';

export const markName = 'UTURN_BENCH_MARK';

export type Taken = { cpu_s: number; peak_mb: number };

export type Watch = {
  /** CPU counts from here; what is gone by now is forgotten. */
  restart(): void;
  taken(): Taken;
} & Disposable;

type Seen = { ticks: number; before: number };

const everyMs = 100;
/** USER_HZ and the page size are these on every Linux that Node runs on with 4 KiB pages. */
const ticksPerSecond = 100;
const pageBytes = 4_096;

/** Looks ten times a second; up to a tenth of a second at the end of a process goes unseen. */
export function watchProcesses(mark: string): Watch {
  const marked = new Map<string, Seen>();
  const others = new Set<string>();
  let peak = 0;

  const look = () => {
    let resident = 0;
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const stat = read(`/proc/${pid}/stat`);
      if (stat === null) continue;
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const name = `${pid}/${fields[19]}`;
      if (others.has(name)) continue;
      if (!marked.has(name) && !isMarked(pid, mark)) {
        // Between fork and exec a child still has its parent's environment, and afterwards its own.
        others.add(name);
        continue;
      }
      const seen = marked.get(name) ?? { ticks: 0, before: 0 };
      seen.ticks = Number(fields[11]) + Number(fields[12]);
      marked.set(name, seen);
      resident += Number(fields[21]) * pageBytes;
    }
    peak = Math.max(peak, resident);
  };

  const timer = setInterval(look, everyMs);
  look();
  return {
    restart() {
      look();
      for (const seen of marked.values()) seen.before = seen.ticks;
    },
    taken() {
      look();
      const ticks = [...marked.values()].reduce((sum, seen) => sum + seen.ticks - seen.before, 0);
      return { cpu_s: ticks / ticksPerSecond, peak_mb: peak / 2 ** 20 };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function isMarked(pid: string, mark: string): boolean {
  return read(`/proc/${pid}/environ`)?.split('\0').includes(`${markName}=${mark}`) ?? false;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
