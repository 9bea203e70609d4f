// HealthBench and CoVal in their layouts, with conversations of our own.
import { expect, test } from 'vitest';
import { adapt } from '../../../activities/data/adapt.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { folder } from './folder.ts';

type Set = 'healthbench' | 'coval';

/** `u …`, `a …` and `s …` are what user, assistant and system say. */
function talk(...said: string[]) {
  const roles: Record<string, string> = { u: 'user', a: 'assistant', s: 'system' };
  return said.map((one) => ({ role: roles[one.charAt(0)], content: one.slice(2) }));
}

async function read(set: Set, rows: object[], layout: 'lines' | 'list' = 'lines') {
  await using files = await folder();
  const text =
    layout === 'list' ? JSON.stringify(rows, null, 1) : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return await adapt(await files.source('c.jsonl', text, { adapter: set }));
}

async function said(set: Set, ...rows: object[]): Promise<string> {
  return read(set, rows).then(
    () => 'fine',
    (error: unknown) => (error instanceof ConfigProblem ? sentence(error) : `not ours: ${String(error)}`),
  );
}

const headache = talk('u My head aches.', 'a Since when?', 'u Since noon.', 'a Drink water.', 'u I did. What else?');

test('the last answer of a conversation is the given one, what stands before is asked, and what was said next is kept', async () => {
  const row = {
    prompt_id: 'p-1',
    prompt: headache,
    rubrics: [{ criterion: 'x', points: 3 }],
    ideal_completions_data: null,
  };
  const data = await read('healthbench', [row]);
  expect([data.scored, data.held_out]).toEqual([false, true]);
  expect(data.items).toEqual([
    {
      id: 'p-1',
      messages: headache.slice(0, 3),
      answer: null,
      assistant: 'Drink water.',
      reference_user_turn: 'I did. What else?',
    },
  ]);
});

test('conversations without an answer to a user turn are left out and counted', async () => {
  const prompts = [
    headache,
    talk('u Only a question.'),
    talk('a Hello.', 'u Hi.'),
    talk('s Be kind.', 'a Hello.', 'u Hi.'),
    talk('u One.', 'a Two.', 'a Three.', 'u Four.'),
    talk('s Be kind.', 'u Hi.', 'a Hello.', 'u Bye.'),
  ];
  const { items, notes } = await read(
    'healthbench',
    prompts.map((prompt, n) => ({ prompt_id: `p-${n}`, prompt })),
  );
  expect(items.map(({ id, messages, assistant }) => [id, messages.length, assistant])).toEqual([
    ['p-0', 3, 'Drink water.'],
    ['p-5', 2, 'Hello.'],
  ]);
  expect(notes).toEqual([
    '4 of 6 conversations hold no answer to a user turn; they are left out.',
    'c.jsonl holds 2 items; healthbench in the paper has 1470.',
  ]);
});

test('a CoVal conversation may end with its answer, needs no id, and its file may be a list', async () => {
  const rows = [
    { messages: talk('u Is it fair?', 'a To whom?'), country: 'x' },
    { id: 7, messages: talk('u Is it fair?', 'a To whom?', 'u To me.', 'u And you.') },
  ];
  const lines = await read('coval', rows);
  expect((await read('coval', rows, 'list')).items).toEqual(lines.items);
  expect((await read('coval', rows.toReversed())).items).toEqual(lines.items.toReversed());
  expect(lines.items.map(({ id, reference_user_turn }) => [id, reference_user_turn])).toEqual([
    ['coval-5859821f927cc355', null],
    ['7', 'To me.'],
  ]);
});

test('empty turns are turns', async () => {
  const { items } = await read('coval', [{ messages: talk('u ', 'a ', 'u ') }]);
  expect(items[0]).toMatchObject({ messages: [{ content: '' }], assistant: '', reference_user_turn: '' });
});

const wrongRole = 'c.jsonl:1  prompt[0].role: "developer" is not allowed; one of system, user, assistant is.';
test.each<[name: string, set: Set, rows: object[], sentences: string]>([
  [
    'a prompt that ends with an answer',
    'healthbench',
    [{ prompt_id: 'a', prompt: talk('u x', 'a y') }],
    'c.jsonl:1  prompt[1].role: is not user.\n  The last message is what the user said in the end.',
  ],
  [
    'an id twice',
    'healthbench',
    [
      { prompt_id: 'a', prompt: headache },
      { prompt_id: 'a', prompt: headache },
    ],
    'c.jsonl:2  prompt_id: "a" stands already on line 1.\n  Every item needs an id of its own.',
  ],
  [
    'a conversation twice',
    'coval',
    [{ messages: headache }, { messages: headache }],
    'c.jsonl:2  messages: "coval-c559f2afcf62b335" stands already on line 1.\n  Every item needs an id of its own.',
  ],
  [
    'a late system message',
    'coval',
    [{ messages: talk('u x', 's y', 'u z', 'a w') }],
    'c.jsonl:1  messages[1].role: system may only come first.\n  Move its text into the first message.',
  ],
  [
    'another role',
    'healthbench',
    [{ prompt_id: 'a', prompt: [{ role: 'developer', content: '' }, ...headache] }],
    wrongRole,
  ],
  [
    'content in parts',
    'coval',
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }],
    'c.jsonl:1  messages[0].content: is a list; a text is needed.',
  ],
  ['no messages', 'coval', [{ id: 'a', messages: [] }], 'c.jsonl:1  messages: is empty; at least one is needed.'],
  [
    'no answer anywhere',
    'healthbench',
    [{ prompt_id: 'a', prompt: talk('u x') }],
    'c.jsonl holds no items.\n  1 of 1 conversations hold no answer to a user turn; they are left out. Is this the right file?',
  ],
  [
    'the other set',
    'coval',
    [{ prompt_id: 'a', prompt: headache }],
    'c.jsonl:1  messages: is missing.\n  This file looks like healthbench.',
  ],
  [
    'a set of questions',
    'healthbench',
    [{ problem: 'x', solution: 'y' }],
    'c.jsonl has 2 faults.\n  c.jsonl:1  prompt_id: is missing.\n  and 1 more.\n  This file looks like math.',
  ],
])('%s', async (_, set, rows, sentences) => {
  expect(await said(set, ...rows)).toBe(sentences);
});
