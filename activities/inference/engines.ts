// Engines as a worker holds them: one server each, its template, its stops, and how many requests may be in flight.
import pLimit, { type LimitFunction } from 'p-limit';
import { type Opening, openingAfter } from '../../domain/accuracy/reasoning.ts';
import type { Message } from '../../domain/data/item.ts';
import type { ShardRef } from '../../domain/plan/boundary.ts';
import type { PlannedModel } from '../../domain/plan/plan.ts';
import type { ReachableLocation, ServedLocation } from '../../domain/plan/run-doc.ts';
import { type RoleSwitch, roleSwitches } from '../../domain/probe/bridge.ts';
import type { Rerendering } from '../../domain/probe/history.ts';
import { assistantStops, type Stops, userStops } from '../../domain/probe/stops.ts';
import { userTurnPrompt, withoutEnd } from '../../domain/probe/trace.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { canonicalJson } from '../../domain/records/canonical.ts';
import type { Turn } from '../../domain/records/record.ts';
import { exactText } from '../../domain/records/text.ts';
import { hearConcurrency } from '../run/concurrency.ts';
import { readRun } from '../run/documents.ts';
import type { Store } from '../store/store.ts';
import { plannedRenderer } from '../template/planned.ts';
import type { Renderer } from '../template/renderer.ts';
import { promptsAnew } from './anew.ts';
import type { CompletionRequest, ModelServer } from './completion.ts';
import { type AtWork, heeding } from './heed.ts';
import { checked, checkServed, ownFailure } from './identity.ts';
import { type ReachDeps, reachModel } from './reach.ts';
import { openRoom, type Room } from './room.ts';

/** What is sent, and what the completion begins with. */
export type TurnPrompt = Opening & { sent: CompletionRequest['prompt']; rerendered?: Rerendering };

export type Engine = {
  server: ModelServer;
  /** Where completions wait for room. */
  room: Room;
  /** Hears how many requests may be in flight, where somebody has set that anew for a run. */
  heed(who: AtWork): Promise<void>;
  /** Readies a few more than there is room for: their prompts are made while others are completed. */
  ahead<T>(piece: () => Promise<T>): Promise<T>;
  /** Has the template render these while others are completed. What fails fails again when it is asked for. */
  foresee(conversations: Message[][]): void;
  assistantPrompt(messages: Message[]): Promise<TurnPrompt>;
  userPrompt(messages: Message[], answer: Turn): Promise<TurnPrompt>;
  stops(role: 'assistant' | 'user', messages: Message[]): Promise<Stops>;
  /**
   * Whether the server completes one token of a plain prompt now.
   * @throws ConfigProblem  it answers that, too, with something that is no completion
   */
  answers(): Promise<boolean>;
  /** Nobody listens there any more: the next `open` looks for the server anew. Returns what the shard has to say. */
  lost(failure: WorldProblem): WorldProblem;
  /** What a failure is at this engine: `engine_gone` where it comes from another server in the place of ours. */
  blamed(failure: unknown): Promise<unknown>;
};

export type Engines = {
  /**
   * The engine of a run's model, opened once and shared by all shards of this process.
   * @throws ConfigProblem  it serves other weights than the plan's, or its template cannot be probed
   * @throws WorldProblem   nobody answers there; `engine_gone` where uturn serves it, or does not yet
   */
  open(ref: Pick<ShardRef, 'run' | 'engine'>, model: PlannedModel): Promise<Engine>;
  close(): Promise<void>;
};

export function engines(deps: ReachDeps & { store: Store }): Engines {
  const opened = new Map<string, Promise<Engine>>();
  const renderers: Renderer[] = [];
  const hear = hearConcurrency(deps.store);

  const openEngine = async (
    model: PlannedModel,
    location: ReachableLocation,
    { lost, isOurs }: { lost: Engine['lost']; isOurs: boolean },
  ): Promise<Engine> => {
    const room = openRoom(location.concurrency);
    const server = checked(model, await reachModel(location, deps, room));
    const blamed = async (failure: unknown) => (isOurs ? ownFailure(failure, model, server) : failure);
    await checkServed(model, server).catch(async (failure: unknown) => {
      throw await blamed(failure);
    });
    const renderer = await plannedRenderer(model.template, { store: deps.store, server, report: deps.report });
    renderers.push(renderer);
    const ahead = pLimit(location.concurrency + readied);
    const allow = (most: number) => {
      room.allow(most);
      ahead.concurrency = most + readied;
    };
    const heed = heeding({ hear, usual: location.concurrency, allow });
    const engine = engineOf(model, { server, renderer, room, ahead, heed, lost, blamed });
    const name = location.kind === 'url' ? location.served : location.name;
    const unwatch = deps.metrics?.watch('uturn_concurrency_limit', { model: name }, () => room.state().width);
    return {
      ...engine,
      lost(failure) {
        unwatch?.();
        return engine.lost(failure);
      },
    };
  };

  return {
    async open({ run, engine: at }, model) {
      const stated = (await readRun(deps.store, run)).engines[model.id];
      if (stated === undefined) throw new ConfigProblem(`run ${run} does not say where ${model.id} is served`);
      const location = stated.kind === 'serve' ? servedAt(stated, at) : stated;
      const key = canonicalJson([location, model.template, model.prompt_form, model.reasoning ?? 'keep']);
      const lost = (failure: WorldProblem) => {
        opened.delete(key);
        return stated.kind === 'serve' ? new WorldProblem('engine_gone', failure.message, { cause: failure }) : failure;
      };
      const engine = opened.get(key) ?? openEngine(model, location, { lost, isOurs: stated.kind === 'serve' });
      opened.set(key, engine);
      return engine.catch((failure: unknown) => {
        opened.delete(key);
        throw failure instanceof WorldProblem && failure.kind === 'unreachable' ? lost(failure) : failure;
      });
    },
    async close() {
      await Promise.all(renderers.map((renderer) => renderer.close()));
    },
  };
}

