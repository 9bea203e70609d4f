// Whether the server at an address is still the one that the plan was made with.
import type { PlannedModel } from '../../domain/plan/plan.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { type ModelServer, RequestRefused } from './completion.ts';

/** A server that was away is looked at again before its answer counts. */
export function checked(model: PlannedModel, server: ModelServer): ModelServer {
  return {
    ...server,
    async complete(request, signal) {
      const completed = await server.complete(request, signal);
      if (completed.away) await checkServed(model, server);
      return completed;
    },
  };
}

/** @throws ConfigProblem  the model is not served there, or by another engine or with other weights than planned */
export async function checkServed(model: PlannedModel, server: ModelServer): Promise<void> {
  const { uturn, engine } = await server.describe();
  const [planned, running] = [model.engine, engine ?? model.engine].map(({ name, version }) => `${name} ${version}`);
  if (model.engine.version !== null && planned !== running) {
    throw new ConfigProblem(`${server.url} runs ${running}, and the plan of ${model.id} was made with ${planned}`, {
      advice: 'Serve it with the planned version, or make a new plan with `uturn run`: its results are kept apart.',
    });
  }
  const served = uturn?.weights;
  if (served === undefined || !('weights' in model.identity) || served === model.identity.weights) return;
  throw new ConfigProblem(`${server.url} serves other weights than the plan of ${model.id} was made with`, {
    advice: `Planned: ${model.identity.weights}; served: ${served}. Make a new plan with \`uturn run\`.`,
  });
}

/**
 * What a failure is where uturn itself serves the model: an engine that died leaves its port to anybody, and what another
 * server refuses there is no fault of the config or of the item. What our own says stands: its start was checked.
 */
export async function ownFailure(failure: unknown, model: PlannedModel, server: ModelServer): Promise<unknown> {
  if (!(failure instanceof ConfigProblem || failure instanceof RequestRefused)) return failure;
  const found = await checkServed(model, server).then(
    () => null,
    (problem: unknown) => problem,
  );
  if (found instanceof ConfigProblem || (found instanceof WorldProblem && found.kind === 'unreachable'))
    return new WorldProblem('engine_gone', `the engine of ${model.id} is gone: ${found.message}`, { cause: found });
  return found ?? failure;
}
