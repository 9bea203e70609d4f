// The one activity of a GPU worker: an engine's server, held from its start until nobody needs it.
import { Context } from '@temporalio/activity';
import { type EngineUp, type EpochInput, engineNames } from '../../domain/plan/lease.ts';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import type { Home } from '../../local/home.ts';
import { findVllm } from '../../local/vllm/environment.ts';
import { folderDigest, weightsOf } from './digest.ts';
import { openServer } from './server.ts';

/** `stopping`: aborted when this worker goes, after what it had in flight has ended. */
export type GpuDeps = { home: Home; env: NodeJS.ProcessEnv; stopping: AbortSignal; report(line: string): void };

export function gpuActivities(deps: GpuDeps) {
  return {
    /**
     * Serves one epoch of an engine: starts the server, tells the engine's workflow its address when it has completed a
     * request, and watches it. Only ever ends by throwing: cancelled, with the worker, or because the server died.
     * @throws ConfigProblem  another vLLM or other weights than planned
     * @throws WorldProblem   `engine_start`, `engine_died`, `draining`
     */
    async serveEngine({ id, epoch, order }: EpochInput): Promise<void> {
      const context = Context.current();
      const pulse = setInterval(() => context.heartbeat(), 2_000);
      const stopped = stoppedBy(context.cancellationSignal, deps.stopping);
      const say = (line: string) => deps.report(`${id}, epoch ${epoch}: ${line}`);
      try {
        const { python, version } = await findVllm(deps.env);
        checkVersion(order.version, version);
        await checkWeights({ id, epoch, order }, deps);
        say(`starting vLLM ${version} with ${order.model}`);
        await using server = disposable(await openServer({ name: id, order, python, signal: stopped.signal }, deps));
        checkVersion(order.version, server.version);
        const up: EngineUp = { epoch, address: server.address, version: server.version, weights: order.weights };
        await context.client.workflow.getHandle(id).signal(engineNames.up, up);
        say(`answers at ${server.address}`);
        await server.watch(stopped.signal);
      } finally {
        clearInterval(pulse);
        stopped.release();
        say('ended');
      }
    },
  };
}

export type GpuActivities = ReturnType<typeof gpuActivities>;

function checkVersion(planned: string, found: string): void {
  if (planned === found) return;
  throw new ConfigProblem(`this run was planned with vLLM ${planned}, and the one that would serve it is ${found}`, {
    advice: 'Install that one (UTURN_VLLM_PYTHON names the Python that has it), or make a new plan: uturn run.',
  });
}

async function checkWeights({ order }: EpochInput, deps: GpuDeps): Promise<void> {
  const wanted = [
    { path: order.model, weights: order.weights, found: await weightsOf(order, deps) },
    ...(await Promise.all(
      order.adapters.map(async ({ path, weights }) => ({ path, weights, found: await folderDigest(path, deps) })),
    )),
  ];
  for (const { path, weights, found } of wanted) {
    if (weights === found) continue;
    throw new ConfigProblem(`${path} holds other weights than this run was planned with`, {
      advice: `Planned: ${weights}; there: ${found}. Put them back, or make a new plan: uturn run.`,
    });
  }
}

/** One signal for both ends, each with its own reason. */
function stoppedBy(cancelled: AbortSignal, stopping: AbortSignal) {
  const stop = new AbortController();
  const onCancel = () => stop.abort(cancelled.reason);
  const onStop = () => stop.abort(new WorldProblem('draining', 'its worker is stopping'));
  if (cancelled.aborted) onCancel();
  if (stopping.aborted) onStop();
  cancelled.addEventListener('abort', onCancel);
  stopping.addEventListener('abort', onStop);
  return {
    signal: stop.signal,
    release: () => {
      cancelled.removeEventListener('abort', onCancel);
      stopping.removeEventListener('abort', onStop);
    },
  };
}

function disposable<T extends { stop(): Promise<void> }>(server: T): T & AsyncDisposable {
  return { ...server, [Symbol.asyncDispose]: () => server.stop() };
}
