// What a process takes, as Linux tells it.
import { readFileSync } from 'node:fs';

/** In MB; null where there is no such process. */
export function residentOf(pid: number): number | null {
  return field(pid, 'VmRSS');
}

/** The most it ever had. */
export function peakOf(pid: number): number | null {
  return field(pid, 'VmHWM');
}

function field(pid: number, name: string): number | null {
  try {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? null : Number(line[1]) / 1_024;
  } catch {
    return null;
  }
}

/** Seconds of CPU it has had; what children of it that ended had is not in them. */
export function cpuOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return null;
  }
}

/** USER_HZ is that on every Linux that Node runs on. */
const ticksPerSecond = 100;
