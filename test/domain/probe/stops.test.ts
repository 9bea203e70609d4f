import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAddedToken, isAddedToken } from '../../../domain/probe/added.ts';
import { assistantStops, markerText, userStops } from '../../../domain/probe/stops.ts';
import { mergingTokenizer, toyTokenizer } from './shapes.ts';

const chatml = toyTokenizer(['<|endoftext|>', '<|im_start|>', '<|im_end|>']);
const channels = toyTokenizer(['<|return|>', '<|call|>', '<|start|>', '<|end|>', '<|message|>', '<|channel|>']);
const bare = toyTokenizer(['<|user|>', '<|assistant|>', '<think>', '</think>']);
const plain = toyTokenizer([]);
const none = { tokenize: async () => null };

describe('the first added token of a text', () => {
  test.each([
    ['<|im_end|>\n<|im_start|>user\n', chatml, { id: 2, text: '<|im_end|>', start: 0 }],
    [' \n<|im_end|>', chatml, { id: 2, text: '<|im_end|>', start: 2 }],
    ['<|end|><|start|>user<|message|>', channels, { id: 3, text: '<|end|>', start: 0 }],
    ['/nothink<|assistant|>\n<think>', bare, { id: 1, text: '<|assistant|>', start: 8 }],
    // Looks like a marker, and is ordinary text for this tokenizer.
    [' [/INST] <|im_end|>', chatml, { id: 2, text: '<|im_end|>', start: 9 }],
    ['\n\n### Reply: ', chatml, null],
    ['<|im_end|>', plain, null],
    ['', chatml, null],
    ['  \n', chatml, null],
  ])('%j', async (text, tokenizer, expected) => {
    expect(await findAddedToken(text, tokenizer.tokenize)).toEqual(expected);
  });

  test('added tokens of white space only are passed over', async () => {
    const { tokenize } = toyTokenizer(['\n\n', '<end>']);
    expect(await findAddedToken('\n\n<end>', tokenize)).toEqual({ id: 1, text: '<end>', start: 2 });
  });

  test('an added token that swallows the space around it is found without the space', async () => {
    const tokenize = (text: string) => chatml.tokenize(text.replace(/\s*<\|im_end\|>\s*/g, '<|im_end|>'));
    expect(await findAddedToken(' <|im_end|>\n', tokenize)).toEqual({ id: 2, text: '<|im_end|>', start: 1 });
  });

  test('one sign that never merges is no marker: bytes as tokens have only their added ones', async () => {
    const tokenize = async (text: string) =>
      text.split(/(<eot>)/).flatMap((piece) => (piece === '<eot>' ? [256] : [...Buffer.from(piece)]));
    expect(await findAddedToken('] <eot>', tokenize)).toEqual({ id: 256, text: '<eot>', start: 2 });
    expect(await findAddedToken('] #!', tokenize)).toBeNull();
  });

  test.each([
    ['a word, which is cut before its space whatever stands there', 'you they'],
    ['an ending that forms before its neighbours do', 'ation>'],
    ['signs that stick together', 'n),'],
    ['a sign and a space', 'x →'],
  ])('%s is no added token', async (_name, text) => {
    const tokenize = mergingTokenizer(
      ['t+h', 'e+y', 'th+ey', ' +they', 'r+a', 'a+t', 'i+o', 'io+n', 'at+ion', '`+)', ')+,', ' +→'],
      ['<|im_end|>'],
    );
    expect(await findAddedToken(text, tokenize)).toBeNull();
    const marker = (await tokenize('<|im_end|>'))[0];
    expect(await findAddedToken(`${text}<|im_end|>`, tokenize)).toEqual({
      id: marker,
      text: '<|im_end|>',
      start: text.length,
    });
  });

  test('no word of an ordinary text passes for an added token', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'Z', ' ', '<', '|', '>', '[', '1', '\n'), maxLength: 20 }),
        async (text) => {
          expect(await findAddedToken(text, plain.tokenize)).toBeNull();
        },
      ),
    );
  });

  test('wherever it stands in a text without others, it is found', async () => {
    const signs = fc.string({ unit: fc.constantFrom('a', 'Z', ' ', '|', '>', '1', '\n'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(signs, signs, async (before, behind) => {
        const found = await findAddedToken(`${before}<|im_end|>${behind}`, chatml.tokenize);
        expect(found).toEqual({ id: 2, text: '<|im_end|>', start: before.length });
      }),
    );
  });

  test('an id is added only as its own marker', async () => {
    expect(await isAddedToken(2, '<|im_end|>', chatml.tokenize)).toBe(true);
    expect(await isAddedToken(1, '<|im_end|>', chatml.tokenize)).toBe(false);
    expect(await isAddedToken(2, 'im_end', chatml.tokenize)).toBe(false);
  });
});

