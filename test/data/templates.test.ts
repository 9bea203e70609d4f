// One-line expressions of chat templates, each with the answer of Python's jinja2: ours is the same.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { renderProcess } from '../../activities/template/process.ts';
import { toolVenv } from '../../local/python.ts';
import { dataPath } from './folder.ts';

const recorded = z.array(
  z.union([
    z.object({ template: z.string(), text: z.string() }),
    z.object({ template: z.string(), raises: z.string() }).transform((row) => ({ ...row, text: null })),
  ]),
);

/** What stood around the expressions when their answers were recorded. */
const around = {
  messages: [
    { role: 'user' as const, content: 'hé 🙂' },
    { role: 'assistant' as const, content: 'b' },
  ],
  add_generation_prompt: false,
  kwargs: { content_null: null, tools: [] },
  bos_token: null,
  eos_token: null,
  date: '2026-01-02T03:04:05',
  seconds: 5,
};

const { python } = await toolVenv({ report: () => {} });
const engine = renderProcess(python);
afterAll(() => engine.close());

test('all 221 expressions print what the reference prints, or raise what it raises', async () => {
  const rows = recorded.parse(JSON.parse(readFileSync(dataPath('templates', 'expressions.json'), 'utf8')));
  expect(rows).toHaveLength(221);
  const differing = [];
  for (const row of rows) {
    const came = await engine.ask({ ...around, template: row.template });
    const wanted = row.text === null ? { error: row.raises } : { text: row.text };
    if (JSON.stringify(came) !== JSON.stringify(wanted)) differing.push({ template: row.template, came, wanted });
  }
  expect(differing).toEqual([]);
});
