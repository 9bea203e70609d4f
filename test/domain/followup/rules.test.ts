import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../domain/data/item.ts';
import { defaultThresholds, judgeByRules, labelAllows } from '../../../domain/followup/rules.ts';
import { labels } from '../../../domain/records/record.ts';

const question =
  'A train leaves at noon and covers 80 km in the first hour. How far is it from the town after three hours?';
const answer =
  'At a steady pace the train covers 80 km in each hour. Three hours make 3 × 80 = 240 km, so the train is 240 km from the town. Answer: 240';
const q: Message[] = [
  { role: 'system', content: 'You help with homework.' },
  { role: 'user', content: question },
];
const undecided = { label: null, genuine: null, by: null, rationale: 'the rules do not decide this', at_odds: false };
const judge = (u: string) => judgeByRules(q, answer, u);
const label = (u: string) => judge(u).label;

describe('copies', () => {
  test('the last user message over again is a restatement, and says how much of it', () => {
    expect(judge(question)).toEqual({
      label: 'previous_turn_restate',
      genuine: false,
      by: 'rules@1',
      rationale: 'repeats the last user message (100 % of the words, 100 % in order)',
      at_odds: false,
    });
  });

  test.each([
    ['the answer', answer, 'assistant_turn_restate'],
    ['the answer without markup and in capitals', `**${answer.toUpperCase()}**`, 'assistant_turn_restate'],
    ['the answer up to a limit, inside a word', answer.slice(0, -25), 'assistant_turn_restate'],
    ['the question less a word', question.replace('the first hour', 'first hour'), 'previous_turn_restate'],
    ['the question with another word', question.replace('covers', 'travels'), 'previous_turn_restate'],
    ['the question with other signs', question.replaceAll(/[.?]/g, ' –'), 'previous_turn_restate'],
  ])('%s', (_, u, expected) => expect(label(u)).toBe(expected));

  test('of the answer means of what its reader saw', () => {
    const thought = `<think>${'First I note the pace. '.repeat(20)}</think>\n${answer}`;
    expect(judgeByRules(q, thought, answer).label).toBe('assistant_turn_restate');
  });

  test('an earlier message of the query is not the last one', () => {
    const longer: Message[] = [
      ...q,
      { role: 'assistant', content: answer },
      { role: 'user', content: 'And after four?' },
    ];
    expect(judgeByRules(longer, 'After four hours it is 320 km away.', question)).toEqual(undecided);
  });

  test('an answer that copies the question leaves no doubt that the question came first', () => {
    expect(judgeByRules(q, question, question).label).toBe('previous_turn_restate');
  });

  test('in a script without spaces', () => {
    const message: Message[] = [{ role: 'user', content: '请告诉我从北京到上海最快的方法是什么？' }];
    expect(judgeByRules(message, '坐高铁。', '请告诉我从北京到上海最快的方法是什么').label).toBe(
      'previous_turn_restate',
    );
    expect(judgeByRules(message, '坐高铁。', '那么从上海到北京呢？')).toEqual(undecided);
  });
});

describe('what looks like a copy and may be a message', () => {
  test.each([
    ['a quotation with a question after it', `"${answer.slice(0, 90)}" Where does that come from?`],
    ['the whole answer and a word', `${answer} Why?`],
    ['the whole answer after a word of one’s own', `So: ${answer}`],
    ['the whole question and a request', `${question} Please use miles.`],
    ['a quotation in the middle of a question', `When you say "Three hours make 3 × 80 = 240 km", why 80?`],
    ['a few words picked from the answer', 'the train covers 80 km in each hour'],
    ['the question with another number', question.replace('80', '95')],
    ['part of the answer as a question', 'The train is 240 km from the town?'],
    ['the question with its halves exchanged', question.split('. ').reverse().join(' ')],
  ])('%s', (_, u) => expect(judge(u)).toEqual(undecided));

  test('a short message over again', () => {
    expect(judgeByRules([{ role: 'user', content: 'Why?' }], 'Because.', 'Why?')).toEqual(undecided);
  });
});

