import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Message } from '../../../domain/data/item.ts';
import { agreedStart, type Render, roleSwitch, roleSwitches } from '../../../domain/probe/bridge.ts';
import { ConfigProblem, sentence, WorldProblem } from '../../../domain/problems.ts';
import { asked, instructed, rendererOf } from './shapes.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((renderer) => renderer.close())));

function renderOf(shape: string, kwargs: Record<string, unknown> = {}): Render {
  const renderer = rendererOf(shape, kwargs);
  open.push(renderer);
  return renderer.render;
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const problem = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(problem instanceof ConfigProblem)) throw new Error(`expected a ConfigProblem, got ${String(problem)}`);
  return sentence(problem);
}

describe('the role switch is read off the template', () => {
  test.each([
    {
      shape: 'chatml',
      q: asked,
      assistantPrompt:
        '<|im_start|>system\nYou are a model that helps.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n',
      bridge: '<|im_end|>\n<|im_start|>user\n',
      afterUser: '<|im_end|>\n<|im_start|>assistant\n',
      afterAssistant: '<|im_end|>\n',
    },
    {
      shape: 'chatml',
      q: instructed,
      assistantPrompt:
        '<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n',
      bridge: '<|im_end|>\n<|im_start|>user\n',
      afterUser: '<|im_end|>\n<|im_start|>assistant\n',
      afterAssistant: '<|im_end|>\n',
    },
    {
      shape: 'written',
      q: asked,
      assistantPrompt: '<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n',
      bridge: '<|im_end|>\n<|im_start|>user\n',
      afterUser: '<|im_end|>\n<|im_start|>assistant\n',
      afterAssistant: '<|im_end|>\n',
    },
    {
      shape: 'headers',
      q: asked,
      assistantPrompt:
        '<s><|start_header_id|>user<|end_header_id|>\n\nHello<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
      bridge: '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n',
      afterUser: '<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
      afterAssistant: '<|eot_id|>',
    },
    {
      shape: 'turns',
      q: asked,
      assistantPrompt: '<s><start_of_turn>user\nHello<end_of_turn>\n<start_of_turn>model\n',
      bridge: '<end_of_turn>\n<start_of_turn>user\n',
      afterUser: '<end_of_turn>\n<start_of_turn>model\n',
      afterAssistant: '<end_of_turn>\n',
    },
    // An answer ends otherwise when it is the last turn than when another follows.
    {
      shape: 'channels',
      q: instructed,
      assistantPrompt:
        '<|start|>system<|message|>Today is 2026-01-02. Channels: analysis, final.<|end|>' +
        '<|start|>developer<|message|>Be short.<|end|><|start|>user<|message|>Hello<|end|><|start|>assistant',
      bridge: '<|end|><|start|>user<|message|>',
      afterUser: '<|end|><|start|>assistant<|channel|>final<|message|>',
      afterAssistant: '<|return|>',
    },
    // Nothing stands after a turn: the next header ends it.
    {
      shape: 'bare',
      q: asked,
      assistantPrompt: '[gMASK]<sop><|user|>\nHello<|assistant|>\n<think>',
      bridge: '<|user|>\n',
      afterUser: '<|assistant|>\n<think></think>\n',
      afterAssistant: '<|user|>\n',
    },
    // The system message moves into the last user turn, so the bridge carries it.
    {
      shape: 'inst',
      q: instructed,
      assistantPrompt: '<s>[INST] Be short.\n\nHello [/INST]',
      bridge: '</s>[INST] Be short.\n\n',
      afterUser: ' [/INST] ',
      afterAssistant: '</s>',
    },
    // A finished conversation is closed with one more token.
    {
      shape: 'ending',
      q: asked,
      assistantPrompt: '<|user|>\nHello<|end|>\n<|assistant|>\n',
      bridge: '<|end|>\n<|user|>\n',
      afterUser: '<|end|>\n<',
      afterAssistant: '<|end|>\n</s>',
    },
    {
      shape: 'words',
      q: asked,
      assistantPrompt: '### User:\nHello\n\n### Reply:',
      bridge: '\n\n### User:\n',
      afterUser: '\n\n### Reply: ',
      afterAssistant: '\n\n### User:\n',
    },
    // It opens no assistant turn when asked to; that is how its prompts are.
    {
      shape: 'unopened',
      q: asked,
      assistantPrompt: '<|im_start|>user\nHello<|im_end|>\n',
      bridge: '<|im_end|>\n<|im_start|>user\n',
      afterUser: '<|im_end|>\n<|im_start|>assistant\n',
      afterAssistant: '<|im_end|>\n',
    },
    // It refuses a last assistant turn; the other conversations tell enough.
    {
      shape: 'fussy',
      q: asked,
      assistantPrompt: '<user>Hello</user><assistant>',
      bridge: '</assistant><user>',
      afterUser: '</user><assistant>',
      afterAssistant: '</assistant><user>',
    },
  ])('$shape', async ({ shape, q, ...expected }) => {
    expect(await roleSwitch(q, renderOf(shape))).toEqual(expected);
  });

  test('words that a template appends to a user turn are not its end, and its switches count', async () => {
    expect(await roleSwitch(asked, renderOf('bare', { quiet: true }))).toEqual({
      assistantPrompt: '[gMASK]<sop><|user|>\nHello/nothink<|assistant|>\n<think></think>\n',
      bridge: '<|user|>\n',
      afterUser: '/nothink<|assistant|>\n<think></think>\n',
      afterAssistant: '<|user|>\n',
    });
  });

  test('earlier turns are part of the prompt', async () => {
    const q: Message[] = [...instructed, { role: 'assistant', content: ' Hi. ' }, { role: 'user', content: 'Who?' }];
    expect((await roleSwitch(q, renderOf('headers'))).assistantPrompt).toBe(
      [
        '<s><|start_header_id|>system<|end_header_id|>\n\nBe short.<|eot_id|>',
        '<|start_header_id|>user<|end_header_id|>\n\nHello<|eot_id|>',
        '<|start_header_id|>assistant<|end_header_id|>\n\nHi.<|eot_id|>',
        '<|start_header_id|>user<|end_header_id|>\n\nWho?<|eot_id|>',
        '<|start_header_id|>assistant<|end_header_id|>\n\n',
      ].join(''),
    );
  });

  test('an empty content is never rendered', async () => {
    const q: Message[] = [
      { role: 'system', content: '' },
      { role: 'user', content: '' },
    ];
    expect((await roleSwitch(q, renderOf('fussy'))).assistantPrompt).toBe('<system></system><user></user><assistant>');
  });
});

