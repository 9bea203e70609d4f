// Prompts and replies of any size, and replies that are none: each ends as a record, and the others are not touched.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Turn } from '../../domain/records/record.ts';
import type { LabItem } from '../lab/config.ts';
import { labData } from '../lab/config.ts';
import { Lab } from '../lab.ts';

const contextLength = 600_000;
const items: LabItem[] = [
  { id: 'two megabytes', question: 'pear'.repeat(500_000), answer: '7' },
  { id: 'too long', question: '7'.repeat(contextLength), answer: '7' },
  { id: 'empty', question: '', answer: '7' },
  { id: 'answered in bytes', question: 'Is this binary?', answer: '7' },
  { id: 'answered at length', question: 'Is this huge?', answer: '7' },
  { id: 'answered in another shape', question: 'Is this foreign?', answer: '7' },
  { id: 'plain', question: 'What is 3 + 4?', answer: '7' },
];

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ fake: { contextLength, world: { answers: { endless: 0, unmarked: 0 } } } });
  await lab.write('sizes.jsonl', labData(items));
  await lab.config({ data: [{ set: 'jsonl', id: 'sizes', path: 'sizes.jsonl' }], max_error_share: 1 });
});
afterAll(() => lab?.[Symbol.asyncDispose]());

test('each is a record: what cannot be had says why, and what another try cannot change is tried once', {
  timeout: 300_000,
}, async () => {
  await lab.model.setFaults([
    { fault: 'binary', when: { asks: 'binary?' } },
    { fault: 'huge', when: { asks: 'huge?' } },
    { fault: 'foreign', when: { asks: 'foreign?' } },
  ]);
  const { code, json, stderr } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect([code, json?.samples, json?.totals.errors], stderr).toEqual([0, 7, 4]);

  const answers = await lab.records<Turn>(json.run, 'assistant_turn');
  const seen = answers.map(({ result, meta }) => [
    result.item,
    result.status === 'ok'
      ? 'ok'
      : `${result.error.kind}: ${result.error.message.replace(`${lab.model.url}/v1`, 'the server')}`,
    meta.requests,
  ]);
  expect(seen).toEqual([
    ['two megabytes', 'ok', 1],
    [
      'too long',
      `context_length: the server answered 400: This model's maximum context length is 600000 tokens. However, your prompt contains 600010 input tokens.`,
      1,
    ],
    ['empty', 'ok', 1],
    ['answered in bytes', 'bad_reply: the server answered with bytes that are no UTF-8', 5],
    [
      'answered at length',
      expect.stringMatching(/^bad_reply: the server answered with 504\d{5} characters for at most 160 tokens$/),
      5,
    ],
    [
      'answered in another shape',
      'foreign_reply: the server answers, but not as an OpenAI-compatible server does: choices[0].text is missing',
      5,
    ],
    ['plain', 'ok', 1],
  ]);
  const [cell] = json.cells;
  const counted = [cell?.right ?? 0, cell?.wrong ?? 0].reduce((a, b) => a + b);
  expect([counted, cell?.answer_errors, cell?.accuracy?.n, cell?.judged]).toEqual([3, 4, 3, 3]);
});

test('a server that answers nobody as it should stops the run at once, and the field is named', {
  timeout: 180_000,
}, async () => {
  await lab.config({ name: 'foreign' });
  await lab.model.setFaults([{ fault: 'foreign', when: { rate: 1 } }]);
  const { code, stderr } = await lab.run(['run', 'sweep.yaml', '--json']);
  const [, sentence, advice] = /^(.*choices.*)\n(.*)$/m.exec(stderr) ?? [];
  expect([code, sentence, advice]).toEqual([
    1,
    `${lab.model.url}/v1 answers, but not as an OpenAI-compatible server does: choices[0].text is missing`,
    '  Tried several times, with a plain prompt too. Use a server with the completions API of vLLM or llama.cpp.',
  ]);
});
