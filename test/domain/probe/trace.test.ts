import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tokenize } from '../../../domain/probe/added.ts';
import { type Answer, type TraceOptions, userTurnPrompt } from '../../../domain/probe/trace.ts';
import { toyTokenizer } from './shapes.ts';

const chatml = toyTokenizer(['<|endoftext|>', '<|im_start|>', '<|im_end|>']);
const switched = {
  bridge: '<|im_end|>\n<|im_start|>user\n',
  stops: { ids: [2, 0], texts: [], markers: ['<|im_end|>', '<|endoftext|>'] },
};
const prompt = '<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n';

/** A generated answer, as a server would report it: its ids are those of `written`, its text is `text`. */
async function generated(written: string, text: string = written): Promise<Answer> {
  return { prompt, promptIds: await chatml.tokenize(prompt), text, ids: await chatml.tokenize(written) };
}

/** The prompt's text, told from its ids, and how the bridge was joined. */
async function idsPrompt(answer: Answer, opts: Partial<TraceOptions> = {}): Promise<[string, string]> {
  const made = await userTurnPrompt(answer, { form: 'ids', tokenize: chatml.tokenize, ...switched, ...opts });
  if (made.form !== 'ids') throw new Error('expected ids');
  return [chatml.pieces(made.ids).join('·'), made.joined];
}

async function textPrompt(answer: Answer, opts: Partial<TraceOptions> = {}): Promise<string> {
  const made = await userTurnPrompt(answer, { form: 'text', tokenize: async () => null, ...switched, ...opts });
  if (made.form !== 'text') throw new Error('expected text');
  return made.text;
}

const opened = '<|im_start|>·user·\n·Hello·<|im_end|>·\n·<|im_start|>·assistant·\n·';
const bridged = '<|im_end|>·\n·<|im_start|>·user·\n';