/** The epoch's server as any other. */
function servedAt(location: ServedLocation, at: ShardRef['engine']): ReachableLocation {
  const { served, concurrency, timeout_s } = location;
  if (at === undefined) throw new WorldProblem('engine_gone', `${served} is not served yet`);
  return { kind: 'url', url: at.address, served, api_key_env: null, concurrency, timeout_s };
}

type Parts = { renderer: Renderer; ahead: LimitFunction } & Pick<
  Engine,
  'server' | 'room' | 'heed' | 'lost' | 'blamed'
>;

/** Prompts that wait for room in memory. */
const readied = 32;
/** Conversations foreseen that the template has before it: one that is asked for now does not wait behind more. */
const foreseenAtOnce = 32;

function engineOf(model: PlannedModel, { renderer, ahead, ...parts }: Parts): Engine {
  const { server, blamed } = parts;
  const foreseeing = pLimit(foreseenAtOnce);
  const tokenize = (text: string) => server.tokenize(text);
  const detokenize = (ids: number[]) => server.detokenize(ids);
  const switches = remembering(roleSwitches(renderer.render), (messages: Message[]) => JSON.stringify(messages));
  const sources = { tokenize, endTokens: renderer.endTokens };
  const stopsAfter = {
    assistant: remembering((text: string) => assistantStops(text, sources)),
    user: remembering((text: string) => userStops(text, sources)),
  };
  const stops: Engine['stops'] = async (role, messages) => {
    const at = await switches(messages);
    return stopsAfter[role](role === 'assistant' ? at.afterAssistant : at.afterUser);
  };
  const sentAs = async (text: string) => (model.prompt_form === 'text' ? text : idsOf(text, server));
  const anew = model.reasoning === undefined ? null : promptsAnew(model.reasoning, renderer);
  return {
    ...parts,
    ahead: (piece) => ahead(piece),
    foresee: (conversations) => {
      for (const messages of conversations) foreseeing(() => switches(messages)).catch(() => {});
    },
    stops,
    async assistantPrompt(messages) {
      const { assistantPrompt } = await switches(messages);
      return { sent: await sentAs(assistantPrompt), ...openingAfter(assistantPrompt) };
    },
    async userPrompt(messages, answer) {
      const at: RoleSwitch = await switches(messages);
      const said = { prompt: at.assistantPrompt, text: exactText(answer) };
      const ends = await stops('assistant', messages);
      if (anew !== null) {
        const text = await anew({ messages, ...said, text: withoutEnd(said.text, ends.markers) });
        return { sent: await sentAs(text), opens: 'answer', ...(model.reasoning && { rerendered: model.reasoning }) };
      }
      const prompt = await userTurnPrompt(
        { ...said, promptIds: answer.prompt?.ids ?? null, ids: answer.ids },
        { form: model.prompt_form, bridge: at.bridge, stops: ends, tokenize, detokenize },
      );
      return { sent: prompt.form === 'ids' ? prompt.ids : prompt.text, opens: 'answer' };
    },
    answers: () =>
      answersNow(server).catch(async (failure: unknown) => {
        throw await blamed(failure);
      }),
  };
}

async function idsOf(text: string, server: ModelServer): Promise<number[]> {
  const ids = await server.tokenize(text.toWellFormed());
  if (ids === null) throw new ConfigProblem(`${server.url} no longer tokenises, which the plan counts on`);
  return ids;
}

async function answersNow(server: ModelServer): Promise<boolean> {
  const neutral = { top_p: 1, top_k: 0, min_p: 0, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 };
  const request = {
    prompt: 'Hello',
    max_tokens: 1,
    temperature: 0,
    seed: 0,
    stop_token_ids: [],
    stop: [],
    sampling: neutral,
  };
  return server.complete(request, AbortSignal.timeout(30_000)).then(
    () => true,
    (problem: unknown) => {
      if (!(problem instanceof WorldProblem) || problem.kind !== 'foreign_reply') return false;
      throw new ConfigProblem(problem.message, {
        advice:
          'Tried several times, with a plain prompt too. Use a server with the completions API of vLLM or llama.cpp.',
        cause: problem,
      });
    },
  );
}

/** The conversations of a few lanes' shards, each asked for by both stages; a data set has too many to keep them all. */
const mostRemembered = 8_192;

function remembering<In, Out>(
  make: (input: In) => Promise<Out>,
  nameOf: (input: In) => string = String,
): (input: In) => Promise<Out> {
  const known = new Map<string, Promise<Out>>();
  return (input) => {
    const name = nameOf(input);
    const found = known.get(name) ?? make(input);
    known.delete(name);
    known.set(name, found);
    found.catch(() => known.delete(name));
    const oldest = known.keys().next();
    if (known.size > mostRemembered && !oldest.done) known.delete(oldest.value);
    return found;
  };
}
