import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TemplateReport } from '../../activities/template/show.ts';
import { startFakeServer } from '../fakes/model-server.ts';
import { desk } from './uturn.ts';

const chatml =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';
const dated = `{{ strftime_now('%Y-%m-%d') }}{{ bos_token }}${chatml}`;

test('a template file is shown as text, with what was read off it', async () => {
  const { dir, uturn } = await desk();
  await writeFile(join(dir, 'chatml.jinja'), chatml);
  const { stdout, stderr, code } = await uturn(['template', 'chatml.jinja']);
  expect({ stdout, stderr, code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "chatml.jinja: chat template 94d754f89b5c, rendered by jinja2
      date                prints none
      white space         kept around what is said
      system message      stands in a turn of its own
      reasoning           known from the text alone, kept in the history
      begins with         <|im_start|>user\\n
      answer opens with   <|im_start|>assistant\\n
      answer ends at      <|im_end|>  (as text)
      bridge              <|im_end|>\\n<|im_start|>user\\n
      user turn ends at   <|im_end|>  (as text)

    Prompt of a user turn, as text (there is no tokenizer here):
      prompt    <|im_start|>user\\nWhy is the sky dark at night?<|im_end|>\\n<|im_star
                t|>assistant\\n
      answer    Because most of it is empty.
      bridge    <|im_end|>\\n<|im_start|>user\\n
    ",
    }
  `);
});

test('a folder’s tokenizer files give the template and its tokens', async () => {
  const { dir, uturn } = await desk();
  await mkdir(join(dir, 'tokenizer'));
  const config = { bos_token: { content: '<s>' }, eos_token: '</s>', chat_template: dated };
  await writeFile(join(dir, 'tokenizer', 'tokenizer_config.json'), JSON.stringify(config));
  const { json, code } = await uturn<TemplateReport>(['template', 'tokenizer', '--date', '2031-05-06', '--json']);
  expect([code, json.date, json.problems]).toEqual([0, '2031-05-06', []]);
  expect(json.probe?.stops.user).toEqual({ ids: [], texts: ['<|im_end|>', '</s>'], markers: ['<|im_end|>', '</s>'] });
  expect(json.probe?.pieces[0]?.text).toMatch(/^2031-05-06<s><\|im_start\|>user\n/);
});

test('one of several templates is chosen by its name', async () => {
  const { dir, uturn } = await desk();
  const both = [
    { name: 'rag', template: chatml },
    { name: 'tool_use', template: dated },
  ];
  await writeFile(join(dir, 'tokenizer_config.json'), JSON.stringify({ chat_template: both }));
  const args = ['template', 'tokenizer_config.json', '--template-name', 'tool_use', '--json'];
  const { json, code } = await uturn<TemplateReport>(args);
  expect([code, json.date]).toEqual([0, '2026-01-01']);
  const unnamed = await uturn(['template', 'tokenizer_config.json']);
  expect([unnamed.code, unnamed.stderr]).toEqual([
    2,
    'tokenizer_config.json holds several chat templates (rag, tool_use), none of them the default.\n  Choose one with --template-name, or put it into a .jinja file.\n',
  ]);
});

test('a template without an end is a problem in the report, soon', async () => {
  const { dir, uturn } = await desk();
  await writeFile(
    join(dir, 'endless.jinja'),
    '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}',
  );
  const { json, code } = await uturn<TemplateReport>(['template', 'endless.jinja', '--json']);
  expect([code, json.probe, json.problems]).toEqual([
    2,
    null,
    [
      'the chat template failed on user: not finished after 2 s of computing\n  Give a template that only prints the conversation.',
    ],
  ]);
});

test('a server is asked token by token, for a conversation of one’s own', async () => {
  const { dir, uturn } = await desk();
  await using server = await startFakeServer();
  await writeFile(join(dir, 'said.json'), JSON.stringify([{ role: 'user', content: 'Why?' }]));
  const args = ['--url', `${server.url}/v1`, '--model', server.model, '--messages', 'said.json', '--answer', 'So.'];
  const { json, code } = await uturn<TemplateReport>(['template', ...args, '--json']);
  expect(code).toBe(0);
  expect(json.probe?.pieces.map(({ what, text }) => `${what} ${text}`)).toEqual([
    'prompt <|im_start|>',
    'prompt user',
    'prompt \n',
    'prompt Why',
    'prompt ?',
    'prompt <|im_end|>',
    'prompt \n',
    'prompt <|im_start|>',
    'prompt assi',
    'prompt stan',
    'prompt t',
    'prompt \n',
    'answer So',
    'answer .',
    'bridge <|im_end|>',
    'bridge \n',
    'bridge <|im_start|>',
    'bridge user',
    'bridge \n',
  ]);

  await writeFile(join(dir, 'chatml.jinja'), chatml);
  const same = await uturn<TemplateReport>(['template', 'chatml.jinja', ...args, '--json']);
  expect(same.json).toMatchObject({ template: { source: 'jinja' }, server: { same: true } });

  await writeFile(join(dir, 'loud.jinja'), chatml.replace('m.content', 'm.content | upper'));
  const loud = await uturn<TemplateReport>(['template', 'loud.jinja', ...args, '--json']);
  expect(loud).toMatchObject({ code: 2, json: { probe: null, template: { source: 'jinja' } } });
});

test('a template that cannot be probed says why, and that is the exit code', async () => {
  const { dir, uturn } = await desk();
  await writeFile(join(dir, 'mute.jinja'), '{{ messages[0].content }}');
  const { stdout, code } = await uturn(['template', 'mute.jinja']);
  expect(code).toBe(2);
  expect(stdout).toMatch(/\nProblem: .*\n/);
});

test.each<[args: string[], said: string]>([
  [[], 'which model?\n  Name a local model or a file, or give --url and --model.\n'],
  [
    ['smollm-135m'],
    'there is no local model named "smollm-135m"\n  Did you mean smollm2-135m? Known are smollm2-135m, and paths of GGUF files.\n',
  ],
  [['none.jinja'], 'none.jinja there is no such file or folder.\n  Check the path.\n'],
  [
    ['.'],
    '. holds no chat template.\n  Name a folder with chat_template.jinja, or with a chat_template in tokenizer_config.json.\n',
  ],
  [
    ['x.jinja', '--messages', 'nope.json'],
    'nope.json does not exist.\n  Give the path of a JSON file with the conversation.\n',
  ],
  [
    ['x.jinja', '--messages', 'odd.json'],
    'odd.json holds no conversation.\n  It is a JSON list of messages that ends with a user’s: [{ "role": "user", "content": "Why?" }].\n',
  ],
  [
    ['smollm2-135m', '--template-name', 'x'],
    '--template-name chooses among the templates of a model’s files\n  Name the folder of the model or its tokenizer_config.json, and no --url.\n',
  ],
  [['--url', 'http://127.0.0.1:1'], '--url and --model go together\n  Give the address, and the model’s name there.\n'],
])('uturn template %j is refused with a sentence', async (args, said) => {
  const { dir, uturn } = await desk();
  await writeFile(join(dir, 'odd.json'), '[{ "role": "assistant", "content": "?" }]');
  const { code, stdout, stderr } = await uturn(['template', ...args]);
  expect([code, stdout, stderr]).toEqual([2, '', said]);
});