describe('stops of a turn', () => {
  test('the marker by its id, then the model’s own end tokens', async () => {
    expect(
      await userStops('<|im_end|>\n<|im_start|>assistant\n', {
        tokenize: chatml.tokenize,
        endTokens: ['<|im_end|>', '<|endoftext|>'],
      }),
    ).toEqual({
      ids: [2, 0],
      texts: [],
      markers: ['<|im_end|>', '<|endoftext|>'],
    });
  });

  test('an answer in channels ends with what closes the last one, a user turn with its own', async () => {
    const sources = { tokenize: channels.tokenize, endTokens: ['<|return|>', '<|call|>'] };
    expect(await assistantStops('<|return|>', sources)).toEqual({
      ids: [0, 1],
      texts: [],
      markers: ['<|return|>', '<|call|>'],
    });
    expect(await userStops('<|end|><|start|>assistant', sources)).toEqual({
      ids: [3, 0, 1],
      texts: [],
      markers: ['<|end|>', '<|return|>', '<|call|>'],
    });
  });

  test('a marker that is plain text is a stop string; an end token keeps its id', async () => {
    const { tokenize } = toyTokenizer(['</s>']);
    expect(await userStops(' [/INST] ', { tokenize, endTokens: ['</s>'] })).toEqual({
      ids: [0],
      texts: ['[/INST]'],
      markers: ['[/INST]', '</s>'],
    });
  });

  test('a word that the template puts to a turn may be left out by the model, so the marker after it stops as well', async () => {
    const { tokenize } = toyTokenizer(['<|assistant|>', '/nothink']);
    expect(await userStops('/nothink<|assistant|>\n', { tokenize, endTokens: [] })).toEqual({
      ids: [1, 0],
      texts: [],
      markers: ['/nothink', '<|assistant|>'],
    });
  });

  test('without a tokenizer every marker is a stop string', async () => {
    expect(await userStops('<|im_end|>\n', { ...none, endTokens: ['<|im_end|>', '<|endoftext|>'] })).toEqual({
      ids: [],
      texts: ['<|im_end|>', '<|endoftext|>'],
      markers: ['<|im_end|>', '<|endoftext|>'],
    });
  });

  test('white space alone never ends a turn', async () => {
    await expect(userStops('\n', { ...none, endTokens: [] })).rejects.toThrow('no marker ends a turn');
  });
});

test.each([
  ['<|im_end|>\n<|im_start|>assistant\n', '<|im_end|>'],
  ['/nothink<|assistant|>\n<think>', '<|assistant|>'],
  [' [/INST] ', '[/INST]'],
  ['\n\n### Reply: ', '### Reply:'],
  [' ASSISTANT:', 'ASSISTANT:'],
  ['<｜Assistant｜>', '<｜Assistant｜>'],
  ['<|end|>\n<', '<|end|>'],
  ['<|eo', null],
  ['a < b', 'a'],
  ['\n \n', null],
])('as text, the marker in %j is %j', (text, marker) => {
  expect(markerText(text)).toBe(marker);
});
