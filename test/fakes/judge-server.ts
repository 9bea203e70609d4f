// A judge that is none: a chat API whose replies a test writes, told apart by what is to be judged.
import { type Scripted, type Seen, startScriptedServer } from './scripted-server.ts';

/** One question as it came. `again`: how often the same texts were asked about before. */
export type Question = {
  conversation: { role: string; content: string }[];
  answer: string;
  turn: string;
  again: number;
  instructions: string;
  body: Record<string, unknown>;
};

export type JudgeScript = (question: Question) => Scripted;

export type FakeJudge = {
  url: string;
  /** Questions so far; `reset` begins anew. */
  asked(): Question[];
  play(script: JudgeScript): void;
  reset(): void;
  [Symbol.asyncDispose](): Promise<void>;
};

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** A whole reply with this content, which cost 100 and 20 tokens. */
export function says(content: string): Scripted {
  return { body: chatReply(content) };
}

export function verdictReply(label: string, genuine: boolean, rationale = 'As it reads.'): string {
  return JSON.stringify({ rationale, label, genuine });
}

/** Reads the data message of the prompt that comes with uturn: three JSON values, each on the line after its name. */
export async function startFakeJudge(script: JudgeScript): Promise<FakeJudge> {
  const state = { script, asked: [] as Question[] };
  const server = await startScriptedServer((request) => {
    if (request.path === '/v1/models') return { body: { object: 'list', data: [{ id: 'judge' }] } };
    if (request.path !== '/v1/chat/completions') return { status: 404, body: { detail: 'Not Found' } };
    const question = questionIn(request, state.asked);
    if (question === null) return says('Hello.');
    state.asked.push(question);
    return state.script(question);
  });
  return {
    url: `${server.url}/v1`,
    asked: () => [...state.asked],
    play: (next) => {
      state.script = next;
    },
    reset: () => {
      state.asked = [];
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export function chatReply(content: string | null, more: { finish?: string; refusal?: string } = {}) {
  const message = { role: 'assistant', content, refusal: more.refusal ?? null };
  const choices = [{ index: 0, message, finish_reason: more.finish ?? 'stop' }];
  return { id: 'chatcmpl-1', object: 'chat.completion', model: 'judge', choices, usage };
}

/** Null: a question that holds nothing to judge, such as whether the server answers at all. */
function questionIn({ body }: Seen, before: Question[]): Question | null {
  const { messages, ...rest } = body as { messages: { role: string; content: string }[] };
  const [system, user] = messages;
  if (system?.role !== 'system' || user?.role !== 'user' || messages.length !== 2) return null;
  const lines = user.content.split('\n');
  const valueAfter = (name: string) => JSON.parse(lines[lines.indexOf(`${name}:`) + 1] ?? 'null');
  const texts = {
    conversation: valueAfter('conversation'),
    answer: valueAfter('answer'),
    turn: valueAfter('last_message'),
  };
  const same = (one: Question) => one.turn === texts.turn && one.answer === texts.answer;
  return { ...texts, again: before.filter(same).length, instructions: system.content, body: rest };
}
