// A campaign's side of an engine: acquired when a shard first needs it, waited for when it is gone, given back at the end.
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { EngineActivities } from '../activities/engine/lease.ts';
import { type CampaignInput, queues } from '../domain/plan/boundary.ts';
import { type EngineAddress, type EngineRef, type EngineState, epochId } from '../domain/plan/lease.ts';
import { gone, release, word } from './engine.ts';
import { engineGone } from './failures.ts';
import type { RunNode } from './nodes.ts';

/** A shard under which that many servers died is set aside: it may be what kills them. */
const mostLost = 5;
/** After that long without a word the engine is asked for again. */
const askAgain = '10 minutes';

const control = proxyActivities<EngineActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

export type Holding = {
  /** Runs a node against the engine. While there is none, it waits; that costs nothing of the node's patience. */
  through(run: RunNode): RunNode;
  /** What to carry over to the next execution. */
  carried(): EngineAddress | null | undefined;
  /** For those who watch; null where no engine is needed, or not yet. */
  state(): EngineState | null;
  /** Gives it back; a shard that needs it later acquires it again. */
  release(): Promise<void>;
};

/** `used` hears whether the engine is up for this campaign, when that changes. */
export function holdEngine(
  { engine, carried }: Pick<CampaignInput, 'engine' | 'carried'>,
  used: (now: 'up' | 'away') => void,
): Holding {
  const me = workflowInfo().workflowId;
  let at = carried.engine;
  const move = (to: typeof at) => {
    const [was, is] = [Boolean(at), Boolean(to)];
    at = to;
    if (was !== is) used(is ? 'up' : 'away');
  };
  let refused: string | null = null;
  let seen: EngineState = { state: 'starting', epoch: null, after: null };
  const asked = { once: false, waiting: false };

  setHandler(word, (said) => {
    if (said.state === 'refused') refused = said.problem;
    else if (at !== undefined) move(said.state === 'up' ? { epoch: said.epoch, address: said.address } : null);
    if (engine === undefined || said.state === 'refused') return;
    seen = {
      state: said.state,
      epoch: epochId(engine.id, said.epoch),
      after: said.state === 'starting' ? said.after : null,
    };
  });

  const acquire = async (ref: EngineRef) => {
    asked.once = true;
    at ??= null;
    await control.acquireEngine({ ...ref, holder: me });
  };

  /** Where it answers now, once that is another place than `lost`. */
  const next = async (ref: EngineRef, lost: EngineAddress | null): Promise<EngineAddress> => {
    if (lost !== null && at?.epoch === lost.epoch) {
      move(null);
      await getExternalWorkflowHandle(ref.id)
        .signal(gone, lost.epoch)
        .catch(() => acquire(ref));
    }
    if (!asked.once) await acquire(ref);
    const first = !asked.waiting;
    asked.waiting = true;
    while (!at && refused === null) {
      const heard = () => Boolean(at) || refused !== null;
      if (!first) await condition(heard);
      else if (!(await condition(heard, askAgain))) await acquire(ref);
    }
    if (first) asked.waiting = false;
    if (refused !== null)
      throw ApplicationFailure.create({ message: refused, type: 'ConfigProblem', nonRetryable: true });
    return at ?? next(ref, lost);
  };

  return {
    through: (run) => async (ref) => {
      if (engine === undefined) return run(ref);
      let here = at ?? null;
      for (let lost = 0; ; lost += here === null ? 0 : 1) {
        try {
          return await run(here === null ? ref : { ...ref, engine: here });
        } catch (failure) {
          if (!engineGone(failure) || lost >= mostLost) throw failure;
          here = await next(engine, here);
        }
      }
    },
    carried: () => at,
    state: () => (engine === undefined || at === undefined ? null : seen),
    release: async () => {
      if (engine === undefined || at === undefined) return;
      move(undefined);
      asked.once = false;
      const lease = getExternalWorkflowHandle(engine.id);
      await CancellationScope.nonCancellable(() => lease.signal(release, me)).catch(() => undefined);
    },
  };
}