describe('a user turn’s prompt in token ids is the trace, then the bridge', () => {
  test.each([
    {
      answer: 'an answer that ended',
      written: 'Hi there.<|im_end|>',
      text: 'Hi there.',
      expected: `${opened}Hi· there·.·${bridged}`,
    },
    { answer: 'one cut off by its limit', written: 'Hi the', text: 'Hi the', expected: `${opened}Hi· the·${bridged}` },
    { answer: 'one whose end the server leaves out', written: 'Hi', text: 'Hi', expected: `${opened}Hi·${bridged}` },
    {
      answer: 'one ended by the model’s other end token',
      written: 'Hi<|endoftext|>',
      text: 'Hi',
      expected: `${opened}Hi·${bridged}`,
    },
    {
      answer: 'one with two ends',
      written: 'Hi<|im_end|><|endoftext|>',
      text: 'Hi',
      expected: `${opened}Hi·${bridged}`,
    },
    {
      answer: 'one whose text keeps the end token',
      written: 'Hi<|im_end|>',
      text: 'Hi<|im_end|>',
      expected: `${opened}Hi·${bridged}`,
    },
    { answer: 'an empty one', written: '', text: '', expected: `${opened}${bridged}` },
    { answer: 'nothing but an end', written: '<|im_end|>', text: '', expected: `${opened}${bridged}` },
    {
      answer: 'one with a marker inside',
      written: 'a<|im_end|>b',
      text: 'a<|im_end|>b',
      expected: `${opened}a·<|im_end|>·b·${bridged}`,
    },
  ])('$answer', async ({ written, text, expected }) => {
    expect(await idsPrompt(await generated(written, text))).toEqual([expected, 'suffix']);
  });

  test('ids are kept as they were generated, also where the tokenizer would split the text otherwise', async () => {
    const ids = [
      ...(await chatml.tokenize('Hel')),
      ...(await chatml.tokenize('lo')),
      ...(await chatml.tokenize(' you')),
    ];
    const answer: Answer = { prompt, promptIds: await chatml.tokenize(prompt), text: 'Hello you', ids };
    expect(await idsPrompt(answer)).toEqual([`${opened}Hel·lo· you·${bridged}`, 'suffix']);
  });

  test('an end that nobody named is dropped if the server kept it out of the text', async () => {
    const stops = { ids: [2], texts: [], markers: ['<|im_end|>'] };
    const hidden = await generated('Hi<|endoftext|>', 'Hi');
    const shown = await generated('Hi<|endoftext|>');
    const kept = `${opened}Hi·<|endoftext|>·${bridged}`;
    expect(await idsPrompt(hidden, { stops, detokenize: chatml.detokenize })).toEqual([
      `${opened}Hi·${bridged}`,
      'suffix',
    ]);
    expect(await idsPrompt(shown, { stops, detokenize: chatml.detokenize })).toEqual([kept, 'suffix']);
    expect(await idsPrompt(hidden, { stops })).toEqual([kept, 'suffix']);
  });

  test('an answer in channels: its return token goes, the bridge closes the message', async () => {
    const { tokenize, pieces } = toyTokenizer(['<|return|>', '<|start|>', '<|end|>', '<|message|>', '<|channel|>']);
    const written = '<|channel|>final<|message|>Hi<|return|>';
    const made = await userTurnPrompt(
      {
        prompt: '<|start|>assistant',
        promptIds: await tokenize('<|start|>assistant'),
        text: written.slice(0, -10),
        ids: await tokenize(written),
      },
      {
        form: 'ids',
        bridge: '<|end|><|start|>user<|message|>',
        stops: { ids: [0], texts: [], markers: ['<|return|>'] },
        tokenize,
      },
    );
    expect(made.form === 'ids' && pieces(made.ids).join('')).toBe(
      '<|start|>assistant<|channel|>final<|message|>Hi<|end|><|start|>user<|message|>',
    );
  });

  test('what of the bridge the answer already ends with is not put twice', async () => {
    const bridge = '<|im_end|>\n<|im_start|>user\n';
    const stops = { ids: [], texts: [], markers: [] };
    expect(await idsPrompt(await generated('Hi<|im_end|>\n'), { bridge, stops })).toEqual([
      `${opened}Hi·${bridged}`,
      'suffix',
    ]);
    expect(await idsPrompt(await generated(`Hi${bridge}`), { bridge, stops })).toEqual([
      `${opened}Hi·${bridged}`,
      'suffix',
    ]);
  });

  test('the prompt’s own end is never taken for the start of the bridge', async () => {
    expect(await idsPrompt(await generated(''), { bridge: '\n<|im_start|>user\n' })).toEqual([
      `${opened}\n·<|im_start|>·user·\n`,
      'suffix',
    ]);
  });

  test('where the bridge’s start merges with the answer’s last word, it begins at its first added token', async () => {
    expect(await idsPrompt(await generated('Hi.'), { bridge: '\n<|im_start|>user\n' })).toEqual([
      `${opened}Hi·.·<|im_start|>·user·\n`,
      'marker',
    ]);
  });

  test('where that is, the tokenizer is asked once for all answers', async () => {
    let asked = 0;
    const tokenize: Tokenize = (text) => {
      asked += 1;
      return chatml.tokenize(text);
    };
    await idsPrompt(await generated('Hi.'), { bridge: '\n<|im_start|>user\n', tokenize });
    asked = 0;
    expect((await idsPrompt(await generated('Ho.'), { bridge: '\n<|im_start|>user\n', tokenize }))[1]).toBe('marker');
    expect(asked).toBe(3);
  });

  test('a bridge of plain words that merges is tokenised by itself', async () => {
    expect(await idsPrompt(await generated('Hi.'), { bridge: '\nUser:\n' })).toEqual([
      `${opened}Hi·.·\n·User·:\n`,
      'apart',
    ]);
  });

  test('an answer that came with the data is tokenised where it stands', async () => {
    const given: Answer = { prompt, promptIds: null, text: 'Hi there.', ids: null };
    expect(await idsPrompt(given)).toEqual([`${opened}Hi· there·.·${bridged}`, 'suffix']);
    expect(await idsPrompt({ ...given, text: '' })).toEqual([`${opened}${bridged}`, 'suffix']);
  });

  test('a lone surrogate in the answer reaches no tokenizer', async () => {
    const tokenize: Tokenize = async (text) => {
      expect(text.isWellFormed()).toBe(true);
      return chatml.tokenize(text);
    };
    expect((await idsPrompt({ ...(await generated('Hi')), text: 'Hi\ud835' }, { tokenize }))[0]).toBe(
      `${opened}Hi·${bridged}`,
    );
  });

  test('a server that no longer tokenises is a problem with a sentence', async () => {
    await expect(idsPrompt(await generated('Hi'), { tokenize: async () => null })).rejects.toThrow(
      'the plan sends token ids to this model, but its server has no /tokenize',
    );
  });
});

