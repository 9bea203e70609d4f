// `uturn` commands, with the time they take and the memory they need.
import { command } from '../lab/command.ts';
import { cpuOf, peakOf } from './memory.ts';

/** `cpu`: seconds, up to a twentieth of one before its end. */
export type Timed = { stdout: string; seconds: number; cpu: number; peakMb: number };

const limitMs = 6 * 3_600_000;

/** @throws Error  it ended with another code than 0 */
export async function timed(args: string[], at: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Timed> {
  const begun = performance.now();
  const { process: child, done } = command(args, { ...at, limitMs });
  let peakMb = 0;
  let cpu = 0;
  const look = () => {
    peakMb = Math.max(peakMb, peakOf(child.pid ?? 0) ?? 0);
    cpu = Math.max(cpu, cpuOf(child.pid ?? 0) ?? 0);
  };
  const timer = setInterval(look, 50);
  const { code, stdout, stderr } = await done;
  clearInterval(timer);
  if (code !== 0) throw new Error(`uturn ${args.join(' ')} ended with ${code}:\n${stderr.slice(-2_000)}`);
  return { stdout, seconds: (performance.now() - begun) / 1_000, cpu, peakMb };
}
