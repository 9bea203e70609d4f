// A conversation that somebody puts into a file.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Message } from '../domain/data/item.ts';
import { ConfigProblem } from '../domain/problems.ts';

const messages = z
  .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
  .min(1)
  .refine((list) => list.at(-1)?.role === 'user');

/** @throws ConfigProblem  the file cannot be read, or holds something else */
export async function readMessages(file: string): Promise<Message[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    const found = code === 'ENOENT' ? 'does not exist.' : code === 'EISDIR' ? 'is a folder.' : 'cannot be read.';
    throw new ConfigProblem(found, {
      place: { file },
      advice: 'Give the path of a JSON file with the conversation.',
      cause,
    });
  });
  const read = messages.safeParse(jsonOrNull(text));
  if (read.success) return read.data;
  throw new ConfigProblem('holds no conversation.', {
    place: { file },
    advice: 'It is a JSON list of messages that ends with a user’s: [{ "role": "user", "content": "Why?" }].',
  });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
