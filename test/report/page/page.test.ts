import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Conversation, Summary } from '../../../domain/summary.ts';
import { oneLine } from '../../../report/escape.ts';
import type { Failures } from '../../../report/failures.ts';
import { reportPage } from '../../../report/page/page.ts';
import { figuresOf } from '../../../report/report.ts';
import { displayWidth } from '../../../report/width.ts';
import {
  cell,
  conversation,
  decided,
  instructed,
  noFigures,
  quick,
  referenced,
  reportOf,
  summaryOf,
} from '../fixture.ts';
import { readable, skeleton } from './skeleton.ts';

const title = 'A first look';
const conversations = [
  conversation(),
  conversation({
    item: 'sums-002',
    user: '',
    label: 'degenerate_short',
    genuine: false,
    outcome: 'wrong',
    extracted: '9',
  }),
  conversation({
    item: 'sums-003',
    sample: 1,
    label: null,
    genuine: null,
    by: null,
    outcome: 'unscored',
    extracted: null,
    reason: 'no marker',
  }),
  conversation({
    item: 'sums-004',
    assistant: null,
    user: null,
    outcome: 'error',
    label: null,
    genuine: null,
    by: null,
    error: 'assistant_turn: the server cut the connection',
  }),
];

test('the page of answers to instructions has their rates, each with its interval', () => {
  const counts = { right: 300, wrong: 241, genuine: 100, artifact: 441 };
  const cells = [instructed(cell(['qwen3-4b', 'ifeval', 0], counts), 20), cell(['qwen3-4b', 'gsm8k', 0], counts)];
  const text = readable(reportPage(reportOf(summaryOf(cells), []), { title })).split('\n');
  expect(
    text.filter((line) => /^(Model|qwen3-4b) \| .*Wrong|^qwen3-4b \| 0 \| 541 .*%.*241$|loosely/.test(line)),
  ).toMatchInlineSnapshot(`
    [
      "Model | T | n | Answers right | Right, loosely | Instructions | Instructions, loosely | Genuine follow-ups | Wrong",
      "qwen3-4b | 0 | 541 | 55.5 % [51.2, 59.6] | 59.1 % [55.0, 63.2] | 55.5 % [52.5, 58.4] | 57.3 % [54.3, 60.2] | 18.5 % [15.4, 22.0] | 241",
      "qwen3-4b | 0 | 541 | 55.5 % [51.2, 59.6] | – | – | – | 18.5 % [15.4, 22.0] | 241",
      "Brackets and bars are 95 % intervals: Wilson’s with one sample per item, by resampling items with several. n is the number of user turns that were judged, undecided ones among them. Answers that could not be scored, or were cut off before they came to one, count as not right; what failed is in no rate. An answer to instructions is right if it follows all of them as it stands, loosely right if in one of eight forms (without its first or last line, without asterisks); single instructions are counted beside it.",
    ]
  `);
});

