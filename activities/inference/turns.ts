// The generations of the probe: the model answers, and goes on as the user, after something was done to its answer or not.
import type { Item } from '../../domain/data/item.ts';
import { conditionOf } from '../../domain/perturbation/condition.ts';
import type { ShardCounts, ShardRef } from '../../domain/plan/boundary.ts';
import { conditionAt } from '../../domain/plan/keys.ts';
import { requestSeed } from '../../domain/plan/seed.ts';
import { canonicalJson, sha256 } from '../../domain/records/canonical.ts';
import type { PerturbedTurn, Prompt, Turn } from '../../domain/records/record.ts';
import { storeText } from '../../domain/records/text.ts';
import { itemError } from '../shard/blame.ts';
import { answerStage, byId, type ShardSource, type Sources, sourceRecords, wantedFrom } from '../shard/sources.ts';
import { type Going, type Made, type ShardDeps, type Work, workShard } from '../shard/work.ts';
import { afterSockets } from './aside.ts';
import type { Completion, CompletionRequest } from './completion.ts';
import type { Engine, Engines, TurnPrompt } from './engines.ts';
import { perturbed } from './perturb.ts';

type Deps = ShardDeps & { sources: Sources; engines: Engines };

export function inferenceActivities(deps: Deps) {
  return {
    /**
     * Generates the assistant turns of one shard; an item that brings its own is taken as it is.
     * @throws ConfigProblem  the template cannot be probed, the key is refused, the weights are others (not retried)
     * @throws WorldProblem   the server is away (retried); `engine_gone` where uturn serves it (the campaign waits)
     */
    async assistantTurns(ref: ShardRef): Promise<ShardCounts> {
      const source = await deps.sources.of(ref);
      const itemOf = byId(source.items);
      const engine = once(() => deps.engines.open(ref, source.model));
      return workShard<Turn>(deps, ref, {
        wanted: source.items.map((item) => ({ item: item.id, sample: ref.sample, from: null })),
        ...(source.data.held_out ? freely(engine, source.items) : at(engine, ref, source.items)),
        make: async (wanted, going) => {
          const item = itemOf(wanted.item);
          if (item.assistant !== null) return { body: given(item.assistant), requests: 0, tokens: 0 };
          const server = await engine();
          return generate(server, {
            source,
            ref,
            item,
            role: 'assistant',
            prompt: () => server.assistantPrompt(item.messages),
            going,
          });
        },
      });
    },

    /**
     * Does to the answers of one shard what the node's condition says. Nothing is generated, but an answer is cut as its model counts
     * tokens, so its server is asked. Errors as of assistantTurns.
     */
    async perturbedTurns(ref: ShardRef): Promise<ShardCounts> {
      const { items, model, plan } = await deps.sources.of(ref);
      const answers = await sourceRecords<Turn>(deps.store, ref, 'assistant_turn');
      const condition = conditionOf(ref.condition ?? 'base');
      const engine = once(() => deps.engines.open(ref, model));
      return workShard<PerturbedTurn>(deps, ref, {
        wanted: wantedFrom(ref, items, answers),
        checkpoints: 'none',
        limit: async (piece) => (await engine()).ahead(piece),
        make: async ({ item }) => {
          const answer = answers.get(item)?.body;
          if (answer === undefined) throw new RangeError(`no answer for ${item}`);
          const at = await engine();
          try {
            const body = await perturbed(answer, { condition, item, seed: plan.seed }, at.server);
            return { body, requests: 0, tokens: 0 };
          } catch (failure) {
            return { ...(await itemError(at, await at.blamed(failure))), tokens: 0 };
          }
        },
      });
    },

    /** Generates the user turns of one shard: the same model goes on after its own answer, or what was done to it, with nothing added. */
    async userTurns(ref: ShardRef): Promise<ShardCounts> {
      const source = await deps.sources.of(ref);
      const answers = await sourceRecords<Turn>(deps.store, ref, answerStage(ref));
      const itemOf = byId(source.items);
      const engine = once(() => deps.engines.open(ref, source.model));
      return workShard<Turn>(deps, ref, {
        wanted: wantedFrom(ref, source.items, answers),
        ...at(engine, ref, source.items),
        make: async (wanted, going) => {
          const item = itemOf(wanted.item);
          const answer = answers.get(wanted.item)?.body;
          if (answer === undefined) throw new RangeError(`no answer for ${item.id}`);
          const server = await engine();
          return generate(server, {
            source,
            ref,
            item,
            role: 'user',
            prompt: () => server.userPrompt(item.messages, answer),
            going,
          });
        },
      });
    },
  };
}

