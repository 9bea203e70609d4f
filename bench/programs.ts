// Programs that the bench runs to their end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export type ProgramOptions = { env: NodeJS.ProcessEnv; cwd?: string };

/** What it printed. @throws Error  it ended with another code than 0; the end of what it said on stderr is in the message */
export async function run(program: string, args: string[], { env, cwd }: ProgramOptions): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd !== undefined && { cwd }) });
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code === 0) return stdout;
  throw new Error(
    `${program} ${args.slice(0, 3).join(' ')} ended with ${code ?? signal}:\n${stderr.trim().slice(-2_000)}`,
  );
}

/** The same with Node, which writes a CPU profile where one is wanted. */
export function runNode(args: string[], opts: ProgramOptions & { profile: string | null }): Promise<string> {
  return run(process.execPath, ['--no-warnings', ...profileArgs(opts.profile), ...args], opts);
}

export function profileArgs(folder: string | null): string[] {
  return folder === null ? [] : ['--cpu-prof', '--cpu-prof-dir', folder];
}
