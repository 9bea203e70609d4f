import { afterAll, expect, test } from 'vitest';
import { type SaidSoFar, templateReport } from '../../activities/template/show.ts';
import { templateText } from '../../cli/template-text.ts';
import { displayWidth } from '../../report/width.ts';
import { templateServer } from '../activities/template/server.ts';
import { rendererOf } from '../domain/probe/shapes.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((one) => one.close())));

async function shown(
  shape: string,
  opts: Parameters<typeof templateServer>[1] & { date?: string; model?: string; conversation?: SaidSoFar } = {},
): Promise<string> {
  const server = templateServer(shape, opts);
  const renderer = rendererOf(shape);
  open.push(server, renderer);
  return templateText(
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
      date                prints none
      white space         kept around what is said
      system message      stands in a turn of its own
      reasoning           known from the text alone, kept in the history
      begins with         <|im_start|>system\\nYou are a model that helps.<|im_end|>
                          \\n<|im_start|>user\\n
      answer opens with   <|im_start|>assistant\\n
      answer ends at      <|im_end|>  </s>  (token ids 1, 2)
      bridge              <|im_end|>\\n<|im_start|>user\\n
      user turn ends at   <|im_end|>  </s>  (token ids 1, 2)
      its server          renders plain conversations the same

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
      prompt    <|im_start|>system\\nBe kind.<|im_end|>\\n<|im_start|>user\\nWhy?<|im_e
                nd|>\\n<|im_start|>assistant\\n
      answer    
      bridge    <|im_end|>\\n<|im_start|>user\\n
    "
  `);
});

test('without a tokenizer the prompt is shown in its three parts', async () => {
  expect(await shown('channels', { can: 'nothing', date: '2026-01-02' })).toMatchInlineSnapshot(`
    "channels: chat template b20b86593f01, rendered by jinja2
      date                printed; frozen at 2026-01-02
      white space         kept around what is said
      system message      stands in a turn of its own
      reasoning           known from the text alone, kept in the history
      begins with         <|start|>system<|message|>Today is 2026-01-02. Channels: a
                          nalysis, final.<|end|><|start|>user<|message|>
      answer opens with   <|start|>assistant
      answer ends at      <|return|>  </s>  (as text)
      bridge              <|end|><|start|>user<|message|>
      user turn ends at   <|end|>  </s>  (as text)

    Prompt of a user turn, as text (there is no tokenizer here):
      prompt    <|start|>system<|message|>Today is 2026-01-02. Channels: analysis, f
                inal.<|end|><|start|>user<|message|>Why is the sky dark at night?<|e
                nd|><|start|>assistant
      answer    Because most of it is empty.
      bridge    <|end|><|start|>user<|message|>
    "
  `);
});

test('what a template refuses or lacks is a problem in the report', async () => {
  expect(await shown('turns', { can: 'nothing' })).toContain(
    'Problem: Data with a system message cannot be used: the chat template failed on\n  system, user: TemplateError: no system role here\n',
  );
  expect(await shown('unopened', { can: 'nothing' })).toContain(
    'Problem: The template opens no assistant turn when asked to; the model has to\n  write the header itself.\n',
  );
  expect(await shown('inst', { can: 'nothing' })).not.toContain('Problem');
});

test('a template that cannot be probed is reported, not thrown', async () => {
  expect(await shown('tools', { can: 'nothing' })).toMatchInlineSnapshot(`
    "tools: chat template f5c6c999dc8c, rendered by jinja2
      date                prints none
    Problem: this chat template cannot be probed: the two turns put into it do not
      both come out, once and in order
      Tried: the conversation, then ‹assistant› and ‹user› as two more turns. It
      printed nothing.
      Give a template that prints plain messages.
    "
  `);
});

test('the report of an untrusted name holds no control characters', async () => {
  expect(await shown('turns', { can: 'nothing', model: '\u001b[2Jname' })).toMatch(/^\\u\{1b\}\[2Jname: /);
});

test('nothing is wider than 80 columns, and no sign of a prompt is lost in breaking it', async () => {
  const said = 'word  and  word 🙂 漢字漢字漢字 '.repeat(20);
  const conversation: SaidSoFar = { messages: [{ role: 'user', content: said }], answer: 'x'.repeat(300) };
  const text = await shown('gemma3', { can: 'nothing', conversation });
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  const shownPrompt = text
    .slice(text.indexOf('  prompt '))
    .split('\n')
    .map((line) => line.slice(12))
    .join('');
  expect(shownPrompt).toContain(said.trim());
  expect(shownPrompt).toContain('x'.repeat(300));
});

test('another rendering of the server is shown beside ours', async () => {
  const server = templateServer('qwen3');
  const renderer = rendererOf('chatml');
  open.push(server, renderer);
  const text = templateText(await templateReport(renderer, { model: 'm', date: null, server }));
  expect(text.slice(text.indexOf('  its server'), text.indexOf('Prompt of'))).toMatchInlineSnapshot(`
    "  its server          renders otherwise; ours, then the server’s:
                          <|im_start|>system\\nYou are a model that helps.<|im_end|>
                          \\n<|im_start|>user\\nWhich 
                          <|im_start|>user\\nWhich metal is liquid at room temperatur
                          e?<|im_end|>\\n

    "
  `);
});
