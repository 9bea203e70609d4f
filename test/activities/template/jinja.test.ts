import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { frozenDate, type JinjaOptions, jinjaRenderer } from '../../../activities/template/jinja.ts';
import { type RenderRequest, renderProcess } from '../../../activities/template/process.ts';
import type { Renderer } from '../../../activities/template/renderer.ts';
import type { Message } from '../../../domain/data/item.ts';
import { ConfigProblem, sentence, WorldProblem } from '../../../domain/problems.ts';
import { python, templateOf } from '../../domain/probe/shapes.ts';

type Recorded = {
  template: string;
  conversation: string;
  messages: Message[];
  prompt: boolean;
  kwargs: Record<string, unknown>;
  text?: string;
  error?: string;
};

const folder = mkdtempSync(join(tmpdir(), 'uturn-template-'));
const open: Renderer[] = [];
afterAll(async () => {
  await Promise.all(open.map((renderer) => renderer.close()));
  rmSync(folder, { recursive: true });
});

const hello: Message[] = [{ role: 'user', content: 'Hello' }];
const usual = { python, bos_token: '<s>', eos_token: '</s>', date: '2026-01-02', kwargs: {} };

function rendererFor(template: string, opts: Partial<JinjaOptions> = {}): Renderer {
  const renderer = jinjaRenderer({ ...usual, template, ...opts });
  open.push(renderer);
  return renderer;
}

function rendered(template: string, opts: Partial<JinjaOptions> = {}): Promise<string> {
  return rendererFor(template, opts).render(hello, { generation: 'none' });
}

function request(template: string, opts: Partial<RenderRequest> = {}): RenderRequest {
  const { python: _, ...values } = usual;
  return { ...values, template, messages: hello, add_generation_prompt: false, seconds: 1, ...opts };
}

describe('what transformers prints, we print', () => {
  const lines = readFileSync(join(import.meta.dirname, 'recorded.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const recorded = lines.slice(1).map((line) => JSON.parse(line) as Recorded);

  test.each(Object.entries(Object.groupBy(recorded, (row) => row.template)))('%s', async (shape, rows = []) => {
    const process = renderProcess(python);
    const template = templateOf(shape);
    const came = [];
    for (const row of rows) {
      const { messages, kwargs, prompt } = row;
      came.push(await process.ask(request(template, { messages, kwargs, add_generation_prompt: prompt })));
    }
    await process.close();
    expect(came).toEqual(rows.map((row) => (row.error === undefined ? { text: row.text } : { error: row.error })));
  });
});

describe('the engine is the reference’s', () => {
  test.each([
    [
      '{{ messages[0].content | tojson }} {{ "<é>" | tojson }} {{ {"b": 1.0, "a": none} | tojson }}',
      '"Hello" "<é>" {"b": 1.0, "a": null}',
    ],
    ['{{ {"a": [1]} | tojson(indent=1) }}', '{\n "a": [\n  1\n ]\n}'],
    ['a {%- generation -%} x {%- endgeneration -%} b', 'axb'],
    ['{% generation %}{% set x = 1 %}{% endgeneration %}{{ x is defined }}', 'False'],
    [
      '{% for i in range(9) %}{% if i == 1 %}{% continue %}{% elif i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}',
      '02',
    ],
    ['  {% if true %}\n  x\n  {% endif %}\n y\n', '  x\n y'],
    ['{{ bos_token }}{{ eos_token }}', '<s></s>'],
    ['{{ tools is none }} {{ documents is none }} {{ other is defined }}', 'True True False'],
    ['{{ strftime_now("%d %b %Y, %A") }}', '02 Jan 2026, Friday'],
    ['{{ "\\n  x".lstrip("\\n") }}|{{ none }}|{{ "🙂" | length }}', '  x|None|1'],
  ])('%s', async (template, text) => {
    expect(await rendered(template)).toBe(text);
  });

  test('a missing token is not defined', async () => {
    expect(await rendered('[{{ bos_token }}]{{ bos_token is defined }}', { bos_token: null })).toBe('[]False');
  });

  test('switches reach the template, but not the conversation', async () => {
    const kwargs = { enable_thinking: false, tools: ['t'], messages: 'no', add_generation_prompt: 'no' };
    const template = '{{ enable_thinking }} {{ tools }} {{ messages[0].role }} {{ add_generation_prompt }}';
    expect(await rendered(template, { kwargs })).toBe("False ['t'] user False");
  });

  test('any characters come back as they went in', async () => {
    const renderer = rendererFor('{{ messages[0].content }}.');
    const text = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        expect(await renderer.render([{ role: 'user', content }], { generation: 'none' })).toBe(`${content}.`);
      }),
    );
  });
});

