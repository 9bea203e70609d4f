// How to reach a Temporal: options that both the client's and the worker's connection take.
import {
  Client,
  Connection,
  type ConnectionOptions,
  isGrpcServiceError,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { ConfigProblem, WorldProblem } from '../domain/problems.ts';
import { accepts } from './ports.ts';

/** For `Connection.connect` and for `NativeConnection.connect`, which does not look at `channelArgs`. */
export type ConnectOptions = { address: string } & Pick<NativeConnectionOptions, 'tls' | 'apiKey' | 'metadata'> &
  Pick<ConnectionOptions, 'channelArgs'>;

export type Temporal = {
  /** `local`: started by uturn for this home. `external`: somebody else's, never started or stopped. */
  kind: 'local' | 'external';
  address: string;
  namespace: string;
  /** Address of the web page, where there is one that we know of. */
  ui: string | null;
  connectOptions: ConnectOptions;
};

export type ClientOptions = { timeoutMs?: number; interceptors?: WorkflowClientInterceptor[] };

export type ConnectedTemporal = { client: Client; connection: Connection; close(): Promise<void> };

/**
 * A client of this Temporal, once it has answered; workers take `where.connectOptions` and `where.namespace` themselves.
 * @throws WorldProblem `unreachable`
 * @throws ConfigProblem  it refuses the key, or has no such namespace
 */
export async function connectTemporal(where: Temporal, opts: ClientOptions = {}): Promise<ConnectedTemporal> {
  const timeoutMs = opts.timeoutMs ?? 10_000;
  const connection = Connection.lazy({ ...where.connectOptions, connectTimeout: timeoutMs });
  try {
    await connection.ensureConnected();
    await describeNamespace(connection, where.namespace, timeoutMs);
  } catch (cause) {
    await connection.close();
    const problem = explain(cause, where);
    if (problem) throw problem;
  }
  const interceptors = { workflow: opts.interceptors ?? [] };
  const client = new Client({ connection, namespace: where.namespace, interceptors });
  return { client, connection, close: () => connection.close() };
}

/** Options of a server on this machine. Without the last one gRPC would ask the proxy of `http_proxy` for 127.0.0.1. */
export function localConnectOptions(address: string): ConnectOptions {
  return { address, channelArgs: { 'grpc.enable_http_proxy': 0, 'grpc.use_local_subchannel_pool': 1 } };
}

/** Whether a local Temporal answers a real request for its namespace. */
export async function answers(address: string, namespace: string): Promise<boolean> {
  // gRPC itself waits a second before it tries a refused port again.
  if (!(await accepts(address, 1_000))) return false;
  const connection = Connection.lazy({ ...localConnectOptions(address), connectTimeout: 2_000 });
  try {
    await connection.ensureConnected();
    await describeNamespace(connection, namespace, 2_000);
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

async function describeNamespace(connection: Connection, namespace: string, ms: number): Promise<void> {
  await connection.withDeadline(Date.now() + ms, () => connection.workflowService.describeNamespace({ namespace }));
}

const GRPC = { notFound: 5, permissionDenied: 7, unauthenticated: 16 };

/** Null where a key may not describe its namespace: it may well be allowed to start workflows in it. */
function explain(cause: unknown, where: Temporal): Error | null {
  const inner = cause instanceof Error && isGrpcServiceError(cause.cause) ? cause.cause : cause;
  const code = isGrpcServiceError(inner) ? inner.code : null;
  if (code === GRPC.permissionDenied) return null;
  if (code === GRPC.unauthenticated) {
    return new ConfigProblem(`Temporal at ${where.address} refuses the key.`, {
      advice: 'Check TEMPORAL_API_KEY, or the api_key and tls settings of the profile.',
      cause,
    });
  }
  if (code === GRPC.notFound) {
    return new ConfigProblem(`Temporal at ${where.address} has no namespace ${JSON.stringify(where.namespace)}.`, {
      advice: 'Set TEMPORAL_NAMESPACE (or `namespace` in the profile) to one it has.',
      cause,
    });
  }
  const why = inner instanceof Error ? inner.message : String(inner);
  return new WorldProblem('unreachable', `Temporal at ${where.address} does not answer: ${why}`, { cause });
}
