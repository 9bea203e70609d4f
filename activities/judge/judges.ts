// Judges that are models, as a worker holds them: one line to each, and how many questions may be in flight.
import { type JudgePrompt, readPrompt } from '../../domain/followup/prompt.ts';
import type { JudgeLocation, PlannedJudge } from '../../domain/plan/judge.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { canonicalJson } from '../../domain/records/canonical.ts';
import { type ChatModel, type ChatRequest, chatModel } from '../chat/chat.ts';
import { type AtWork, heeding } from '../inference/heed.ts';
import { keyFrom } from '../inference/reach.ts';
import { openRoom, type Room } from '../inference/room.ts';
import type { Metrics } from '../metrics.ts';
import { hearConcurrency } from '../run/concurrency.ts';
import { readRun } from '../run/documents.ts';
import type { Asked } from '../shard/blame.ts';
import { getBlob } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';

export type Judge = Asked & {
  planned: PlannedJudge;
  location: JudgeLocation;
  prompt: JudgePrompt;
  chat: ChatModel;
  limit: Room['limit'];
  /** Hears how many questions may be in flight, where somebody has set that anew for a run. */
  heed(who: AtWork): Promise<void>;
};

export type Judges = {
  /**
   * The model that judges for a run, opened once and shared by all shards of this process.
   * @throws ConfigProblem  the run does not say where it is, or its key's variable is not set here
   */
  open(run: string, planned: PlannedJudge): Promise<Judge>;
};

export function judges({ store, metrics }: { store: Store; metrics?: Metrics }): Judges {
  const opened = new Map<string, Pick<Judge, 'chat' | 'limit' | 'heed'>>();
  const hear = hearConcurrency(store);
  const reach = (location: JudgeLocation) => {
    const room = openRoom(location.concurrency);
    metrics?.watch('uturn_concurrency_limit', { model: location.served }, () => room.state().width);
    const chat = reachJudge(location, { room, ...(metrics && { metrics }) });
    return {
      chat,
      limit: room.limit,
      heed: heeding({ hear, usual: location.concurrency, allow: room.allow }),
    };
  };
  const reached = (location: JudgeLocation) => {
    const key = canonicalJson(location);
    const judge = opened.get(key) ?? reach(location);
    opened.set(key, judge);
    return judge;
  };
  return {
    async open(run, planned) {
      const { judge: location } = await readRun(store, run);
      if (location === undefined) throw new ConfigProblem(`run ${run} does not say where ${planned.model} judges`);
      const text = new TextDecoder().decode(await getBlob(store, planned.prompt));
      const { chat, limit, heed } = reached(location);
      return {
        planned,
        location,
        prompt: readPrompt(text, { file: planned.prompt }),
        chat,
        limit,
        heed,
        answers: () => answersNow(chat, { planned, location }),
        // It has one address, and no other to be looked for.
        lost: (failure) => failure,
      };
    },
  };
}

async function answersNow(chat: ChatModel, at: Pick<Judge, 'planned' | 'location'>): Promise<boolean> {
  const request: ChatRequest = {
    messages: [{ role: 'user', content: 'Hello' }],
    temperature: at.planned.temperature,
    seed: at.planned.seed,
    max_tokens: 16,
    max_tokens_as: at.location.max_tokens_as,
    reasoning_effort: at.planned.reasoning_effort,
    extra_body: at.planned.extra_body,
    format: { type: 'text' },
  };
  return chat.chat(request, AbortSignal.timeout(30_000)).then(
    () => true,
    (problem: unknown) => {
      if (!(problem instanceof WorldProblem) || problem.kind !== 'foreign_reply') return false;
      throw new ConfigProblem(problem.message, {
        advice:
          'Tried several times, with a plain question too. Use a server with the chat API of vLLM or of hosted models.',
        cause: problem,
      });
    },
  );
}

/** @throws ConfigProblem  the key's variable is not set here */
export function reachJudge(location: JudgeLocation, told: { room?: Room; metrics?: Metrics } = {}): ChatModel {
  return chatModel({
    url: location.url,
    model: location.served,
    apiKey: keyFrom(location.api_key_env),
    timeoutMs: location.timeout_s * 1_000,
    ...told,
    random: Math.random,
  });
}
