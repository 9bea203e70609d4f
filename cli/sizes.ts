// How long prompts are: a few of them rendered and counted by the model's own tokenizer, the rest by their length.
import { type ReachDeps, reachModel } from '../activities/inference/reach.ts';
import type { Store } from '../activities/store/store.ts';
import { plannedRenderer } from '../activities/template/planned.ts';
import type { Item } from '../domain/data/item.ts';
import type { PlannedModel } from '../domain/plan/plan.ts';
import type { EngineLocation } from '../domain/plan/run-doc.ts';
import { roleSwitch } from '../domain/probe/bridge.ts';

/** Mean tokens of a data set's prompts. `by`: whether tokens were counted or taken for four characters each. */
export type Sizes = { prompt: number; between: number; given: number | null; by: 'tokenizer' | 'characters' };

type Deps = ReachDeps & { store: Store; location: EngineLocation };

const looked = 6;
const charactersPerToken = 4;

/** Sizes of each data set for one model. */
export async function promptSizes(
  model: PlannedModel,
  data: Map<string, Item[]>,
  deps: Deps,
): Promise<Map<string, Sizes>> {
  // A model that is still to be served has no tokenizer yet.
  const server = deps.location.kind === 'serve' ? null : await reachModel(deps.location, deps);
  const renderer = await plannedRenderer(model.template, { store: deps.store, server, report: deps.report });
  const tokensOf = async (text: string) => {
    const ids = (await server?.tokenize(text.toWellFormed())) ?? null;
    return ids?.length ?? text.length / charactersPerToken;
  };
  const look = async (item: Item): Promise<Looked> => {
    const at = await roleSwitch(item.messages, renderer.render);
    return {
      text: textLength(item),
      prompt: at.assistantPrompt.length,
      promptTokens: await tokensOf(at.assistantPrompt),
      bridgeTokens: await tokensOf(at.bridge),
      givenTokens: item.assistant === null ? null : await tokensOf(item.assistant),
    };
  };
  try {
    const by = server !== null && model.prompt_form === 'ids' ? 'tokenizer' : 'characters';
    const sizes = new Map<string, Sizes>();
    for (const [id, items] of data) {
      sizes.set(id, { ...sizesFrom(await Promise.all(spread(items, looked).map(look)), items), by });
    }
    return sizes;
  } finally {
    await renderer.close();
  }
}

/** Lengths in characters, and in tokens. */
type Looked = { text: number; prompt: number; promptTokens: number; bridgeTokens: number; givenTokens: number | null };

/** What was counted of a few, carried over to all by the length of their text. */
function sizesFrom(some: Looked[], all: Item[]): Omit<Sizes, 'by'> {
  const perCharacter = mean(some.map((one) => one.promptTokens)) / mean(some.map((one) => one.prompt));
  const around = mean(some.map((one) => one.prompt - one.text));
  const given = some.flatMap((one) => (one.givenTokens === null ? [] : [one.givenTokens]));
  return {
    prompt: perCharacter * (mean(all.map(textLength)) + around),
    between: mean(some.map((one) => one.bridgeTokens)),
    given: given.length === some.length ? mean(given) : null,
  };
}

function textLength(item: Item): number {
  return item.messages.reduce((sum, { content }) => sum + content.length, 0);
}

/** At most `count` of them, evenly spread. */
function spread<T>(things: T[], count: number): T[] {
  const step = Math.max(1, things.length / count);
  return Array.from({ length: Math.min(count, things.length) }, (_, n) => things[Math.floor(n * step)]).filter(
    (thing) => thing !== undefined,
  );
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