test('the page of held-out talks has what people said in them, by the same judge', () => {
  const counts = { right: 0, wrong: 40, genuine: 4, artifact: 36 };
  const talks = referenced(cell(['qwen3-4b', 'talks', 0], counts), { genuine: 20, artifact: 3, judgeErrors: 1 });
  const text = readable(
    reportPage(reportOf(summaryOf([talks, cell(['qwen3-4b', 'gsm8k', 0], counts)]), []), { title }),
  );
  expect(
    text.split('\n').filter((line) => /^(Model|qwen3-4b) \|.*(\[|[Rr]eference)|Reference|^qwen3-4b \| 1$/.test(line)),
  ).toMatchInlineSnapshot(`
    [
      "Model | T | n | Answers right | Genuine follow-ups | Reference turns | Wrong | Reference judge errors",
      "qwen3-4b | 0 | 40 | 0 % [0, 9] | 10 % [4, 23] | 87 % [68, 95] | 40 | 1",
      "qwen3-4b | 0 | 40 | 0 % [0, 9] | 10 % [4, 23] | – | 40 | 0",
      "Brackets and bars are 95 % intervals: Wilson’s with one sample per item, by resampling items with several. n is the number of user turns that were judged, undecided ones among them. Answers that could not be scored, or were cut off before they came to one, count as not right; what failed is in no rate. Reference turns are what people said next after the same answers, held to the same judge, each once: the share to measure a model’s turns by.",
      "Model | Judgements of reference turns failed",
      "qwen3-4b | 1",
      "Model | T | Judgements of reference turns failed",
    ]
  `);
});

test('a page reads like this', () => {
  expect(readable(reportPage(reportOf(quick, conversations), { title }))).toMatchInlineSnapshot(`
    "Skip to the results uturn · run quick-3f9a1c
    A first look
    After each answer to a question from sums, smol-135m went on as the user: the same model, given nothing but its own chat template’s header for a user turn, wrote what the user says next. That makes 48 user turns, at temperatures 0 and 0.7.
    Two things are counted: how many answers are right, and how many of the user turns are genuine follow-ups, that is, something a person who had read the answer might well say next. Right are 22 to 29 % of the answers. The judge of this run calls only clear cases, so follow-up rates are bands: from no undecided turn is genuine to all of them are.
    Results
    What the user turns were
    What failed
    What it took
    Conversations
    How it was made
    Temperature all
    0
    0.7
    Results
    Model | T | n | Answers right | Genuine follow-ups | Undecided | Wrong | Unscored | Truncated | Answer errors | Turn errors | Judge errors
    sums
    smol-135m | 0 | 24 | 29 % [15, 49] | 0–63 % [0, 79] | 15 | 15 | 2 | 0 | 0 | 0 | 0
    smol-135m | 0.7 | 22 of 24 | 22 % [10, 42] | 5–73 % [1, 87] | 15 | 14 | 3 | 1 | 1 | 1 | 1
    Brackets and bars are 95 % intervals: Wilson’s with one sample per item, by resampling items with several. n is the number of user turns that were judged, undecided ones among them, of as many as were asked for. Answers that could not be scored, or were cut off before they came to one, count as not right; what failed is in no rate.
    What the user turns were
    plausible followupsays something a person who had read the answer might say
    malformed artifactholds template markers or other debris
    The counts behind the bars
    Model | T | judged | plausible followup | malformed artifact | undecided
    sums
    smol-135m | 0 | 24 | 0 | 9 38 % | 15 63 %
    smol-135m | 0.7 | 22 | 1 5 % | 6 27 % | 15 68 %
    What failed or was cut off
    Model | Answers failed | User turns failed | Judgements failed | Undecided | Unscored | Truncated | Answers at their token limit | User turns at theirs
    smol-135m | 1 | 1 | 1 | 30 | 5 | 1 | 2 % [&lt;1, 11] | 4 % [1, 14]
    By cell
    Model | T | Answers failed | User turns failed | Judgements failed | Undecided | Unscored | Truncated | Answers at their token limit | User turns at theirs
    sums
    smol-135m | 0 | 0 | 0 | 0 | 15 | 2 | 0 | 0 | 0
    smol-135m | 0.7 | 1 | 1 | 1 | 15 | 3 | 1 | 4 % [1, 21] | 9 % [2, 27]
    A failed answer leaves no user turn to judge, so it counts under both. The state is failed where more failed than the config allows, pending where something is still to be done; uturn resume takes up both.
    What it took
    9400 tokens in prompts and 7050 generated.
    Model | User turns | Prompt tokens | Generated | Generated a sample
    smol-135m | 48 | 9400 | 7050 | 147
    Of the records kept: what failed and was made again is in no sum. Generated tokens are those of answers and user turns together.
    Conversations
    Answer all
    error
    right
    unscored
    wrong
    User turn all
    degenerate short
    error
    plausible followup
    undecided
    Text contains 4 of 4 shown
    sums-001 sample 0
    smol-135m on sums, T = 0.7
    answer: right user turn: plausible followup
    User
    Ada has 3 pears and buys 4 more. How many has she?
    Assistant
    She has 3 + 4 = 7 pears. Answer: 7
    read as 7; expected is 7
    User, as written by the model
    And if she gives two away?
    genuine, by rules@1
    sums-002 sample 0
    smol-135m on sums, T = 0.7
    answer: wrong user turn: degenerate short
    User
    Ada has 3 pears and buys 4 more. How many has she?
    Assistant
    She has 3 + 4 = 7 pears. Answer: 7
    read as 9; expected is 7
    User, as written by the model
    empty
    not genuine, by rules@1
    sums-003 sample 1
    smol-135m on sums, T = 0.7
    answer: unscored user turn: undecided
    User
    Ada has 3 pears and buys 4 more. How many has she?
    Assistant
    She has 3 + 4 = 7 pears. Answer: 7
    no marker; expected is 7
    User, as written by the model
    And if she gives two away?
    no judge decided
    sums-004 sample 0
    smol-135m on sums, T = 0.7
    answer: error user turn: error
    User
    Ada has 3 pears and buys 4 more. How many has she?
    Failed: assistant_turn: the server cut the connection
    How it was made
    Run | quick-3f9a1c
    Plan | 3f9a1c0b5d7e4f60a1b2c3d4e5f60718
    Model | smol-135m, node-llama-cpp 3.14weights sha256:5e1f0achat template sha256:9ab1
    Data | sums, all 24 items, read as jsonlfile f00ditems beef
    Judge | rules@1
    Sampling | top p 1, top k 0, min p 0, repetition penalty 1
    Token limits | answer 256, user turn 96
    Tokens used | 9400 in prompts, 7050 generated
    Seed | 1
    Made with | uturn 0.1.0
    The plan’s name is a hash of everything that decides a sample: weights, templates, data, sampling. Equal plans ask for the same measurement."
  `);
});

test('a choice of conversations says what it is a choice of', () => {
  const text = readable(
    reportPage(reportOf(quick, conversations, { conversations: { shown: conversations, among: 50, of: 12_345 } }), {
      title,
    }),
  );
  expect(text).toContain(
    'Here are 4 of 12 345, chosen among the 50 in blocks that the plan’s seed drew: ' +
      'what failed first, then a spread over answers and labels in every cell. They are to be read, not counted. ' +
      'All of them are in the records: uturn records quick-3f9a1c --text.',
  );
  expect(
    readable(
      reportPage(reportOf(quick, conversations, { conversations: { shown: conversations, among: 4, of: 4 } }), {
        title,
      }),
    ),
  ).toBe(readable(reportPage(reportOf(quick, conversations), { title })));
});

test('a turn that came with the data, or hit its limit, says so', () => {
  const one = conversation({ finish: { assistant: 'given', user: 'length' }, label: null, genuine: null, by: null });
  const text = readable(reportPage(reportOf(quick, [one]), { title })).split('\n');
  expect(text.slice(text.indexOf('sums-001'), text.lastIndexOf('How it was made'))).toEqual([
    'sums-001',
    'smol-135m on sums, T = 0.7',
    'answer: right user turn: undecided',
    'User',
    'Ada has 3 pears and buys 4 more. How many has she?',
    'Assistant, as it came with the data',
    'She has 3 + 4 = 7 pears. Answer: 7',
    'read as 7; expected is 7',
    'User, as written by the model',
    'And if she gives two away?',
    'cut off at its token limit; no judge decided',
  ]);
});

test('where everything is decided and nothing failed, it says so', () => {
  const text = readable(reportPage(reportOf(decided, []), { title }));
  expect(text.split('\n').slice(1, 4)).toMatchInlineSnapshot(`
    [
      "A first look",
      "After each answer to a question from gsm8k, qwen3-4b went on as the user: the same model, given nothing but its own chat template’s header for a user turn, wrote what the user says next. That makes 2638 user turns, at temperatures 0 and 1.",
      "Two things are counted: how many answers are right, and how many of the user turns are genuine follow-ups, that is, something a person who had read the answer might well say next. Right are 83.5 to 90.0 % of the answers. Genuine are 15.2 to 23.7 % of the user turns.",
    ]
  `);
  expect(text).toContain('Nothing: no errors, no turn at its token limit, no turn undecided, no cell unfinished.');
  expect(text).toContain('None were put into this report.');
});

test('a run without cells still has a page', () => {
  expect(() => skeleton(reportPage(reportOf(summaryOf([]), []), { title }))).not.toThrow();
});

test('the same input gives the same bytes', () => {
  expect(reportPage(reportOf(quick, conversations), { title })).toBe(
    reportPage(reportOf(quick, conversations), { title }),
  );
});

test('the policy allows the page’s own script, inline style and nothing else', () => {
  const page = reportPage(reportOf(quick, conversations), { title });
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  const digests = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  expect(policy?.replaceAll('&#39;', "'")).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; script-src ${digests.join(' ')}; base-uri 'none'; form-action 'none'`,
  );
});

test('nothing is loaded from anywhere', () => {
  const page = reportPage(reportOf(quick, conversations), { title });
  expect(page).not.toMatch(/\s(?:src|srcset|action|formaction|poster|data)=/);
  expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target?.[0])).not.toContainEqual(
    expect.not.stringMatching('#'),
  );
  expect(page).not.toMatch(/https?:|url\(|@import|\son[a-z]+=/);
});

const hostile = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</textarea></title></style><!--',
  ']]><![CDATA[',
  '&lt;script&gt;&#60;b&#62;',
  '\u202eevil\u2066',
  'a\0b\x1b[31mc\x1b]0;owned\x07',
  '\ud800\udfff\ud800',
  '<|im_end|>\n<|im_start|>user',
];

/** A summary and conversations with one text in every place that comes from outside. */
function everywhere(text: string): { summary: Summary; shown: Conversation[] } {
  const base = cell([text, text, 0.7], { right: 2, wrong: 2, genuine: 1, artifact: 2, undecided: 1 });
  const summary = summaryOf([base, cell(['other', 'other', 0], { right: 2, wrong: 2, genuine: 2, artifact: 2 })]);
  const { provenance } = summary;
  const one: Conversation = {
    ...conversation({ model: text, data: text, item: text, assistant: text, user: text, by: text, error: text }),
    outcome: text,
    label: text,
    extracted: text,
    expected: text,
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: text },
    ],
  };
  return {
    summary: {
      ...summary,
      run: text,
      plan: text,
      name: text,
      provenance: {
        ...provenance,
        uturn: text,
        run: text,
        plan: text,
        judge: text,
        models: [{ id: text, weights: text, address: text, engine: text, template: text }],
        data: [{ id: text, adapter: text, file: text, items: text, count: 1, limit: null }],
        sampling: { [text]: 1 },
      },
    },
    shown: [one, conversation({ model: 'other', data: 'other', outcome: 'wrong', label: 'other', temperature: 0 })],
  };
}

function failuresWith(text: string): Failures {
  const place = { data: text, temperature: 0.7 };
  return {
    kinds: [
      {
        model: text,
        stage: 'score',
        kind: text,
        count: 1,
        example: { ...place, item: text, sample: 0, message: text },
      },
    ],
    records: 2,
    seen: 1,
    parked: [{ model: text, ...place, trees: 1, reason: text }],
    problems: [text],
  };
}

/** The page with that text everywhere. */
function pageOf(text: string, figures = noFigures): string {
  const { summary, shown } = everywhere(text);
  return reportPage(reportOf(summary, shown, { figures, failures: failuresWith(text) }), { title: text });
}

const drawnPage = async (text: string) => pageOf(text, await figuresOf(everywhere(text).summary));

test.each(hostile)('%j stays text', async (text) => {
  // As wide, with the same parts, since names in figures are shortened and placed by these.
  const harmless = oneLine(text).replace(/[^/]/gu, (one) => 'x'.repeat(displayWidth(one)));
  expect(skeleton(await drawnPage(text))).toEqual(skeleton(await drawnPage(harmless)));
});

const plain = skeleton(pageOf('plain'));

test('no text changes the tags of the page', () => {
  const piece = fc.oneof(
    fc.constantFrom(...hostile, '<', '>', '"', "'", '&', '/', '=', '--'),
    fc.string({ unit: 'binary' }),
  );
  const text = fc
    .array(piece, { maxLength: 6 })
    .map((pieces) => `x${pieces.join('')}`.replaceAll('\n', ' ').slice(0, 190));
  fc.assert(
    fc.property(text, (text) => {
      const page = pageOf(text);
      expect(skeleton(page)).toEqual(plain);
      expect(page.isWellFormed()).toBe(true);
      expect(page).not.toMatch(new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`));
    }),
    { numRuns: 60 },
  );
});

