// From a config to a frozen plan: reads the data, asks the servers, and writes what the plan names into the store.
import { dirname, resolve } from 'node:path';
import { itemsAsked } from '../../domain/data/asked.ts';
import { type Item, isReferenced } from '../../domain/data/item.ts';
import { engineId, together } from '../../domain/plan/engine.ts';
import type { JudgeLocation, RunPrices } from '../../domain/plan/judge.ts';
import type { Plan, PlannedData, PlannedModel, RulesThresholds } from '../../domain/plan/plan.ts';
import type { EngineLocation } from '../../domain/plan/run-doc.ts';
import { ConfigProblem, placed, WorldProblem } from '../../domain/problems.ts';
import { type DataSpec, isPrivateSet } from '../../domain/spec/data.ts';
import type { RunnableSpec } from '../../domain/spec/experiment.ts';
import type { JudgeSpec } from '../../domain/spec/judge.ts';
import { conditionsIn, type PerturbationSpec } from '../../domain/spec/perturbation.ts';
import { runnableOf } from '../../domain/spec/read.ts';
import type { Home } from '../../local/home.ts';
import { checkerVenv } from '../../local/python.ts';
import { itemsBlob } from '../data/items.ts';
import { resolveData } from '../data/registry.ts';
import { promptText } from '../judge/prompt.ts';
import { putBlob } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import { findJudge } from './judge.ts';
import { type FoundModel, findModel, probeModel } from './model.ts';

/** About half an hour of waiting at the longest interval between two tries. */
const attempts = 120;

export type PlanDeps = { home: Home; store: Store; report(line: string): void; limit: number | null };

export type Planned = {
  name: string;
  spec: RunnableSpec;
  plan: Plan;
  engines: Record<string, EngineLocation>;
  judge: JudgeLocation | null;
  prices: RunPrices;
  /** Tries per shard until it is parked. */
  attempts: number;
  /** Items of each data set, limit applied: what an estimate is made from. */
  items: Map<string, Item[]>;
};

/**
 * @throws ConfigProblem  all faults of the file in one sentence list, or the first of the data and the models
 * @throws WorldProblem   a model's server fails
 */
export async function planExperiment(config: { file: string; text: string }, deps: PlanDeps): Promise<Planned> {
  const { spec, lineOf } = runnableOf(config);
  const baseDir = dirname(resolve(config.file));
  const limit = deps.limit ?? spec.limit;

  const data: PlannedData[] = [];
  const items = new Map<string, Item[]>();
  const at = (path: (string | number)[], field: string) => (error: unknown) => {
    throw placed(nobodyThere(error), { file: config.file, line: lineOf(path), field });
  };
  for (const [index, entry] of spec.data.entries()) {
    const found = await planData(entry, { ...deps, baseDir }).catch(at(['data', index], `data[${index}]`));
    data.push(found.planned);
    const taken = limit === null ? found.items : found.items.slice(0, limit);
    items.set(entry.id, itemsAsked(taken, { system: spec.system ?? undefined }));
  }
  const models: FoundModel[] = [];
  for (const [index, entry] of spec.models.entries()) {
    const blame = at(['models', index], `models[${index}]`);
    const found = await findModel(entry, { ...deps, baseDir, templateDate: spec.template_date }).catch(blame);
    const firsts = [...items.values()].flatMap((some) => some.slice(0, 1).map((item) => item.messages));
    try {
      await probeModel(found, { conversations: firsts, limits: spec.max_tokens }).catch(blame);
    } finally {
      await found.renderer.close();
    }
    if (spec.kind === 'perturbation') await checkCuts(spec, found.planned).catch(blame);
    models.push(found);
  }
  const { llm } = spec.judge;
  const asking = async (wanted: JudgeSpec) => {
    const blame = at(['judge', 'llm', 'prompt'], 'judge.llm.prompt');
    const prompt = await promptText(wanted.prompt, { baseDir }).catch(blame);
    return findJudge(wanted, { ...deps, prompt }).catch(at(['judge', 'llm'], 'judge.llm'));
  };
  const judge = llm === null ? null : await asking(llm);
  if (judge !== null) reportPrivate(judge.location, { data, report: deps.report });
  const plan: Plan = {
    format: 1,
    kind: spec.kind,
    seed: spec.seed,
    models: models.map((model) => model.planned),
    data,
    temperatures: spec.temperatures,
    samples: spec.samples,
    ...(spec.kind === 'perturbation' && { conditions: conditionsIn(spec) }),
    limit,
    max_tokens: spec.max_tokens,
    ...(spec.system !== null && { system: spec.system }),
    sampling: spec.sampling,
    judge: { rules: rulesOf(spec), ...(judge !== null && { llm: judge.planned }) },
    max_error_share: spec.max_error_share,
  };
  return {
    name: spec.name,
    spec,
    plan,
    items,
    attempts,
    engines: locations(models),
    judge: judge?.location ?? null,
    prices: {
      models: Object.fromEntries(spec.models.map(({ id, prices }) => [id, prices])),
      judge: spec.judge.llm?.prices ?? null,
    },
  };
}