describe('a template that goes wrong stops nothing else', () => {
  test.each([
    ['raise_exception', '{{ raise_exception("two\\nlines") }}', 'TemplateError: two\\nlines'],
    ['not a template', '{% if %}', "TemplateSyntaxError: Expected an expression, got 'end of statement block'"],
    [
      'out of the sandbox',
      '{{ messages.append(1) }}',
      "SecurityError: access to attribute 'append' of 'list' object is unsafe.",
    ],
    [
      'into Python',
      '{{ cycler.__init__.__globals__.os }}',
      "SecurityError: access to attribute '__init__' of 'type' object is unsafe.",
    ],
    ['too deep', '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', 'RecursionError: maximum recursion depth exceeded'],
    [
      'in a circle',
      '{% for m in messages recursive %}{{ loop(messages) }}{% endfor %}',
      'RecursionError: maximum recursion depth exceeded',
    ],
    [
      'nested too deep to be read',
      `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`,
      'RecursionError: maximum recursion depth exceeded',
    ],
    ['too large', '{% set x = "x" * 10 ** 10 %}{{ x }}', 'it needs more than 2 GB of memory'],
    [
      '100 MB of text',
      '{% for a in range(1000) %}{% for b in range(100) %}{{ "x" * 1000 }}{% endfor %}{% endfor %}',
      'it prints more than 32 million characters',
    ],
    [
      'a part of another template',
      '{% include "other.jinja" %}',
      'it includes, imports or extends another template, and a chat template stands alone',
    ],
    [
      'a module',
      '{% import "os" as os %}',
      'it includes, imports or extends another template, and a chat template stands alone',
    ],
    [
      'a class',
      '{{ messages.__class__.__mro__ }}',
      "SecurityError: access to attribute '__class__' of 'list' object is unsafe.",
    ],
    ['endless', templateOf('endless'), 'not finished after 0.2 s of computing'],
  ])('%s', async (_name, template, error) => {
    const seconds = error.startsWith('not finished') ? 0.2 : 5;
    const problem = await rendered(template, { seconds }).catch((failure: unknown) => failure);
    if (!(problem instanceof ConfigProblem)) throw new Error(String(problem));
    expect(problem.message.replace(/( while calling a Python object| in (?:comparison|.*\.py.*|__.*))$/, '')).toBe(
      `the chat template failed on user: ${error}`,
    );
    expect(await rendered('{{ messages[0].content }}')).toBe('Hello');
  });
});

