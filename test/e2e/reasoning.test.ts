// What a template does with reasoning and system messages, in whole runs.
import { expect, test } from 'vitest';
import type { Score, StageRecord, Turn } from '../../domain/records/record.ts';
import { Lab } from '../lab.ts';

const chatml = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}";
const opening = `${chatml}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}`;

function bodies<Body>(records: StageRecord<Body>[]): Body[] {
  return records.flatMap(({ result }) => (result.status === 'ok' ? [result.body] : []));
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
