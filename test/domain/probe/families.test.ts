// What each family is asked, whole: the answer's prompt, and what follows it token by token until the user goes on.
import { afterAll, expect, test } from 'vitest';
import type { Message } from '../../../domain/data/item.ts';
import { roleSwitch } from '../../../domain/probe/bridge.ts';
import { assistantStops, userStops } from '../../../domain/probe/stops.ts';
import { userTurnPrompt } from '../../../domain/probe/trace.ts';
import { rendererOf, toyTokenizer } from './shapes.ts';

const open: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((renderer) => renderer.close())));

type Family = { shape: string; eos: string[]; added: string[] };

const chatml = { eos: ['<|im_end|>'], added: ['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<think>', '</think>'] };
const glmTokens = [
  '[gMASK]',
  '<sop>',
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|endoftext|>',
  '<think>',
  '</think>',
];
const glm = { eos: ['<|endoftext|>'], added: [...glmTokens, '/nothink'] };
const families = {
  'Qwen2.5': { shape: 'chatml', ...chatml },
  Qwen3: { shape: 'qwen3', ...chatml },
  'gpt-oss': {
    shape: 'harmony',
    eos: ['<|return|>'],
    added: ['<|return|>', '<|call|>', '<|start|>', '<|end|>', '<|message|>', '<|channel|>'],
  },
  'GLM-4.6': { shape: 'glm', ...glm },
  'GLM-4.7': { shape: 'glm-opening', ...glm },
  'Llama 3': {
    shape: 'llama3',
    eos: ['<|eot_id|>'],
    added: ['<s>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '</s>'],
  },
  'Gemma 3': { shape: 'gemma3', eos: ['<end_of_turn>'], added: ['<s>', '<start_of_turn>', '<end_of_turn>', '</s>'] },
  'Gemma 4': {
    shape: 'gemma4',
    eos: ['<turn|>'],
    added: ['<s>', '<|turn>', '<turn|>', '<|think|>', '<|channel>', '<channel|>'],
  },
  Mistral: { shape: 'mistral', eos: ['</s>'], added: ['<s>', '</s>', '[INST]', '[/INST]'] },
  DeepSeek: {
    shape: 'deepseek',
    eos: ['<｜end▁of▁sentence｜>'],
    added: ['<｜begin▁of▁sentence｜>', '<｜User｜>', '<｜Assistant｜>', '<｜end▁of▁sentence｜>', '<think>', '</think>'],
  },
  'one that prints None': { shape: 'nones', eos: [], added: ['<|system|>', '<|user|>', '<|assistant|>', '<|end|>'] },
} satisfies Record<string, Family>;

type Asked = {
  kwargs?: Record<string, unknown>;
  q?: Message[];
  /** The answer's text as the server returns it; `end`: the token it stopped at, which is among the ids alone. */
  text: string;
  end?: string;
};

const short: Message[] = [{ role: 'user', content: 'Why?' }];
const told: Message[] = [{ role: 'system', content: 'Be kind.' }, ...short];
const again: Message[] = [
  ...told,
  { role: 'assistant', content: '<think>\nHm.\n</think>\n\n So. ' },
  { role: 'user', content: ' Sure? ' },
];

/** `·` stands between the ids that follow the answer's prompt. */
async function wire({ shape, eos, added }: Family, { kwargs = {}, q = short, text, end = '' }: Asked) {
  const { tokenize, detokenize, pieces } = toyTokenizer(added);
  const renderer = rendererOf(shape, kwargs);
  open.push(renderer);
  const at = await roleSwitch(q, renderer.render);
  const sources = { tokenize, endTokens: eos };
  const stops = await assistantStops(at.afterAssistant, sources);
  const promptIds = await tokenize(at.assistantPrompt);
  const answer = { prompt: at.assistantPrompt, promptIds, text, ids: await tokenize(text + end) };
  const options = { bridge: at.bridge, stops, tokenize, detokenize };
  const made = await userTurnPrompt(answer, { ...options, form: 'ids' });
  const asText = await userTurnPrompt(answer, { ...options, form: 'text' });
  if (made.form !== 'ids' || asText.form !== 'text') throw new Error('another form than the one asked for');
  expect(made.ids.slice(0, promptIds.length)).toEqual(promptIds);
  expect(pieces(made.ids).join('')).toBe(asText.text);
  const user = await userStops(at.afterUser, sources);
  return {
    prompt: at.assistantPrompt,
    after: pieces(made.ids.slice(promptIds.length)).join('·'),
    stops: [stops, user].map(({ ids, texts }) => [...pieces(ids), ...texts].join(' ')),
  };
}

type Golden = Asked & { of: keyof typeof families; is: string; expected: Awaited<ReturnType<typeof wire>> };

const goldens: Golden[] = [
  {
    of: 'Qwen2.5',
    is: 'with the template’s own system message',
    text: 'It is.',
    end: '<|im_end|>',
    expected: {
      prompt:
        '<|im_start|>system\nYou are a model that helps.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n',
      after: 'It· is·.·<|im_end|>·\n·<|im_start|>·user·\n',
      stops: ['<|im_end|>', '<|im_end|>'],
    },
  },
  {
    of: 'Qwen2.5',
    is: 'ended by a token that nobody named',
    q: told,
    text: 'It is.',
    end: '<|endoftext|>',
    expected: {
      prompt: '<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n',
      after: 'It· is·.·<|im_end|>·\n·<|im_start|>·user·\n',
      stops: ['<|im_end|>', '<|im_end|>'],
    },
  },
  {
    of: 'Qwen3',
    is: 'thinking stays in the trace',
    text: '<think>\nHm.\n</think>\n\nIt is.',
    end: '<|im_end|>',
    expected: {
      prompt: '<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n',
      after: '<think>·\n·Hm·.\n·</think>·\n·\n·It· is·.·<|im_end|>·\n·<|im_start|>·user·\n',
      stops: ['<|im_end|>', '<|im_end|>'],
    },
  },
  {
    of: 'Qwen3',
    is: 'without thinking, cut off',
    kwargs: { enable_thinking: false },
    text: 'It is',
    expected: {
      prompt: '<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
      after: 'It· is·<|im_end|>·\n·<|im_start|>·user·\n',
      stops: ['<|im_end|>', '<|im_end|>'],
    },
  },
  {
    of: 'Qwen3',
    is: 'thinking of earlier turns is gone',
    q: again,
    text: '<think>\nHm.',
    expected: {
      prompt:
        '<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n So. <|im_end|>\n<|im_start|>user\n Sure? <|im_end|>\n<|im_start|>assistant\n',
      after: '<think>·\n·Hm·.·<|im_end|>·\n·<|im_start|>·user·\n',
      stops: ['<|im_end|>', '<|im_end|>'],
    },
  },
  {
    of: 'Qwen3',
    is: 'a prompt that opens the thinking',
    kwargs: { opens_thinking: true },
    text: 'Hm.\n</think>\n\nIt is.',
    end: '<|im_end|>',
    expected: {
      prompt: '<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n<think>\n',
      after: 'Hm·.\n·</think>·\n·\n·It· is·.·<|im_end|>·\n·<|im_start|>·user·\n',
      stops: ['<|im_end|>', '<|im_end|>'],
    },
  },
  {
    of: 'gpt-oss',
    is: 'no end at the end of its analysis',
    q: told,
    text: '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is.',
    end: '<|return|>',
    expected: {
      prompt:
        '<|start|>system<|message|>You talk in channels.\nToday: 2026-01-02\nReasoning: medium\n# Channels: analysis, commentary, final.<|end|><|start|>developer<|message|># Instructions\n\nBe kind.\n\n<|end|><|start|>user<|message|>Why?<|end|><|start|>assistant',
      after:
        '<|channel|>·analysis·<|message|>·Hm·.·<|end|>·<|start|>·assistant·<|channel|>·final·<|message|>·It· is·.·<|end|>·<|start|>·user·<|message|>',
      stops: ['<|return|>', '<|end|> <|return|>'],
    },
  },
  {
    of: 'gpt-oss',
    is: 'a call',
    kwargs: { reasoning_effort: 'high' },
    text: '<|channel|>commentary to=search<|message|>x',
    end: '<|call|>',
    expected: {
      prompt:
        '<|start|>system<|message|>You talk in channels.\nToday: 2026-01-02\nReasoning: high\n# Channels: analysis, commentary, final.<|end|><|start|>user<|message|>Why?<|end|><|start|>assistant',
      after: '<|channel|>·commentary· to·=·search·<|message|>·x·<|end|>·<|start|>·user·<|message|>',
      stops: ['<|return|>', '<|end|> <|return|>'],
    },
  },
  {
    of: 'gpt-oss',
    is: 'cut off in its analysis',
    text: '<|channel|>analysis<|message|>Hm',
    expected: {
      prompt:
        '<|start|>system<|message|>You talk in channels.\nToday: 2026-01-02\nReasoning: medium\n# Channels: analysis, commentary, final.<|end|><|start|>user<|message|>Why?<|end|><|start|>assistant',
      after: '<|channel|>·analysis·<|message|>·Hm·<|end|>·<|start|>·user·<|message|>',
      stops: ['<|return|>', '<|end|> <|return|>'],
    },
  },
  {
    of: 'gpt-oss',
    is: 'already at the start of the bridge',
    text: '<|channel|>final<|message|>It is.<|end|>',
    expected: {
      prompt:
        '<|start|>system<|message|>You talk in channels.\nToday: 2026-01-02\nReasoning: medium\n# Channels: analysis, commentary, final.<|end|><|start|>user<|message|>Why?<|end|><|start|>assistant',
      after: '<|channel|>·final·<|message|>·It· is·.·<|end|>·<|start|>·user·<|message|>',
      stops: ['<|return|>', '<|end|> <|return|>'],
    },
  },
  {
    of: 'GLM-4.6',
    is: 'the next header ends a turn',
    q: told,
    text: '\n<think>Hm.</think>\nIt is.',
    end: '<|user|>',
    expected: {
      prompt: '[gMASK]<sop><|system|>\nBe kind.<|user|>\nWhy?<|assistant|>',
      after: '\n·<think>·Hm·.·</think>·\n·It· is·.·<|user|>·\n',
      stops: ['<|user|> <|endoftext|>', '<|assistant|> <|endoftext|>'],
    },
  },
  {
    of: 'GLM-4.6',
    is: 'a word put to user turns',
    kwargs: { enable_thinking: false },
    text: '\nIt is.',
    end: '<|endoftext|>',
    expected: {
      prompt: '[gMASK]<sop><|user|>\nWhy?/nothink<|assistant|>\n<think></think>',
      after: '\n·It· is·.·<|user|>·\n',
      stops: ['<|user|> <|endoftext|>', '/nothink <|assistant|> <|endoftext|>'],
    },
  },
  {
    of: 'GLM-4.7',
    is: 'a prompt that opens the thinking',
    q: again,
    text: 'Hm.</think>It is.',
    end: '<|user|>',
    expected: {
      prompt: '[gMASK]<sop><|system|>Be kind.<|user|>Why?<|assistant|></think>So.<|user|> Sure? <|assistant|><think>',
      after: 'Hm·.·</think>·It· is·.·<|user|>',
      stops: ['<|user|> <|endoftext|>', '<|assistant|> <|endoftext|>'],
    },
  },
  {
    of: 'GLM-4.7',
    is: 'without thinking',
    kwargs: { enable_thinking: false },
    text: 'It is.',
    end: '<|user|>',
    expected: {
      prompt: '[gMASK]<sop><|user|>Why?<|assistant|></think>',
      after: 'It· is·.·<|user|>',
      stops: ['<|user|> <|endoftext|>', '<|assistant|> <|endoftext|>'],
    },
  },
  {
    of: 'Llama 3',
    is: 'trims what was said, not what was generated',
    q: again,
    text: ' It is.\n',
    end: '<|eot_id|>',
    expected: {
      prompt:
        '<s><|start_header_id|>system<|end_header_id|>\n\nToday: 02 Jan 2026\n\nBe kind.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWhy?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n<think>\nHm.\n</think>\n\n So.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nSure?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
      after: ' It· is·.\n·<|eot_id|>·<|start_header_id|>·user·<|end_header_id|>·\n·\n',
      stops: ['<|eot_id|>', '<|eot_id|>'],
    },
  },
  {
    of: 'Llama 3',
    is: 'a date by its switch',
    kwargs: { date_string: '1 May 2025' },
    text: 'It is.',
    end: '<|eot_id|>',
    expected: {
      prompt:
        '<s><|start_header_id|>system<|end_header_id|>\n\nToday: 1 May 2025\n\n<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWhy?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
      after: 'It· is·.·<|eot_id|>·<|start_header_id|>·user·<|end_header_id|>·\n·\n',
      stops: ['<|eot_id|>', '<|eot_id|>'],
    },
  },
  {
    of: 'Gemma 3',
    is: 'the system message in the first turn',
    q: again,
    text: 'It is.',
    end: '<end_of_turn>',
    expected: {
      prompt:
        '<s><start_of_turn>user\nBe kind.\n\nWhy?<end_of_turn>\n<start_of_turn>model\n<think>\nHm.\n</think>\n\n So.<end_of_turn>\n<start_of_turn>user\nSure?<end_of_turn>\n<start_of_turn>model\n',
      after: 'It· is·.·<end_of_turn>·\n·<start_of_turn>·user·\n',
      stops: ['<end_of_turn>', '<end_of_turn>'],
    },
  },
  {
    of: 'Gemma 4',
    is: 'thinking',
    q: told,
    kwargs: { enable_thinking: true },
    text: '<|channel>thought\nHm.<channel|>It is.',
    end: '<turn|>',
    expected: {
      prompt: '<s><|turn>system\n<|think|>\nBe kind.<turn|>\n<|turn>user\nWhy?<turn|>\n<|turn>model\n',
      after: '<|channel>·thought·\n·Hm·.·<channel|>·It· is·.·<turn|>·\n·<|turn>·user·\n',
      stops: ['<turn|>', '<turn|>'],
    },
  },
  {
    of: 'Gemma 4',
    is: 'without thinking',
    text: 'It is.',
    end: '<turn|>',
    expected: {
      prompt: '<s><|turn>user\nWhy?<turn|>\n<|turn>model\n<|channel>thought\n<channel|>',
      after: 'It· is·.·<turn|>·\n·<|turn>·user·\n',
      stops: ['<turn|>', '<turn|>'],
    },
  },
  {
    of: 'Mistral',
    is: 'the system message in the last turn, so in the bridge',
    q: again,
    text: ' It is.',
    end: '</s>',
    expected: {
      prompt: '<s>[INST] Why?[/INST] <think>\nHm.\n</think>\n\n So.</s>[INST] Be kind.\n\n Sure? [/INST]',
      after: ' It· is·.·</s>·[INST]· Be· kind·.\n\n',
      stops: ['</s>', '[/INST] </s>'],
    },
  },
  {
    of: 'DeepSeek',
    is: 'the next header ends a user turn',
    q: again,
    text: 'Hm.\n</think>\n\nIt is.',
    end: '<｜end▁of▁sentence｜>',
    expected: {
      prompt:
        '<｜begin▁of▁sentence｜>Be kind.<｜User｜>Why?<｜Assistant｜>\n\n So. <｜end▁of▁sentence｜><｜User｜> Sure? <｜Assistant｜><think>\n',
      after: 'Hm·.\n·</think>·\n·\n·It· is·.·<｜end▁of▁sentence｜>·<｜User｜>',
      stops: ['<｜end▁of▁sentence｜>', '<｜Assistant｜> <｜end▁of▁sentence｜>'],
    },
  },
  {
    of: 'one that prints None',
    is: 'an empty question and an empty answer',
    q: [{ role: 'user', content: '' }],
    text: '',
    end: '<|end|>',
    expected: {
      prompt: '<|user|>\n<|end|>\n<|assistant|>\n',
      after: '<|end|>·\n·<|user|>·\n',
      stops: ['<|end|>', '<|end|>'],
    },
  },
];

test.each(goldens)('$of, $is', async ({ of, expected, ...at }) => {
  expect(await wire(families[of], at)).toEqual(expected);
});
