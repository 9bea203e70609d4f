// From where a model is to a server that answers: an address as given, or our own local server brought up.
import type { ReachableLocation } from '../../domain/plan/run-doc.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Home } from '../../local/home.ts';
import { resolveLocalModel } from '../../local/llama/models.ts';
import { answers, llamaCommand } from '../../local/llama/start.ts';
import { freePort, splitAddress } from '../../local/ports.ts';
import { ensureService } from '../../local/services.ts';
import type { Metrics } from '../metrics.ts';
import { modelServer } from './client.ts';
import type { ModelServer } from './completion.ts';
import type { Room } from './room.ts';

export type ReachDeps = { home: Home; report(line: string): void; metrics?: Metrics };

/**
 * A client for the model's server. A local one is started, or joined where it runs already.
 * @throws ConfigProblem  the key's variable is not set, or the local model cannot be installed
 */
export async function reachModel(location: ReachableLocation, deps: ReachDeps, room?: Room): Promise<ModelServer> {
  const url = location.kind === 'url' ? location.url : await localAddress(location, deps);
  return modelServer({
    url,
    model: location.kind === 'url' ? location.served : location.name,
    apiKey: location.kind === 'url' ? keyFrom(location.api_key_env) : null,
    timeoutMs: location.timeout_s * 1_000,
    ...(room !== undefined && { room }),
    metrics: deps.metrics,
    random: Math.random,
  });
}

async function localAddress(location: ReachableLocation & { kind: 'local' }, deps: ReachDeps): Promise<string> {
  const { name, file } = await resolveLocalModel(location.file ?? location.name, {
    baseDir: process.cwd(),
    report: deps.report,
  });
  const service = await ensureService(deps.home, `model-${location.name}`, {
    keep: 'run',
    report: deps.report,
    startMs: 120_000,
    healthy: ({ address }) => answers(`http://${address}`, 30_000),
    suits: ({ extra }) => extra['file'] === file,
    start: async (previous) => {
      const port = await freePort(previous && splitAddress(previous.address).port);
      return { ...llamaCommand({ file, name, port }), address: `127.0.0.1:${port}`, extra: { file } };
    },
  });
  return `http://${service.address}/v1`;
}

/** A key out of the environment. @throws ConfigProblem  the variable is not set here */
export function keyFrom(variable: string | null): string | null {
  if (variable === null) return null;
  const key = process.env[variable];
  if (key) return key;
  throw new ConfigProblem(`the environment variable ${variable}, which holds the model server's key, is not set here`, {
    advice: `Set it where the worker is started: export ${variable}=…, then \`uturn down\` and run again.`,
  });
}
