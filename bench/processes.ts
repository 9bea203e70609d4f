// What the processes of one contestant take of the machine, seen from /proc: they carry a mark in their environment.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export const markName = 'UTURN_BENCH_MARK';

/** `cpu_s_of`: by program. `others_cores`: cores that were busy on average with what is neither the contestant nor the bench: noise. */
export type Taken = { cpu_s: number; cpu_s_of: Record<string, number>; peak_mb: number; others_cores: number };

export type Watch = {
  /** CPU counts from here; what is gone by now is forgotten. */
  restart(): void;
  taken(): Taken;
} & Disposable;

type Side = 'contestant' | 'bench' | 'others';
type Seen = { side: Side; program: string; ticks: number; before: number };

const everyMs = 100;
/** USER_HZ and the page size are these on every Linux that Node runs on with 4 KiB pages. */
const ticksPerSecond = 100;
const pageBytes = 4_096;

/** Looks ten times a second; up to a tenth of a second at the end of a process goes unseen. */
export function watchProcesses(mark: string): Watch {
  const seen = new Map<string, Seen>();
  /** Nobody of ours, so not to be looked at each time: a look costs what it is to measure. */
  const foreign = new Set<number>();
  let looks = 0;
  let peak = 0;
  let since = { at: performance.now(), busy: busyTicks() };

  const look = () => {
    let resident = 0;
    if (looks % 20 === 0) foreign.clear();
    looks += 1;
    for (const { pid, name, parent, ticks, pages } of processes(foreign)) {
      const known = seen.get(name);
      // Between fork and exec a child of ours still has our environment, so it is looked at again.
      const side = known?.side === 'contestant' ? known.side : sideOf(pid, parent, mark);
      if (side === 'others') foreign.add(pid);
      else seen.set(name, { side, program: programOf(pid) ?? known?.program ?? '', ticks, before: known?.before ?? 0 });
      if (side === 'contestant') resident += pages * pageBytes;
    }
    peak = Math.max(peak, resident);
  };
  const ticksOf = (side: Side) =>
    [...seen.values()].filter((one) => one.side === side).reduce((sum, { ticks, before }) => sum + ticks - before, 0);

  const timer = setInterval(look, everyMs);
  const restart = () => {
    look();
    for (const one of seen.values()) one.before = one.ticks;
    since = { at: performance.now(), busy: busyTicks() };
  };
  restart();
  return {
    restart,
    taken() {
      look();
      const contestant = ticksOf('contestant');
      const seconds = (performance.now() - since.at) / 1_000;
      const others = busyTicks() - since.busy - contestant - ticksOf('bench');
      return {
        cpu_s: contestant / ticksPerSecond,
        cpu_s_of: cpuByProgram([...seen.values()].filter(({ side }) => side === 'contestant')),
        peak_mb: peak / 2 ** 20,
        others_cores: Math.max(0, others / ticksPerSecond / seconds),
      };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Processes that carry this mark, now. */
export function markedProcesses(mark: string): number[] {
  return processes(new Set())
    .map(({ pid }) => pid)
    .filter((pid) => isMarked(pid, mark));
}

type Process = { pid: number; name: string; parent: number; ticks: number; pages: number };

function processes(skipped: Set<number>): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    const stat = /^\d+$/.test(entry) && !skipped.has(Number(entry)) ? read(`/proc/${entry}/stat`) : null;
    if (stat === null) return [];
    // The name, field 2, may hold spaces and parentheses; what follows its last `)` begins with field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system, pages] = [1, 11, 12, 21].map((at) => Number(fields[at]));
    const ticks = (user ?? 0) + (system ?? 0);
    return [{ pid: Number(entry), name: `${entry}/${fields[19]}`, parent: parent ?? 0, ticks, pages: pages ?? 0 }];
  });
}

function sideOf(pid: number, parent: number, mark: string): Side {
  if (isMarked(pid, mark)) return 'contestant';
  return pid === process.pid || parent === process.pid ? 'bench' : 'others';
}

function cpuByProgram(processes: Seen[]): Record<string, number> {
  const seconds: Record<string, number> = {};
  for (const { program, ticks, before } of processes) {
    seconds[program] = (seconds[program] ?? 0) + (ticks - before) / ticksPerSecond;
  }
  return seconds;
}

/** The file that an interpreter runs, else the program; null where the process is gone. */
function programOf(pid: number): string | null {
  const args =
    read(`/proc/${pid}/cmdline`)
      ?.split('\0')
      .filter((arg) => arg !== '') ?? [];
  const [program, ...rest] = args;
  if (program === undefined) return null;
  const interpreted = /^(node|python)[\d.]*$/.test(basename(program)) && !rest.includes('-c') && !rest.includes('-e');
  const script = interpreted ? rest.find((arg) => !arg.startsWith('-')) : undefined;
  return basename(script ?? program);
}

function isMarked(pid: number, mark: string): boolean {
  return read(`/proc/${pid}/environ`)?.split('\0').includes(`${markName}=${mark}`) ?? false;
}

/** Of all cores since the machine started, without idling and waiting for disks. */
function busyTicks(): number {
  const counts = (read('/proc/stat') ?? '').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const [idle, waiting] = [3, 4];
  return counts.reduce((sum, count, at) => (at === idle || at === waiting ? sum : sum + count), 0);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