describe('template markers', () => {
  test.each([
    '<|im_start|>assistant\nSure',
    'Thanks!<|end|>',
    '<|channel|>analysis<|message|>The user',
    '<｜Assistant｜>Sure',
    '[INST] Next [/INST]',
    '<<SYS>> Be brief <</SYS>>',
    '<start_of_turn>model',
    '<think>\nThe user wants',
    'fine</think>',
    'Go on</s>',
    '<tool_call>{}</tool_call>',
    'analysisThe user asks.assistantfinalSure',
  ])('%j is an artifact', (u) => {
    expect(judge(u)).toMatchObject({ label: 'malformed_artifact', genuine: false, by: 'rules@1' });
  });

  test.each([
    'a <| b |> c',
    'Is <b>bold</b> fine? [1]',
    '<s>old</s',
    'I think <3',
    'the assistant finally came',
    'x[INSTR]',
  ])('%j is none', (u) => expect(judge(u)).toEqual(undecided));

  test('one that the query mentions is what the conversation is about', () => {
    const about: Message[] = [{ role: 'user', content: 'What does <|im_start|> mean?' }];
    expect(judgeByRules(about, 'It opens a turn.', 'And who writes <|im_start|>?')).toEqual(undecided);
    expect(judgeByRules(about, 'It opens a turn.', 'And <|im_end|>?').rationale).toBe(
      'contains the template marker <|im_end|>',
    );
  });
});

describe('short texts', () => {
  test.each(['', ' ', '\n\n', '.', '?', '...', '?!', '"', 'a', '5', '\0', '\ud835', '\u200b'])(
    '%j is next to nothing',
    (u) => {
      expect(judge(u)).toMatchObject({ label: 'degenerate_short', genuine: false, by: 'rules@1' });
    },
  );

  test.each(['Why?', 'Thanks!', 'ok', 'No', 'Ok.', '12', '好', '为什么？', '👍', '-'.repeat(80)])(
    '%j is left to others',
    (u) => {
      expect(judge(u)).toEqual(undecided);
    },
  );

  test('how short is a matter of the threshold; empty is always too short', () => {
    const at = (short_characters: number, u: string) =>
      judgeByRules(q, answer, u, { ...defaultThresholds, short_characters }).label;
    expect([at(5, 'Why?'), at(3, 'Why?'), at(0, '?'), at(0, '')]).toEqual([
      'degenerate_short',
      null,
      null,
      'degenerate_short',
    ]);
  });
});

test('only a plausible follow-up may be genuine', () => {
  expect(labels.filter(labelAllows)).toEqual(['plausible_followup']);
});

describe('laws', () => {
  const word = fc.stringMatching(/^[a-z]{2,9}$/);
  const words = (least: number) => fc.array(word, { minLength: least, maxLength: 60 });
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('<|', '|>', 'im', ' ', '\n', '\ud835', '\0', '12', 'ab') }),
  );

  test('either source over again is always a restatement', () => {
    fc.assert(
      fc.property(words(5), words(5), fc.constantFrom(' ', '\n', ', '), (a, b, space) => {
        const [query, reply] = [a.join(' '), b.join(' ')];
        const messages: Message[] = [{ role: 'user', content: query }];
        expect(judgeByRules(messages, reply, a.join(space)).label).toBe('previous_turn_restate');
        const repeated = judgeByRules(messages, reply, b.join(space)).label;
        expect(repeated).toBe(query === reply ? 'previous_turn_restate' : 'assistant_turn_restate');
      }),
    );
  });

  test('other words, and the same words in another order, stay undecided', () => {
    fc.assert(
      fc.property(words(8), words(8), (a, b) => {
        const [query, reply] = [a.map((each) => `${each}x`).join(' '), b.map((each) => `${each}y`).join(' ')];
        const messages: Message[] = [{ role: 'user', content: query }];
        expect(judgeByRules(messages, reply, [...a, ...b].join(' '))).toEqual(undecided);
        fc.pre(new Set(b).size > 5);
        const shuffled = reply.split(' ').sort().reverse().join(' ');
        if (shuffled.slice(0, 9) !== reply.slice(0, 9))
          expect(judgeByRules(messages, reply, shuffled).label).not.toBe('previous_turn_restate');
      }),
    );
  });

  test('white space around a text changes nothing', () => {
    fc.assert(
      fc.property(text, text, fc.stringMatching(/^[ \n\t\u00a0]{0,5}$/), (a, u, space) => {
        expect(judgeByRules(q, a, `${space}${u}${space}`)).toEqual(judgeByRules(q, a, u));
      }),
    );
  });

  test('any texts are judged without an exception, and nothing is ever called genuine', () => {
    fc.assert(
      fc.property(text, text, text, (query, a, u) => {
        const { label: found, genuine, by } = judgeByRules([{ role: 'user', content: query }], a, u);
        expect([genuine, by]).toEqual(found === null ? [null, null] : [false, 'rules@1']);
      }),
      { numRuns: 500 },
    );
  });
});
