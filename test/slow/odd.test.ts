// Texts that break things, from servers of both kinds: kept exactly, never obeyed.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { hashOf } from '../../domain/records/canonical.ts';
import type { Turn } from '../../domain/records/record.ts';
import { exactText } from '../../domain/records/text.ts';
import { Lab } from '../lab.ts';

const odd = ' \ud835 \u0000 <b onclick="x">&amp;</b> \u001b[31m ';
const chatml =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

const servers = [
  { name: 'a server that speaks token ids', dialect: 'vllm', model: {} },
  {
    name: 'a server that only completes text, with a template file',
    dialect: 'plain',
    model: { template: 'chatml.jinja' },
  },
] as const;

test.each(servers)('$name: odd texts come through whole', async ({ dialect, model }) => {
  await using lab = await Lab.start({
    items: 17,
    fake: { dialect, world: { answers: { odd: 1, endless: 0 } } },
    config: { model },
  });
  await lab.write('chatml.jinja', chatml);
  const { code, stdout, stderr, json } = await lab.run(['run', 'sweep.yaml']).then(async (shown) => ({
    ...shown,
    json: (await lab.run(['run', 'sweep.yaml', '--json'])).json,
  }));
  const stats = await lab.model.stats();
  expect([code, json.samples, stats.served, stats.repeated, json.totals.errors]).toEqual([0, 17, 34, 0, 0]);

  const answers = (await lab.records<Turn>(json.run, 'assistant_turn')).map(({ hash, result }) => ({
    same: hashOf(result) === hash,
    odd: result.status === 'ok' && exactText(result.body).includes(odd),
    form: result.status === 'ok' && result.body.prompt?.form,
  }));
  expect(answers).toEqual(answers.map(() => ({ same: true, odd: true, form: dialect === 'vllm' ? 'ids' : 'text' })));

  expect(stdout + stderr).not.toMatch(/[\u0000\u001b]/);
  const page = await readFile(resolve(lab.dir, json.report ?? ''), 'utf8');
  expect(page).toContain('&lt;b onclick=');
  expect(page).not.toMatch(/<b onclick|[\u0000\u001b]/);
});