/** @throws ConfigProblem  answers are to be cut by tokens, and the model's server has none to count */
async function checkCuts(spec: PerturbationSpec, model: PlannedModel): Promise<void> {
  const cuts = conditionsIn(spec).some(({ kind }) => kind === 'truncated' || kind === 'cut');
  if (!cuts || model.prompt_form === 'ids') return;
  throw new ConfigProblem(`the server of ${model.id} cannot tokenise, and answers are cut by their model's tokens`, {
    advice: 'Use a server with /tokenize, such as vLLM, or set `conditions: [question]` and no doses.',
  });
}

/** Whoever holds private data should know whom its texts are sent to. */
export function reportPrivate({ url }: JudgeLocation, at: { data: PlannedData[]; report(line: string): void }): void {
  const ids = at.data.filter((one) => one.private).map(({ id }) => id);
  if (ids.length > 0) at.report(`judge.llm: ${url} is sent the texts of ${ids.join(', ')}, which are private`);
}

function rulesOf({ judge }: RunnableSpec): RulesThresholds | null {
  const { enabled, ...thresholds } = judge.rules;
  return enabled ? thresholds : null;
}

/** Models that uturn serves and that differ in nothing but their adapters are one engine. */
export function locations(models: FoundModel[]): Record<string, EngineLocation> {
  const orders = together(models.flatMap(({ location }) => (location.kind === 'serve' ? [location.order] : [])));
  const shared = (location: EngineLocation) => {
    const order = location.kind === 'serve' ? orders.shift() : undefined;
    return order === undefined ? location : { ...location, id: engineId(order), order };
  };
  return Object.fromEntries(models.map(({ planned, location }) => [planned.id, shared(location)]));
}

/** Later a server that is away is waited for; while a person waits for the plan, it is most likely a slip. */
export function nobodyThere(error: unknown): unknown {
  if (!(error instanceof WorldProblem) || error.kind !== 'unreachable') return error;
  return new ConfigProblem(error.message, { advice: 'Start the model server, or correct its address.', cause: error });
}

async function planData(
  entry: DataSpec,
  deps: PlanDeps & { baseDir: string },
): Promise<{ planned: PlannedData; items: Item[] }> {
  const { adapter, file, items, notes } = await resolveData(entry, { home: deps.home, baseDir: deps.baseDir });
  for (const note of notes) deps.report(note);
  if (items.length === 0) throw new ConfigProblem(`the data set ${entry.id} holds no items`);
  // Now, while somebody looks on, and not when the first answers are there.
  if (items.some(({ answer }) => answer?.check === 'instructions')) await checkerVenv({ report: deps.report });
  const heldOut = items.every((item) => item.assistant !== null);
  const planned = {
    id: entry.id,
    adapter,
    file,
    items: await putBlob(deps.store, itemsBlob(items)),
    count: items.length,
    scored: items.some((item) => item.answer !== null),
    held_out: heldOut,
    ...(heldOut && items.some(isReferenced) && { references: true as const }),
    ...((entry.private || isPrivateSet(adapter)) && { private: true as const }),
  };
  return { planned, items };
}