export type InferenceActivities = ReturnType<typeof inferenceActivities>;

type Room = Pick<Work<Turn>, 'ready' | 'heed' | 'limit' | 'checkpoints'>;

/** Nothing is asked of anybody; but user turns come next, so what they need is readied. What fails there fails again then. */
function freely(engine: () => Promise<Engine>, items: Item[]): Room {
  return {
    checkpoints: 'none',
    ready: async () => void foreseen(engine, items).catch(() => {}),
    limit: (piece) => piece(),
  };
}

async function foreseen(engine: () => Promise<Engine>, items: Item[]): Promise<void> {
  (await engine()).foresee(items.map(({ messages }) => messages));
}

/** What is there already is adopted without a server; the first piece that is not needs one. */
function at(engine: () => Promise<Engine>, { run, model }: ShardRef, items: Item[]): Room {
  return {
    checkpoints: 'each',
    ready: () => foreseen(engine, items),
    heed: async () => (await engine()).heed({ run, model }),
    limit: async (piece) => (await engine()).ahead(piece),
  };
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open();
    return opened;
  };
}

type Generation = {
  source: ShardSource;
  ref: ShardRef;
  item: Item;
  role: 'assistant' | 'user';
  prompt: () => Promise<TurnPrompt>;
  going: Going;
};

/** One completion as a record's body, or as an error that stays with its item. */
async function generate(engine: Engine, at: Generation): Promise<Made<Turn> | null> {
  const { plan } = at.source;
  const seed = requestSeed(plan.seed, {
    condition: conditionAt(at.ref.temperature, at.role === 'user' ? at.ref.condition : 'base'),
    item: at.item.id,
    sample: at.ref.sample,
    turn: at.role,
  });
  try {
    const stops = await engine.stops(at.role, at.item.messages);
    const prompt = await at.prompt();
    const request: CompletionRequest = {
      prompt: prompt.sent,
      max_tokens: plan.max_tokens[at.role],
      temperature: at.ref.temperature,
      seed,
      stop_token_ids: stops.ids,
      stop: stops.texts,
      sampling: plan.sampling,
    };
    const { stopping, signal } = at.going;
    const done = await engine.room.limit(async () => {
      if (stopping()) return null;
      const begun = Date.now();
      const completed = await engine.server.complete(request, signal);
      return { ...completed, ms: Date.now() - begun };
    });
    if (done === null) return null;
    await afterSockets();
    const { completion, requests, ms } = done;
    return { body: turnOf(completion, prompt, seed), requests, tokens: completion.usage.completion, ms };
  } catch (failure) {
    return { ...(await itemError(engine, await engine.blamed(failure))), tokens: 0 };
  }
}

function turnOf(completion: Completion, prompt: TurnPrompt, seed: number): Turn {
  return {
    ...storeText(completion.text),
    finish: completion.finish,
    ids: completion.ids,
    prompt: promptOf(completion, prompt),
    tokens: completion.usage.completion,
    seed,
  };
}

/** What the engine really saw: its own report of the prompt's ids where it gives one. */
function promptOf(completion: Completion, { sent, opens, rerendered }: TurnPrompt): Prompt {
  const form = typeof sent === 'string' ? 'text' : 'ids';
  const ids = completion.promptIds ?? (typeof sent === 'string' ? null : sent);
  const digest = ids === null ? sha256(String(sent)) : sha256(canonicalJson(ids));
  return {
    form,
    sha256: digest,
    tokens: completion.usage.prompt,
    ids,
    ...(opens === 'reasoning' && { opens }),
    ...(rerendered && { rerendered }),
  };
}

function given(text: string): Turn {
  return { ...storeText(text), finish: 'given', ids: null, prompt: null, tokens: 0, seed: null };
}