describe('the process behind it', () => {
  /** A Python that goes wrong the first time it is asked, and is the real one from then on. */
  function firstTime(name: string, does: string): string {
    const path = join(folder, name);
    writeFileSync(
      path,
      `#!/bin/sh\nif [ ! -e "${path}.once" ]; then touch "${path}.once"; read -r line; ${does}; fi\nexec "${python}" "$@"\n`,
    );
    chmodSync(path, 0o755);
    return path;
  }

  test('killed while it renders, it is started again and asked again', async () => {
    const process = renderProcess(firstTime('killed', 'kill -9 $$'));
    expect(await process.ask(request('{{ messages[0].content }}'))).toEqual({ text: 'Hello' });
    await process.close();
  });

  test('stuck where no timer reaches, it is killed and the next rendering works', async () => {
    const process = renderProcess(firstTime('stuck', 'exec sleep 60'), { graceMs: 100 });
    expect(await process.ask(request('x', { seconds: 0.1 }))).toEqual({
      error: 'not finished in time (0.1 s of computing)',
      limit: true,
    });
    await process.close();
    const patient = renderProcess(join(folder, 'stuck'));
    expect(await patient.ask(request('{{ messages[0].content }}'))).toEqual({ text: 'Hello' });
    await patient.close();
  });

  test('in the middle of one operation that nothing interrupts, it ends itself and the next rendering works', async () => {
    const process = renderProcess(python);
    const template = '{{ text.split("x") | length }}';
    const asking = (text: string, seconds: number) => process.ask(request(template, { kwargs: { text }, seconds }));
    expect(await asking('x', 5)).toEqual({ text: '2' });
    expect(await asking('x'.repeat(10_000_000), 0.01)).toEqual({
      error: 'not finished in time (0.01 s of computing)',
      limit: true,
    });
    expect(await asking('xx', 5)).toEqual({ text: '3' });
    await process.close();
  });

  test('one that is cut off costs those that were asked with it nothing', async () => {
    const process = renderProcess(python);
    const template = '{{ messages[0].content.split("x") | length }}';
    const settings = { kwargs: {}, seconds: 0.05 };
    const asking = (content: string) =>
      process.ask(request(template, { ...settings, messages: [{ role: 'user', content }] }));
    const came = await Promise.all([asking('x'), asking('xx'), asking('x'.repeat(30_000_000)), asking('xxx')]);
    expect(came).toEqual([
      { text: '2' },
      { text: '3' },
      { error: expect.stringContaining('not finished'), limit: true },
      { text: '4' },
    ]);
    await process.close();
  });

  test('one that dies again and again is the world’s problem', async () => {
    const path = join(folder, 'dying');
    writeFileSync(path, '#!/bin/sh\nread -r line\nexit 1\n');
    chmodSync(path, 0o755);
    await expect(renderProcess(path).ask(request('x'))).rejects.toThrow(WorldProblem);
  });

  test('no such Python is ours, with a sentence', async () => {
    const problem = await jinjaRenderer({ ...usual, python: '/nowhere/python', template: 'x' })
      .render(hello, { generation: 'none' })
      .catch((failure: unknown) => failure);
    expect(problem instanceof ConfigProblem && sentence(problem)).toMatchInlineSnapshot(`
      "cannot start /nowhere/python, which renders chat templates
        Remove the tool environment from the cache and start again: it is then installed anew."
    `);
  });

  test('a Python without jinja2 is ours too', async () => {
    const path = join(folder, 'bare');
    writeFileSync(path, `#!/bin/sh\nshift\nexec "${python}" -I -S "$@"\n`);
    chmodSync(path, 0o755);
    await expect(renderProcess(path).ask(request('x'))).rejects.toThrow('jinja2 is not installed');
  });

  test('many renderings at once, of several templates, each come back to their own', async () => {
    const ask = Array.from({ length: 40 }, (_, n) => rendered(`${n} {{ messages[0].content }}`));
    expect(await Promise.all(ask)).toEqual(Array.from({ length: 40 }, (_, n) => `${n} Hello`));
  });

  test('closing one renderer leaves the others of the same Python alone', async () => {
    const [one, other] = [rendererFor('one'), rendererFor('other')];
    await one.close();
    await one.close();
    expect(await other.render(hello, { generation: 'none' })).toBe('other');
  });

  test('a program that never closes its renderer still ends', () => {
    const module = join(import.meta.dirname, '..', '..', '..', 'activities', 'template', 'jinja.ts');
    const program = `
      import { jinjaRenderer } from ${JSON.stringify(module)};
      const renderer = jinjaRenderer(${JSON.stringify({ ...usual, template: '{{ messages[0].content }}' })});
      console.log(await renderer.render(${JSON.stringify(hello)}, { generation: 'none' }));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(out).toBe('Hello\n');
  });
});

describe('the date', () => {
  const { date: _, ...undated } = usual;

  test.each([
    ['channels', '2026-11-30'],
    ['chatml', null],
    ['turns', null],
    ['tools', null],
  ])('%s: %s', async (shape, date) => {
    expect(await frozenDate({ ...undated, template: templateOf(shape) }, '2026-11-30')).toBe(date);
  });

  test('a template that asks for the date and does not print it has none', async () => {
    expect(await frozenDate({ ...undated, template: '{% set now = strftime_now("%Y") %}x' }, '2026-11-30')).toBeNull();
    expect(await rendered('{% set now = strftime_now("%Y") %}x', { date: null })).toBe('x');
  });

  test('with a date, it is the date that was frozen', async () => {
    const template = '{{ strftime_now("%Y-%m-%d") }}';
    expect(await rendered(template, { date: '2025-07-01' })).toBe('2025-07-01');
  });

  test.each([
    ["{{ strftime_now('%d %b %Y') }}", '05 Mar 2025'],
    ["{{ strftime_now('%B %d, %Y') }}", 'March 05, 2025'],
    ["{{ strftime_now('%A, %-d.%-m.%y') }}", 'Wednesday, 5.3.25'],
    ["{% if strftime_now is defined %}{{ strftime_now('%Y-%m-%d') }}{% else %}26 Jul 2024{% endif %}", '2025-03-05'],
    [
      "{% if not date_string is defined %}{% set date_string = strftime_now('%d %b %Y') %}{% endif %}{{ date_string }}",
      '05 Mar 2025',
    ],
    ["{% set now = strftime_now('%H:%M') %}{{ now }}", '00:00'],
  ])('%s is frozen, and prints %s', async (template, printed) => {
    const date = await frozenDate({ ...undated, template }, '2025-03-05');
    expect([date, await rendered(template, { date })]).toEqual(['2025-03-05', printed]);
  });

  test('a date that is given as a switch is no date of today', async () => {
    const template = "{{ date_string if date_string is defined else strftime_now('%d %b %Y') }}";
    const kwargs = { date_string: '1 May 2025' };
    expect(await frozenDate({ ...undated, template, kwargs }, '2025-03-05')).toBeNull();
    expect(await rendered(template, { kwargs, date: null })).toBe('1 May 2025');
  });

  test('a template without an end stops the search for its date', async () => {
    await expect(
      frozenDate({ ...undated, template: templateOf('endless'), seconds: 0.2 }, '2025-03-05'),
    ).rejects.toThrow('not finished after 0.2 s of computing');
  });

  test('without one, no date is ever made up', async () => {
    await expect(rendered('{{ strftime_now("%Y") }}', { date: null })).rejects.toThrow(
      'the template prints the date, and no date was frozen',
    );
  });
});

test('the digest is the template’s', () => {
  expect(rendererFor('x').sha256).toBe('2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881');
});