describe('what cannot be probed is refused with a sentence', () => {
  test('a role the template refuses', async () => {
    expect(await problemOf(roleSwitch(instructed, renderOf('turns')))).toMatchInlineSnapshot(`
      "the chat template failed on system, user: TemplateError: no system role here
        Leave out what it refuses (often a system message), or give another template or other template_kwargs."
    `);
  });

  test('roles that do not take turns', async () => {
    expect(await problemOf(roleSwitch([...asked, ...asked], renderOf('turns')))).toMatchInlineSnapshot(`
      "the chat template failed on user, user: TemplateError: roles must take turns
        Leave out what it refuses (often a system message), or give another template or other template_kwargs."
    `);
  });

  test('a template that prints only tool messages', async () => {
    expect(await problemOf(roleSwitch(asked, renderOf('tools')))).toMatchInlineSnapshot(`
      "this chat template cannot be probed: the two turns put into it do not both come out, once and in order
        Tried: the conversation, then ‹assistant› and ‹user› as two more turns. It printed nothing.
        Give a template that prints plain messages."
    `);
  });

  test('a template that prints a turn twice', async () => {
    expect(await problemOf(roleSwitch(asked, renderOf('twice')))).toMatchInlineSnapshot(`
      "this chat template cannot be probed: the two turns put into it do not both come out, once and in order
        Tried: the conversation, then ‹assistant› and ‹user› as two more turns. It printed, at its end: <user>Hello|Hello<assistant>‹assistant›|‹assistant›<user>‹user›|‹user›
        Give a template that prints plain messages."
    `);
  });

  test('a template without marks between turns', async () => {
    expect(await problemOf(roleSwitch(asked, renderOf('glued')))).toMatchInlineSnapshot(`
      "this chat template cannot be probed: nothing stands between an assistant and a user turn
        Tried: the conversation, then ‹assistant› and ‹user› as two more turns. It printed, at its end: Hello‹assistant›‹user›
        Give a template that prints plain messages."
    `);
  });

  test('turns that only white space ends', async () => {
    const lines: Render = async (messages) =>
      messages
        .map((message) => `${message.role}: ${message.content}\n`)
        .join('')
        .trimEnd();
    const onlyUserOpens: Render = async (messages) =>
      (await lines(messages, { generation: 'none' })).replaceAll('assistant: ', '');
    expect(await problemOf(roleSwitch(asked, onlyUserOpens))).toMatchInlineSnapshot(`
      "this chat template cannot be probed: nothing marks the end of a user turn
        Tried: the conversation, then ‹assistant› and ‹user› as two more turns. It printed, at its end: user: Hello\\n‹assistant›\\nuser: ‹user›
        Give a template that prints plain messages."
    `);
  });

  test('a conversation that does not end with a question', async () => {
    expect(
      await problemOf(roleSwitch([...asked, { role: 'assistant', content: 'Hi.' }], renderOf('chatml'))),
    ).toMatchInlineSnapshot(`
      "a conversation to probe must end with a user message
        Give the answer apart from the messages (field \`assistant\`), or drop the messages after the last question."
    `);
  });

  test('an endless template, after one rendering', async () => {
    const renderer = rendererOf('endless');
    open.push(renderer);
    expect(await problemOf(roleSwitch(asked, renderer.render))).toMatchInlineSnapshot(`
      "the chat template failed on user: not finished after 2 s of computing
        Give a template that only prints the conversation."
    `);
  });

  test('a server that is away stays the world’s problem', async () => {
    const away: Render = async (messages) => {
      if (messages.length > 1) throw new WorldProblem('unreachable', 'nobody listens');
      return 'prompt';
    };
    await expect(roleSwitch(asked, away)).rejects.toThrow(WorldProblem);
  });
});

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom(
    '',
    ' ',
    '<|im_end|>',
    '<|im_end|>\n<|im_start|>user\n',
    '{{ 1 }}',
    '{% raw %}',
    '\ud835',
    '\u0000',
    'assistant',
  ),
);

