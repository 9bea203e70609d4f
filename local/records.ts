// Small JSON files about running processes: written whole, read with suspicion.
import { open, readFile, rename } from 'node:fs/promises';
import type { ZodType } from 'zod';

export type Read<T> = { state: 'none' } | { state: 'torn' } | { state: 'read'; value: T };

/** `torn` where the file holds anything else than its schema asks for. */
export async function readRecord<T>(file: string, schema: ZodType<T>): Promise<Read<T>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { state: 'none' };
    throw error;
  }
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? { state: 'read', value: parsed.data } : { state: 'torn' };
  } catch {
    return { state: 'torn' };
  }
}

/** Replaces the file in one step: whoever reads or dies at whatever moment finds the old record or the new one. */
export async function writeRecord(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  {
    await using handle = await open(draft, 'w');
    await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await handle.sync();
  }
  await rename(draft, file);
}
