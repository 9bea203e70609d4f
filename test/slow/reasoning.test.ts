// What a template does with reasoning and system messages, in whole runs.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Score, StageRecord, Turn } from '../../domain/records/record.ts';
import { detokenize } from '../fakes/tokenizer.ts';
import { Lab } from '../lab.ts';

const chatml = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}";
const opening = `${chatml}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}`;

function bodies<Body>(records: StageRecord<Body>[]): Body[] {
  return records.flatMap(({ result }) => (result.status === 'ok' ? [result.body] : []));
}

/** The prompts of one stage, by item, as text. */
async function promptsOf(lab: Lab, run: string, stage: 'assistant_turn' | 'user_turn'): Promise<string[]> {
  return bodies(await lab.records<Turn>(run, stage)).map(({ prompt }) => detokenize(prompt?.ids ?? []));
}

test('an answer after a prompt that opens reasoning is no answer until the reasoning ends', async () => {
  await using lab = await Lab.start({
    items: 6,
    fake: { world: { answers: { endless: 0, unmarked: 0 } } },
    config: { model: { template: 'opening.jinja' } },
  });
  await lab.write('opening.jinja', opening);
  const { json } = await lab.run(['run', 'sweep.yaml', '--json']);
  const turns = bodies(await lab.records<Turn>(json.run, 'assistant_turn'));
  const scores = bodies(await lab.records<Score>(json.run, 'score'));
  expect(turns.map(({ prompt }) => prompt?.opens)).toEqual(turns.map(() => 'reasoning'));
  expect(scores).toHaveLength(6);
  for (const score of scores) expect(score).toMatchObject({ outcome: 'unscored', reason: 'the reasoning never ends' });
  const users = bodies(await lab.records<Turn>(json.run, 'user_turn'));
  expect(users.map(({ prompt }) => prompt && 'opens' in prompt)).toEqual(users.map(() => false));
});

const splitting =
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content.split('pens')[-1] | trim + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

test('an answer rendered anew is an ablation of its own: user turns are made again, and say so', async () => {
  const model = { template: 'splitting.jinja' };
  await using lab = await Lab.start({ items: 3, fake: { world: { answers: { endless: 0 } } }, config: { model } });
  await lab.write('splitting.jinja', splitting);
  const kept = (await lab.run(['run', 'sweep.yaml', '--json'])).json;
  await lab.config({ model: { ...model, reasoning: 'template' } });
  const anew = (await lab.run(['run', 'sweep.yaml', '--json'])).json;

  const before = await lab.model.stats();
  expect(before.served).toBe(3 * 2 + 3);
  const answers = bodies(await lab.records<Turn>(anew.run, 'assistant_turn'));
  const prompts = await promptsOf(lab, kept.run, 'assistant_turn');
  const end = '<|im_end|>\n<|im_start|>user\n';
  expect(await promptsOf(lab, kept.run, 'user_turn')).toEqual(
    answers.map(({ text }, n) => `${prompts[n]}${text}${end}`),
  );
  expect(await promptsOf(lab, anew.run, 'user_turn')).toEqual(
    answers.map(({ text }, n) => `${prompts[n]}${text.split('pens').at(-1)?.trim()}${end}`),
  );
  const said = async (run: string) =>
    bodies(await lab.records<Turn>(run, 'user_turn')).map(({ prompt }) => prompt?.rerendered ?? 'kept');
  expect(await said(kept.run)).toEqual(['kept', 'kept', 'kept']);
  expect(await said(anew.run)).toEqual(['template', 'template', 'template']);
  const [was, is] = await Promise.all(
    [kept, anew].map(({ report }) => readFile(resolve(lab.dir, report ?? ''), 'utf8')),
  );
  expect([was, is].map((page) => page?.includes('ablation: the answer was rendered anew'))).toEqual([false, true]);
});

test('the experiment’s system message goes before conversations that have none', async () => {
  await using lab = await Lab.start({
    items: 1,
    config: { system: 'Be brief.', data: [{ set: 'jsonl', id: 'mixed', path: 'mixed.jsonl' }] },
  });
  const own = [
    { role: 'system', content: 'Be long.' },
    { role: 'user', content: 'Why?' },
  ];
  const rows = [
    { id: 'a', messages: [{ role: 'user', content: 'Why?' }] },
    { id: 'b', messages: own },
  ];
  await lab.write('mixed.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const told = (await lab.run(['run', 'sweep.yaml', '--json'])).json;
  expect(await promptsOf(lab, told.run, 'assistant_turn')).toEqual([
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n',
    '<|im_start|>system\nBe long.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n',
  ]);
  const page = await readFile(resolve(lab.dir, told.report ?? ''), 'utf8');
  expect(page).toContain('<code>Be brief.</code>, where a conversation has none of its own');
});
