// What the environment says about watching workers: logs, metrics, traces.
import { ConfigProblem } from '../domain/problems.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;
const formats = ['text', 'json'] as const;

export type LogLevel = (typeof levels)[number];
export type LogSettings = { level: LogLevel; format: (typeof formats)[number] };

/** `UTURN_LOG` and `UTURN_LOG_FORMAT`. @throws ConfigProblem  they say something else */
export function logSettings(env: NodeJS.ProcessEnv): LogSettings {
  return {
    level: oneOf(env, 'UTURN_LOG', levels) ?? 'info',
    format: oneOf(env, 'UTURN_LOG_FORMAT', formats) ?? 'text',
  };
}

/**
 * `host:port` at which a worker shows its metrics, null for nowhere. `UTURN_METRICS` is that, or a port on this machine alone.
 * @throws ConfigProblem  it is neither
 */
export function metricsAddress(env: NodeJS.ProcessEnv): string | null {
  const given = env['UTURN_METRICS'];
  if (!given) return null;
  const [, host, port] = /^(?:([\w.-]+|\[[0-9a-fA-F:]+\])?:)?(\d{1,5})$/.exec(given) ?? [];
  if (port !== undefined && Number(port) >= 1 && Number(port) <= 65_535) return `${host ?? '127.0.0.1'}:${port}`;
  throw new ConfigProblem(`UTURN_METRICS is ${JSON.stringify(given)}, which is no address to listen at`, {
    advice: 'Give a port of this machine, such as 9464, or an address and a port, such as 10.0.0.7:9464.',
  });
}

/** Address that traces are sent to, null where none are made. The variables are OpenTelemetry's own, as are all others about it. */
export function tracesEndpoint(env: NodeJS.ProcessEnv): string | null {
  return env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'] || null;
}

function oneOf<T extends string>(env: NodeJS.ProcessEnv, name: string, allowed: readonly T[]): T | null {
  const given = env[name];
  if (!given) return null;
  const found = allowed.find((one) => one === given.toLowerCase());
  if (found !== undefined) return found;
  throw new ConfigProblem(`${name} is ${JSON.stringify(given)}`, { advice: `Give one of ${allowed.join(', ')}.` });
}
