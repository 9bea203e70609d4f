// For health checks: a worker has no port to ask, so the time of a file says that it polls and that its loop turns.
import { writeFile } from 'node:fs/promises';

const everyMs = 10_000;

/** Writes the file now and every ten seconds; without a path nothing. What cannot be written shows as an old file. */
export function sayAlive(path: string | undefined): { stop(): void } {
  if (!path) return { stop: () => {} };
  const touch = () => void writeFile(path, `${process.pid}\n`).catch(() => {});
  touch();
  const timer = setInterval(touch, everyMs);
  return { stop: () => clearInterval(timer) };
}
