// Prompt files of judges: the one that comes with uturn, or a user's own.
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

/** The text of a prompt file that can be used. @throws ConfigProblem  with every fault and its line */
export async function promptText(path: string | null, { baseDir }: { baseDir: string }): Promise<string> {
  const file = path === null ? shippedPath() : resolve(baseDir, path);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigProblem(`the judge's prompt file cannot be read: ${why}`, {
      advice: 'Check the path (it is relative to the config).',
      cause,
    });
  });
  readPrompt(text, { file: path === null ? file : relative(process.cwd(), file) || file });
  return text;
}
