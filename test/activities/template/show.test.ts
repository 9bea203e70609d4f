import { afterAll, expect, test } from 'vitest';
import { formatTemplateReport, templateReport } from '../../../activities/template/show.ts';
import { rendererOf } from '../../domain/probe/shapes.ts';
import { templateServer } from './server.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

async function shown(shape: string, opts: Parameters<typeof templateServer>[1] & { date?: string; model?: string } = {}): Promise<string> {
  const server = templateServer(shape, opts);
  const renderer = rendererOf(shape);
  open.push(server, renderer);
  return formatTemplateReport(await templateReport(renderer, { model: opts.model ?? shape, date: opts.date ?? null, server }));
}

test('a template is shown token by token, with what was read off it', async () => {
  expect(await shown('chatml', { added: ['<|im_start|>', '<|im_end|>', '</s>'] })).toMatchInlineSnapshot(`
    "chatml: chat template 12cc78292230, rendered by jinja2
    It prints no date.
    It leaves white space around what is said.
    Assistant turn opens with: <|im_start|>assistant\\n
    Assistant turn ends at:   <|im_end|>  </s>  (token ids 1, 2)
    User turn ends at:        <|im_end|>  </s>  (token ids 1, 2)

    Prompt of a user turn:
      prompt         0  <|im_start|>
      prompt       260  system
      prompt         3  \\n
      prompt       261  You
      prompt       262   are
      prompt       263   a
      prompt       264   model
      prompt       265   that
      prompt       266   helps
      prompt        63  .
      prompt         1  <|im_end|>
      prompt         3  \\n
      prompt         0  <|im_start|>
      prompt       267  user
      prompt         3  \\n
      prompt       268  Why
      prompt       269   is
      prompt       270   the
      prompt       271   sky
      prompt       272   dark
      prompt       273   at
      prompt       274   night
      prompt       275  ?
      prompt         1  <|im_end|>
      prompt         3  \\n
      prompt         0  <|im_start|>
      prompt       248  assistant
      prompt         3  \\n
      answer       276  Because
      answer       277   most
      answer       278   of
      answer       279   it
      answer       269   is
      answer       280   empty
      answer        63  .
      bridge         1  <|im_end|>
      bridge         3  \\n
      bridge         0  <|im_start|>
      bridge       267  user
      bridge         3  \\n
    "
  `);
});

test('without a tokenizer the prompt is shown in its three parts', async () => {
  expect(await shown('channels', { can: 'nothing', date: '2026-01-02' })).toMatchInlineSnapshot(`
    "channels: chat template b20b86593f01, rendered by jinja2
    It prints the date, frozen at 2026-01-02.
    It leaves white space around what is said.
    Assistant turn opens with: <|start|>assistant
    Assistant turn ends at:   <|return|>  </s>  (as text)
    User turn ends at:        <|end|>  </s>  (as text)

    Prompt of a user turn:
      prompt         -  <|start|>system<|message|>Today is 2026-01-02. Channels: analysis, final.<|end|><|start|>user<|message|>Why is the sky dark at night?<|end|><|start|>assistant
      answer         -  Because most of it is empty.
      bridge         -  <|end|><|start|>user<|message|>
    "
  `);
});

test('what a template refuses or lacks is a problem in the report', async () => {
  expect(await shown('turns', { can: 'nothing' })).toContain(
    'Problem: Data with a system message cannot be used: the chat template failed on system, user: TemplateError: no system role here\n',
  );
  expect(await shown('unopened', { can: 'nothing' })).toContain(
    'Problem: The template opens no assistant turn when asked to; the model has to write the header itself.\n',
  );
  expect(await shown('inst', { can: 'nothing' })).not.toContain('Problem');
});

test('a template that cannot be probed is reported, not thrown', async () => {
  expect(await shown('tools', { can: 'nothing' })).toMatchInlineSnapshot(`
    "tools: chat template f5c6c999dc8c, rendered by jinja2
    It prints no date.
    Problem: this chat template cannot be probed: the two turns put into it do not both come out, once and in order
      Tried: the conversation, then ‹assistant› and ‹user› as two more turns. It printed nothing.
      Give a template that prints plain messages.
    "
  `);
});

test('the report of an untrusted name holds no control characters', async () => {
  expect(await shown('turns', { can: 'nothing', model: '\u001b[2Jname' })).toMatch(/^\\u\{1b\}\[2Jname: /);
});

test('the report as data', async () => {
  const server = templateServer('headers', { added: ['<s>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '</s>'] });
  const renderer = rendererOf('headers');
  open.push(server, renderer);
  const report = await templateReport(renderer, { model: 'm', date: null, server });
  const { pieces, ...probe } = report.probe ?? { pieces: [] };
  expect(probe).toEqual({
    generationPrompt: '<|start_header_id|>assistant<|end_header_id|>\n\n',
    trims: true,
    stops: {
      assistant: { ids: [3, 4], texts: [], markers: ['<|eot_id|>', '</s>'] },
      user: { ids: [3, 4], texts: [], markers: ['<|eot_id|>', '</s>'] },
    },
  });
  expect(report.problems).toEqual([]);
  const textOf = (what: string) => pieces.filter((piece) => piece.what === what).map((piece) => piece.text).join('');
  expect([textOf('prompt'), textOf('answer'), textOf('bridge')]).toEqual([
    '<s><|start_header_id|>user<|end_header_id|>\n\nWhy is the sky dark at night?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    'Because most of it is empty.',
    '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n',
  ]);
});
