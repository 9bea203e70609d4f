// A sweep of so many held-out samples, written down: its config and its data.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { benchItems, chatml, maxTokens } from '../../bench/data.ts';
import { model } from '../../bench/server/bodies.ts';
import type { Shape } from './shape.ts';

export const config = 'scale.yaml';

/** `url`: of the model server, which stands for all models. */
export async function writeExperiment(dir: string, { shape, url }: { shape: Shape; url: string }): Promise<void> {
  const rows = benchItems(shape.items).map(({ id, question, answer }) => ({
    id,
    messages: [{ role: 'user', content: question }],
    assistant: answer,
  }));
  await writeFile(join(dir, 'held-out.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(join(dir, 'chatml.jinja'), chatml);
  const models = Array.from({ length: shape.models }, (_, n) => ({
    url: `${url}/v1`,
    model,
    id: `fake-${n}`,
    weights: String(n).repeat(64),
    concurrency: 64,
    template: 'chatml.jinja',
  }));
  const data = [{ set: 'jsonl', id: 'held-out', path: 'held-out.jsonl' }];
  const { temperatures, samples } = shape;
  await writeFile(
    join(dir, config),
    stringify({ kind: 'sweep', name: 'scale', models, data, temperatures, samples, max_tokens: { user: maxTokens } }),
  );
}