describe('laws', () => {
  test('whatever the messages hold, they come out as they are and nothing else of the switch changes', async () => {
    const render = renderOf('chatml');
    const usual = await roleSwitch(instructed, render);
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (system, user) => {
        const q: Message[] = [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ];
        const assistantPrompt = `<|im_start|>system\n${system}<|im_end|>\n<|im_start|>user\n${user}<|im_end|>\n<|im_start|>assistant\n`;
        expect(await roleSwitch(q, render)).toEqual({ ...usual, assistantPrompt });
      }),
      { numRuns: 60 },
    );
  });

  test.each(['chatml', 'headers', 'inst', 'gemma3', 'turns', 'fussy', 'qwen3', 'harmony'])(
    'of many conversations each gets the switch it would get alone: %s',
    async (shape) => {
      const render = renderOf(shape);
      const content = fc.oneof(nasty, fc.constantFrom('Hello', 'Be short.', '<think>\nhm\n</think>\n\nYes.'));
      const conversation = fc
        .tuple(fc.option(content, { nil: undefined }), fc.array(fc.tuple(content, content), { maxLength: 2 }), content)
        .map(([system, turns, last]): Message[] => [
          ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
          ...turns.flatMap(([user, assistant]): Message[] => [
            { role: 'user', content: user },
            { role: 'assistant', content: assistant },
          ]),
          { role: 'user', content: last },
        ]);
      const outcome = (work: Promise<unknown>) => work.catch((problem: unknown) => String(problem));
      await fc.assert(
        fc.asyncProperty(fc.array(conversation, { minLength: 2, maxLength: 6 }), async (conversations) => {
          const remembering = roleSwitches(render);
          const together = await Promise.all(conversations.map((one) => outcome(remembering(one))));
          const alone = await Promise.all(conversations.map((one) => outcome(roleSwitch(one, render))));
          expect(together).toEqual(alone);
        }),
        { numRuns: 12 },
      );
    },
  );

  test('the second conversation of a shape costs two renderings', async () => {
    let renderings = 0;
    const render = renderOf('chatml');
    const remembering = roleSwitches((messages, opts) => {
      renderings += 1;
      return render(messages, opts);
    });
    await remembering(asked);
    expect(renderings).toBe(5);
    await remembering([{ role: 'user', content: 'Something else' }]);
    expect(renderings).toBe(7);
    await remembering(instructed);
    expect(renderings).toBe(12);
  });

  test('a system message in the bridge is the one that was given', async () => {
    const render = renderOf('inst');
    await fc.assert(
      fc.asyncProperty(nasty, async (system) => {
        const { bridge } = await roleSwitch([{ role: 'system', content: system }, ...asked], render);
        expect(bridge).toBe(`</s>[INST] ${system}\n\n`);
      }),
      { numRuns: 40 },
    );
  });

  test('no rendering ever sees an empty content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('', 'x'), { minLength: 1, maxLength: 5 }), async (contents) => {
        const q: Message[] = contents.map((content) => ({ role: 'user', content }));
        const seen: string[] = [];
        await roleSwitch(q, async (messages) => {
          seen.push(...messages.map((message) => message.content));
          return messages.map((message) => `<${message.role}>${message.content}</${message.role}>`).join('');
        });
        expect(seen).not.toContain('');
      }),
    );
  });

  test('an agreed start contradicts none of its texts', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(texts, (tails) => {
        const start = agreedStart(tails);
        for (const tail of tails) expect(start.startsWith(tail) || tail.startsWith(start)).toBe(true);
      }),
    );
  });
});
