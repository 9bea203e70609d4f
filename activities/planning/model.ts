// A config's model, looked at and frozen: what it is, how its template goes, what goes over the wire.
import { resolve } from 'node:path';
import type { Message } from '../../domain/data/item.ts';
import type { Plan, PlannedModel, PlannedTemplate } from '../../domain/plan/plan.ts';
import type { EngineLocation, ReachableLocation } from '../../domain/plan/run-doc.ts';
import { roleSwitch } from '../../domain/probe/bridge.ts';
import { rerendered } from '../../domain/probe/history.ts';
import { assistantStops, userStops } from '../../domain/probe/stops.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { ModelSpec, ReachableSpec } from '../../domain/spec/model.ts';
import type { ModelServer, ServedModel } from '../inference/completion.ts';
import { type ReachDeps, reachModel } from '../inference/reach.ts';
import type { Store } from '../store/store.ts';
import { plannedRenderer, today } from '../template/planned.ts';
import { plainConversations, type Renderer } from '../template/renderer.ts';
import { servedRenderer } from '../template/served.ts';
import { findServed } from './served.ts';
import { jinjaTemplate, templateFile } from './template.ts';

export type ModelDeps = ReachDeps & { store: Store; baseDir: string; templateDate: string };

/** A model that is still to be served has no tokenizer: then `server` answers null. */
export type FoundModel = {
  planned: PlannedModel;
  location: EngineLocation;
  server: Pick<ModelServer, 'tokenize' | 'detokenize'>;
  renderer: Renderer;
  /** Most tokens of prompt and turn together, where it is known. */
  context: number | null;
};

/**
 * Asks the model's server what it serves, or reads the files of a model that is still to be served, and derives the rest.
 * @throws ConfigProblem  refused key, unknown model, template that cannot be had or probed
 * @throws WorldProblem   nobody answers
 */
export function findModel(spec: ModelSpec, deps: ModelDeps): Promise<FoundModel> {
  return 'serve' in spec ? findServed(spec, deps) : findReachable(spec, deps);
}

async function findReachable(spec: ReachableSpec, deps: ModelDeps): Promise<FoundModel> {
  const location = locationOf(spec, deps.baseDir);
  const server = await reachModel(location, deps);
  const served = await server.describe();
  const template = await findTemplate(spec, { served, server, deps });
  const tokenises = (await server.tokenize('one two')) !== null;
  const planned: PlannedModel = {
    id: spec.id,
    identity: identityOf(spec, served),
    dtype: served.uturn?.dtype ?? ('dtype' in spec ? spec.dtype : null),
    engine: served.engine ?? { name: 'openai-completions', version: null },
    template,
    prompt_form: tokenises ? 'ids' : 'text',
    ...(spec.reasoning !== 'keep' && { reasoning: spec.reasoning }),
  };
  const renderer = await plannedRenderer(template, { store: deps.store, server, report: deps.report });
  return { planned, location, server, renderer, context: served.max_model_len };
}

/**
 * Derives the role switch and the stops for conversations of the data, so that a template that cannot go on as the user
 * stops the plan.
 * @throws ConfigProblem  and so does a limit that fits no prompt: every request would be refused
 */
export async function probeModel(found: FoundModel, asked: Asked): Promise<void> {
  checkLimits(found.context, asked.limits);
  const sources = { tokenize: (text: string) => found.server.tokenize(text), endTokens: found.renderer.endTokens };
  for (const messages of [plainConversations[0] ?? [], ...asked.conversations]) {
    const at = await roleSwitch(messages, found.renderer.render);
    await assistantStops(at.afterAssistant, sources);
    await userStops(at.afterUser, sources);
    const anew = { messages, prompt: at.assistantPrompt, text: 'Mercury.', field: null };
    if (found.planned.reasoning) await rerendered(found.planned.reasoning, anew, found.renderer.render);
  }
}

type Asked = { conversations: Message[][]; limits: Plan['max_tokens'] };

function checkLimits(context: number | null, limits: Asked['limits']): void {
  for (const turn of ['assistant', 'user'] as const) {
    if (context === null || limits[turn] < context) continue;
    throw new ConfigProblem(
      `the model's context holds ${context} tokens, and max_tokens.${turn} is ${limits[turn]}: no prompt fits beside it`,
      { advice: 'Lower the limit, or serve the model with a longer context (vLLM: --max-model-len).' },
    );
  }
}

function locationOf(spec: ReachableSpec, baseDir: string): ReachableLocation {
  const { concurrency, timeout_s } = spec;
  if ('url' in spec)
    return { kind: 'url', url: spec.url, served: spec.model, api_key_env: spec.api_key_env, concurrency, timeout_s };
  const isPath = /[/\\]|\.gguf$/i.test(spec.local);
  return {
    kind: 'local',
    name: isPath ? spec.id : spec.local,
    file: isPath ? resolve(baseDir, spec.local) : null,
    concurrency,
    timeout_s,
  };
}

function identityOf(spec: ReachableSpec, served: ServedModel): PlannedModel['identity'] {
  const weights = served.uturn?.weights ?? ('weights' in spec ? spec.weights : null);
  if (weights !== null) return { weights };
  if (!('url' in spec)) throw new ConfigProblem(`the local server does not say which weights ${spec.id} has`);
  return { url: spec.url, served: spec.model };
}

type Looked = { served: ServedModel; server: ModelServer; deps: ModelDeps };

/** A file given, else the text our own server knows, else whatever the server renders by itself. */
async function findTemplate(spec: ReachableSpec, { served, server, deps }: Looked): Promise<PlannedTemplate> {
  const kwargs = spec.template_kwargs;
  const given = spec.template === null ? null : await templateFile(resolve(deps.baseDir, spec.template));
  const text = given?.template ?? served.uturn?.template ?? null;
  const bos_token = given?.bos_token ?? served.uturn?.bos_token ?? null;
  const eos_token = given?.eos_token ?? served.uturn?.eos_token ?? null;
  if (text === null) {
    const renderer = await servedRenderer(server, { kwargs, today: today() });
    return { sha256: renderer.sha256, source: 'server', date: null, kwargs, bos_token, eos_token };
  }
  return jinjaTemplate({ text, bos_token, eos_token, kwargs }, deps);
}