test('megabytes are cut, and the page says by how much', () => {
  const long = '<b>'.repeat(70_000);
  const page = reportPage(reportOf(quick, [conversation({ assistant: long, user: long })]), { title });
  expect(page.length).toBeLessThan(300_000);
  expect(readable(page)).toContain('190 000 more characters are in the records.');
});

test('texts of private data stay off the page', () => {
  const { provenance } = quick;
  const data = provenance.data.map((one) => ({ ...one, private: true as const }));
  const text = readable(
    reportPage(reportOf({ ...quick, provenance: { ...provenance, data } }, conversations), { title }),
  );
  expect(text).not.toMatch(/pears|two away/);
  expect(text).toContain('sums-001');
});

test('every table has headers with a scope, every figure a description, every id is there once', async () => {
  const page = reportPage(reportOf(quick, conversations, { figures: await figuresOf(quick) }), { title });
  expect(page.match(/<th(?! scope=)[\s>]/g)).toBeNull();
  const figures = page.match(/<figure /g) ?? [];
  expect(figures.length).toBe(3);
  expect(
    page.match(/<div role="img" aria-label="[^"]+" aria-describedby="figure-[^"]+"><svg [^>]*aria-hidden="true"/g),
  ).toHaveLength(figures.length);
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...page.matchAll(/aria-(?:labelledby|describedby)="([^"]*)"/g)].flatMap(([, list = '']) =>
    list.split(' '),
  );
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});
