// Whose fault a failed request is: its item's, or the server's, which then concerns the whole shard.
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import type { RecordError } from '../../domain/records/record.ts';
import { RequestRefused } from '../inference/completion.ts';

/** `answers`: whether the server answers a plain question now. `lost`: nobody listens there any more; says what to throw. */
export type Asked = { answers(): Promise<boolean>; lost(failure: WorldProblem): WorldProblem };

/** What no item can be blamed for, whatever the server answers a moment later. */
const ofServer = new Set(['unreachable', 'overloaded', 'engine_gone']);

/** The item's own error, or the failure thrown on: a server that answers nobody is no item's fault. */
export async function itemError(server: Asked, failure: unknown): Promise<{ error: RecordError; requests: number }> {
  const given = (at: RequestRefused | WorldProblem) => ({
    error: { kind: at.kind, message: at.message },
    requests: at.requests,
  });
  if (failure instanceof RequestRefused) return given(failure);
  if (failure instanceof ConfigProblem || !(failure instanceof WorldProblem)) throw failure;
  const told = failure.kind === 'unreachable' ? server.lost(failure) : failure;
  if (ofServer.has(failure.kind) || !(await server.answers())) throw told;
  return given(failure);
}
