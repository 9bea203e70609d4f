// A model on vLLM as the judge of another's turns, its replies held to the schema by the server.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Judgement } from '../../domain/records/record.ts';
import { dataPath } from '../data/folder.ts';
import { bodies, openRig, type Rig } from './rig.ts';

const { url, base } = inject('vllm');

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

test('what the rules leave open a model decides, and nothing stays undecided', async () => {
  const { run, cells } = await rig.sweep({
    models: [{ url, model: base, id: 'm', dtype: 'float32', concurrency: 8 }],
    data: [{ set: 'gsm8k', path: dataPath('gsm8k', 'test.jsonl') }],
    temperatures: [0.7],
    limit: 8,
    max_tokens: { assistant: 48, user: 24 },
    // A judge this small contradicts itself; what is asked here is whether its replies can be read.
    judge: { llm: { url, model: base, max_tokens: 200, concurrency: 4 } },
    max_error_share: 1,
  });
  expect(cells).toMatchObject([{ undecided: 0, turn_errors: 0 }]);
  expect((cells[0]?.judged ?? 0) + (cells[0]?.judge_errors ?? 0)).toBe(8);
  const judgements = bodies(await rig.records<Judgement>(run, 'judgement'));
  expect([...judgements.values()].filter(({ by }) => by?.includes(base)).length).toBeGreaterThan(0);
});
