// Other servers for the models of a run: found as a plan finds them, and asked for what the run asked its own.
import { dirname, resolve } from 'node:path';
import { type FoundModel, findModel } from '../../activities/planning/model.ts';
import { locations, nobodyThere } from '../../activities/planning/plan.ts';
import type { Plan, PlannedModel } from '../../domain/plan/plan.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { ConfigProblem, placed, sentence } from '../../domain/problems.ts';
import type { ModelSpec } from '../../domain/spec/model.ts';
import { readModels } from '../../domain/spec/read.ts';
import { readConfig } from '../config.ts';
import { say } from '../finish.ts';
import type { Reading } from '../session.ts';

/** What of a run is another one where its models are asked elsewhere. */
export type Elsewhere = { plan: Plan } & Pick<RunDoc, 'engines' | 'prices' | 'config'>;

type Source = { doc: RunDoc; plan: Plan };

/**
 * By a file of `models:`, known by their ids; the others stay where they are. What is asked stays as it was, the prompts too wherever uturn
 * renders them itself.
 * @throws ConfigProblem  the file is wrong, or names a model that the run has not
 */
export async function elsewhere(at: Reading, { doc, plan }: Source, file: string): Promise<Elsewhere> {
  const config = await readConfig(file);
  const read = readModels(config.text, { file });
  if ('problems' in read) throw new ConfigProblem(read.problems.map(sentence).join('\n'));
  const found: FoundModel[] = [];
  for (const [index, spec] of read.models.entries()) {
    const place = { file, line: read.lineOf(['models', index]), field: `models[${index}]` };
    const earlier = plan.models.find(({ id }) => id === spec.id) ?? unknown(spec, { doc, plan }, place);
    const deps = { ...at, report: say, baseDir: dirname(resolve(file)), templateDate: earlier.template.date ?? anyDay };
    const one = await findModel(spec, deps).catch((error: unknown) => {
      throw placed(nobodyThere(error), place);
    });
    await one.renderer.close();
    found.push(one);
  }
  const models = plan.models.map((model) =>
    withServer(model, found.find(({ planned }) => planned.id === model.id)?.planned),
  );
  const prices = Object.fromEntries(read.models.map((spec) => [spec.id, spec.prices]));
  return {
    plan: { ...plan, models },
    engines: { ...doc.engines, ...locations(found) },
    ...(doc.prices && { prices: { ...doc.prices, models: { ...doc.prices.models, ...prices } } }),
    config,
  };
}

/** Where no template prints the date, none is asked for. */
const anyDay = '2026-01-01';

function unknown(spec: ModelSpec, { doc, plan }: Source, place: { file: string; line: number; field: string }): never {
  throw new ConfigProblem(`${doc.run} has no model ${spec.id}`, {
    place,
    advice: `Give the entry the \`id\` of the one it stands for: ${plan.models.map(({ id }) => id).join(', ')}`,
  });
}

/** A template that uturn renders is rendered as before; one that only the earlier server knew is the new one's own. */
function withServer(model: PlannedModel, found: PlannedModel | undefined): PlannedModel {
  if (found === undefined) return model;
  const { engine_args: _args, adapter: _adapter, ...kept } = model;
  const { identity, dtype, engine, engine_args, adapter, prompt_form } = found;
  const isKept = model.template.source === 'jinja';
  if (!isKept && found.template.sha256 !== model.template.sha256)
    say(
      `${model.id}: its template is rendered otherwise there. Turns whose prompts differ are told apart from those that part.`,
    );
  return {
    ...kept,
    identity,
    dtype,
    engine,
    ...(engine_args && { engine_args }),
    ...(adapter !== undefined && { adapter }),
    prompt_form,
    template: isKept ? model.template : found.template,
  };
}
