// Other people's programs, run to their end: pip, npm, python.
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/** `lines`: the last lines of both outputs, as they came. `missing`: there is no such program. */
export type CommandEnd = { code: number | null; stdout: string; lines: string[]; missing: boolean };

export type CommandOptions = { cwd?: string; env?: NodeJS.ProcessEnv; onLine?: (line: string) => void };

const KEPT_LINES = 40;

/** Runs `program` without a shell and without input. Never throws: the end says what happened. */
export async function runCommand(program: string, args: string[], opts: CommandOptions = {}): Promise<CommandEnd> {
  const child = spawn(program, args, {
    cwd: opts.cwd,
    env: opts.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let stdout = '';
  const keep = (line: string) => {
    if (line.trim() === '') return;
    opts.onLine?.(line);
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  eachLine(child.stdout, keep);
  eachLine(child.stderr, keep);
  return new Promise((done) => {
    child.on('error', (problem: NodeJS.ErrnoException) => {
      const missing = problem.code === 'ENOENT' || problem.code === 'EACCES';
      done({ code: null, stdout, lines: [...lines, problem.message], missing });
    });
    child.on('close', (code) => done({ code, stdout, lines, missing: false }));
  });
}

/** The last few lines of a command that failed, indented, to stand under the sentence that says so. */
export function lastLines(end: CommandEnd, count = 6): string {
  return end.lines
    .slice(-count)
    .map((line) => `\n    ${line.trimEnd()}`)
    .join('');
}

function eachLine(stream: NodeJS.ReadableStream, keep: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  stream.on('data', (chunk: Buffer | string) => {
    const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
    rest = parts.pop() ?? '';
    parts.forEach(keep);
  });
  stream.on('end', () => keep(rest));
}
