// Which servers two runs asked for the same models, as far as it is known what they are.

import { invariantMode } from '../../domain/plan/engine.ts';
import type { PlannedModel } from '../../domain/plan/plan.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import type { Of } from './changes.ts';

/**
 * What is null nobody knows. `address`: of a model that uturn serves, what it is made from. `batch_invariant`: by the config where uturn
 * starts the engine, else as the server says.
 */
export type AskedServer = {
  address: string | null;
  served: string | null;
  engine: string | null;
  weights: string | null;
  dtype: string | null;
  batch_invariant: boolean | null;
  concurrency: number | null;
};

const fields = ['address', 'served', 'engine', 'weights', 'dtype'] as const;

/** `differ`: what is known of both and not the same. */
export type AskedServers = {
  model: string;
  before: AskedServer;
  after: AskedServer;
  differ: (typeof fields)[number][];
};

/** In the order of the plan. `said`: what servers say now of the mode they were started in. */
export function serversOf(before: Of, after: Of, said: ReadonlyMap<string, boolean | null>): AskedServers[] {
  return after.plan.models.flatMap((model, at) => {
    const earlier = before.plan.models[at];
    if (earlier === undefined) return [];
    const [was, is] = [askedServer(before.doc, earlier), askedServer(after.doc, model)];
    is.batch_invariant ??= said.get(model.id) ?? null;
    const differ = fields.filter((field) => was[field] !== null && is[field] !== null && was[field] !== is[field]);
    return [{ model: model.id, before: was, after: is, differ }];
  });
}

function askedServer({ engines }: RunDoc, model: PlannedModel): AskedServer {
  const location = engines[model.id];
  const { name, version } = model.engine;
  const args = model.engine_args ?? [];
  return {
    ...placeOf(location),
    engine: version === null ? null : `${name} ${version}`,
    weights: 'weights' in model.identity ? model.identity.weights : null,
    dtype: model.dtype,
    batch_invariant: location?.kind === 'serve' ? args.includes(`${invariantMode.name}=${invariantMode.value}`) : null,
    concurrency: location?.concurrency ?? null,
  };
}

function placeOf(location: RunDoc['engines'][string] | undefined): Pick<AskedServer, 'address' | 'served'> {
  if (location === undefined) return { address: null, served: null };
  if (location.kind === 'url') return { address: location.url, served: location.served };
  if (location.kind === 'serve') return { address: `serve: ${location.order.model}`, served: location.served };
  return { address: `local: ${location.name}`, served: location.name };
}
