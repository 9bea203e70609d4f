import { afterAll, expect, test } from 'vitest';
import { formatTemplateReport, type SaidSoFar, templateReport } from '../../../activities/template/show.ts';
import { rendererOf } from '../../domain/probe/shapes.ts';
import { templateServer } from './server.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

async function shown(
  shape: string,
  opts: Parameters<typeof templateServer>[1] & { date?: string; model?: string; conversation?: SaidSoFar } = {},
): Promise<string> {
  const server = templateServer(shape, opts);
  const renderer = rendererOf(shape);
  open.push(server, renderer);
  return formatTemplateReport(
    await templateReport(renderer, {
      model: opts.model ?? shape,
      date: opts.date ?? null,
      server,
      ...(opts.conversation && { conversation: opts.conversation }),
    }),
  );
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
      prompt    863598  system
      prompt    874649  \\n
      prompt    760843  You
      prompt    120213   are
      prompt    416599   a
      prompt     84864   model
      prompt    638572   that
      prompt    746152   helps
      prompt    276225  .
      prompt         1  <|im_end|>
      prompt    874649  \\n
      prompt         0  <|im_start|>
      prompt    874725  user
      prompt    874649  \\n
      prompt    644590  Why
      prompt    684222   is
      prompt    880507   the
      prompt     67805   sky
      prompt    120971   dark
      prompt    714944   at
      prompt    405665   night
      prompt    791436  ?
      prompt         1  <|im_end|>
      prompt    874649  \\n
      prompt         0  <|im_start|>
      prompt    640867  assistant
      prompt    874649  \\n
      answer    389045  Because
      answer    206423   most
      answer    331785   of
      answer    539715   it
      answer    684222   is
      answer    412624   empty
      answer    276225  .
      bridge         1  <|im_end|>
      bridge    874649  \\n
      bridge         0  <|im_start|>
      bridge    874725  user
      bridge    874649  \\n
    "
  `);
});

test('somebody’s own conversation is shown in place of the short one', async () => {
  const conversation: SaidSoFar = {
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Why?' },
    ],
    answer: '',
  };
  const text = await shown('chatml', { can: 'nothing', conversation });
  expect(text.slice(text.indexOf('Prompt of'))).toMatchInlineSnapshot(`
    "Prompt of a user turn, as text (there is no tokenizer here):
      prompt         -  <|im_start|>system\\nBe kind.<|im_end|>\\n<|im_start|>user\\nWhy?<|im_end|>\\n<|im_start|>assistant\\n
      answer         -  
      bridge         -  <|im_end|>\\n<|im_start|>user\\n
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

    Prompt of a user turn, as text (there is no tokenizer here):
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
  const server = templateServer('headers', {
    added: ['<s>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '</s>'],
  });
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
  const textOf = (what: string) =>
    pieces
      .filter((piece) => piece.what === what)
      .map((piece) => piece.text)
      .join('');
  expect([textOf('prompt'), textOf('answer'), textOf('bridge')]).toEqual([
    '<s><|start_header_id|>user<|end_header_id|>\n\nWhy is the sky dark at night?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    'Because most of it is empty.',
    '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n',
  ]);
});
