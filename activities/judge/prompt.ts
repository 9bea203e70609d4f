// Prompt files of judges: the one that comes with uturn, or a user's own.
import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPrompt } from '../../domain/followup/prompt.ts';
import { ConfigProblem } from '../../domain/problems.ts';

/** Where the file lies, from the sources or from their build one folder deeper. */
function shippedPath(): string {
  const places = ['../..', '../../..'].map((up) =>
    fileURLToPath(new URL(`${up}/configs/judge/followup-1.md`, import.meta.url)),
  );
  return places.find(existsSync) ?? places[0] ?? '';
}

const unreadable: Record<string, [message: string, advice: string]> = {
  ENOENT: ['does not exist.', 'Give the path of the prompt file; a relative one counts from the folder of the config.'],
  ENOTDIR: ['does not exist.', 'A part of its path is a file, not a folder.'],
  EISDIR: ['is a folder.', 'Name the file in it.'],
  EACCES: ['may not be read by this user.', 'Give this user the right to read it.'],
};

/** The text of a prompt file that can be used. @throws ConfigProblem  with every fault and its line */
export async function promptText(path: string | null, { baseDir }: { baseDir: string }): Promise<string> {
  const file = path === null ? shippedPath() : resolve(baseDir, path);
  const shown = path === null ? file : relative(process.cwd(), file) || file;
  const bytes = await readFile(file).catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const [message, advice] = unreadable[code] ?? [`cannot be read (${code}).`, 'Give the path of a file with text.'];
    throw new ConfigProblem(`${shown} ${message}`, { advice, cause });
  });
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new ConfigProblem(`${shown} is no UTF-8 text.`, { advice: 'Name a text file, or save it as UTF-8.' });
  }
  const text = bytes.toString('utf8');
  readPrompt(text, { file: shown });
  return text;
}
