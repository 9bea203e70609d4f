// infra/ as tests read it: stages of the container file, services of the Compose file, what an image is made from.
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { parse } from 'yaml';
import { z } from 'zod';

export const root = join(import.meta.dirname, '..', '..');

export const read = (path: string) => readFileSync(join(root, path), 'utf8');

export type Instruction = { name: string; text: string; list: string[] };
/** `from`: image or stage it is made from. */
export type Stage = { name: string; from: string; instructions: Instruction[] };

/** The stages in their order; `list` holds the elements where an instruction is given as JSON. */
export function stages(): Stage[] {
  const found: Stage[] = [];
  for (const instruction of DockerfileParser.parse(read('infra/worker.Dockerfile')).getInstructions()) {
    const name = instruction.getKeyword();
    const text = instruction.getArgumentsContent() ?? '';
    if (name === 'FROM') {
      const [from = '', , as = ''] = text.split(/\s+/);
      found.push({ name: as, from, instructions: [] });
    } else found.at(-1)?.instructions.push({ name, text, list: jsonList(text) });
  }
  return found;
}

/** The instructions that make a stage, those of the stages below it first. */
export function whole(name: string): Instruction[] {
  const stage = stages().find((one) => one.name === name);
  return stage === undefined ? [] : [...whole(stage.from), ...stage.instructions];
}

function jsonList(text: string): string[] {
  const at = text.indexOf('[');
  try {
    return z.array(z.string()).parse(JSON.parse(text.slice(at)));
  } catch {
    return [];
  }
}

const words = z.union([z.string(), z.array(z.string())]);
const service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  entrypoint: words.optional(),
  command: words.optional(),
  restart: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  cap_drop: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
});
export type Service = z.output<typeof service>;

const composeSchema = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
});

export function compose(): z.output<typeof composeSchema> {
  return composeSchema.parse(parse(read('infra/compose.yaml'), { merge: true }));
}

/** Variables in the lab's `.env`, as the example has them, with the values it gives. */
export function exampleVariables(): Record<string, string> {
  const lines = read('infra/example.env').match(/^\w+=.*$/gm) ?? [];
  return Object.fromEntries(lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]));
}

/** The project's files that the builder sends, by `.dockerignore`: a pattern takes what it names and all below. */
export function contextFiles(): string[] {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const ignored = (path: string) => {
    const parts = path.split('/');
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return above.some((at) => patterns.some((pattern) => matchesGlob(at, pattern)));
  };
  const skip = ['node_modules', '.git', 'dist', 'coverage'];
  const all = globSync('**/*', { cwd: root, exclude: (name) => skip.includes(String(name)), withFileTypes: false });
  return all.filter((path) => !ignored(path));
}
