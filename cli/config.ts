import { readFile } from 'node:fs/promises';
import { ConfigProblem } from '../domain/problems.ts';

export type ConfigFile = { file: string; text: string };

/** An experiment file's text. @throws ConfigProblem where it cannot be read */
export async function readConfig(file: string): Promise<ConfigFile> {
  try {
    return { file, text: await readFile(file, 'utf8') };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(cause);
    throw new ConfigProblem(`the config cannot be read: ${why}`, {
      place: { file },
      advice: 'Give the path of an experiment file, such as configs/quickstart.yaml.',
      cause,
    });
  }
}
