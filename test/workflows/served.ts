// Epochs of an engine as a stage plays them: up at once, until they are cancelled or a test ends them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { type EngineRef, type EngineUp, type EpochInput, engineNames } from '../../domain/plan/lease.ts';

export function engineRef(name: string): EngineRef {
  const order = {
    model: '/models/m',
    revision: null,
    weights: 'a'.repeat(64),
    dtype: 'float32',
    tensor_parallel: 1,
    max_model_len: null,
    adapters: [],
    mixes: true,
    args: [],
    version: '0.32.0',
  };
  return { id: `engine/${name}`, order };
}

/** `ends`: an epoch fails as soon as there is an error under its number. */
export function epochs(opts: { begin?(epoch: number): void } = {}) {
  const ends = new Map<number, Error>();
  const begun: number[] = [];
  const cancelled: number[] = [];
  const serve = async ({ id, epoch }: EpochInput): Promise<void> => {
    begun.push(epoch);
    opts.begin?.(epoch);
    const context = Context.current();
    const at = { address: `http://127.0.0.1:${9_000 + epoch}/v1`, version: '0.32.0', weights: 'a'.repeat(64) };
    const up: EngineUp = { epoch, ...at };
    await context.client.workflow.getHandle(id).signal(engineNames.up, up);
    for (;;) {
      context.heartbeat();
      const end = ends.get(epoch);
      if (end !== undefined) throw end;
      await sleep(100, undefined, { signal: context.cancellationSignal }).catch(() => cancelled.push(epoch));
      context.cancellationSignal.throwIfAborted();
    }
  };
  return { serve, begun, cancelled, end: (epoch: number, why: Error) => void ends.set(epoch, why) };
}