describe('what the tokenizer is asked', () => {
  test('nothing more for a generated answer, and twice for one that came with the data, once the bridge is known', async () => {
    const texts: string[] = [];
    const tokenize: Tokenize = (text) => {
      texts.push(text);
      return chatml.tokenize(text);
    };
    const detokenize = async (ids: number[]) => {
      texts.push(`ids ${ids.join()}`);
      return chatml.pieces(ids).join('');
    };
    const opts = { tokenize, detokenize };
    await idsPrompt(await generated('Hi there.<|im_end|>', 'Hi there.'), opts);
    texts.length = 0;
    await idsPrompt(await generated('Well there.<|im_end|>', 'Well there.'), opts);
    expect(texts).toEqual([]);
    await idsPrompt({ prompt, promptIds: null, text: 'Not there.', ids: null }, opts);
    expect(texts).toEqual([prompt, `${prompt}Not there.`]);
  });
});

describe('a user turn’s prompt in text', () => {
  test.each([
    ['an answer that ended', 'Hi there.', `${prompt}Hi there.${switched.bridge}`],
    ['one whose text keeps the end token', 'Hi<|im_end|>', `${prompt}Hi${switched.bridge}`],
    ['one with two ends', 'Hi<|im_end|><|endoftext|>', `${prompt}Hi${switched.bridge}`],
    ['an empty one', '', `${prompt}${switched.bridge}`],
    ['a marker inside', 'a<|im_end|>b', `${prompt}a<|im_end|>b${switched.bridge}`],
    ['a beginning of the bridge', 'Hi<|im_end|>\n<|im_', `${prompt}Hi${switched.bridge}`],
    ['a lone surrogate', 'Hi\ud835', `${prompt}Hi\ud835${switched.bridge}`],
  ])('%s', async (_name, text, expected) => {
    expect(await textPrompt({ prompt, promptIds: null, text, ids: null })).toBe(expected);
  });
});

describe('laws', () => {
  const piece = fc.constantFrom(
    'Hi',
    ' there',
    '.',
    '\n',
    '7',
    '<|im_end|>',
    '<|endoftext|>',
    '<|im_start|>',
    'é🙂',
    '\ud835',
    '\u0000',
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

  test('in ids: the trace without its ends is where the prompt starts, the bridge is where it ends', async () => {
    const bridge = await chatml.tokenize(switched.bridge);
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const answer = await generated(written);
        const made = await userTurnPrompt(answer, { form: 'ids', tokenize: chatml.tokenize, ...switched });
        if (made.form !== 'ids') throw new Error('expected ids');
        const kept = answer.ids?.slice(0, answer.ids.findLastIndex((id) => id !== 2 && id !== 0) + 1) ?? [];
        const trace = [...(answer.promptIds ?? []), ...kept];
        expect(made.ids.slice(0, trace.length)).toEqual(trace);
        expect(made.ids.slice(-bridge.length)).toEqual(bridge);
        expect(made.ids.length).toBeLessThanOrEqual(trace.length + bridge.length);
      }),
    );
  });

  test('both forms say the same where the tokenizer can be undone', async () => {
    const words = fc
      .array(fc.constantFrom('Hi', ' there', '.', ' 7', '<|im_end|>'), { maxLength: 6 })
      .map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(words, async (written) => {
        const made = await userTurnPrompt(await generated(written), {
          form: 'ids',
          tokenize: chatml.tokenize,
          ...switched,
        });
        const asText = await textPrompt({ prompt, promptIds: null, text: written, ids: null });
        expect(made.form === 'ids' && chatml.pieces(made.ids).join('')).toBe(asText);
      }),
    );
  });
});
