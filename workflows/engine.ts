// An engine: who needs it now, and one epoch of its server after another for as long as somebody does.
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { EngineActivities } from '../activities/engine/lease.ts';
import { queues } from '../domain/plan/boundary.ts';
import {
  type EngineUp,
  type EngineWord,
  type EpochEnd,
  engineNames,
  epochId,
  type Lease,
} from '../domain/plan/lease.ts';
import type { epoch } from './epoch.ts';

export const acquire = defineSignal<[string]>(engineNames.acquire);
export const release = defineSignal<[string]>(engineNames.release);
export const gone = defineSignal<[number]>(engineNames.gone);
export const up = defineSignal<[EngineUp]>(engineNames.up);
export const ended = defineSignal<[EpochEnd]>(engineNames.ended);
export const word = defineSignal<[EngineWord]>(engineNames.word);
export const leaseNow = defineQuery<Lease>(engineNames.lease);

/** A server that was up before and then fails to start is the world's trouble, but not for ever. */
const mostFailures = 5;

const control = proxyActivities<EngineActivities>({ taskQueue: queues.control, startToCloseTimeout: '1 minute' });

/** Ends when nobody holds it and its server is gone. */
export async function engine(input: Lease): Promise<void> {
  const lease: Lease = { ...input, holders: [...input.holders] };
  listen(lease);
  try {
    await serve(lease);
  } catch (failure) {
    // Whoever still needs it will ask again.
    if (isCancellation(failure) && lease.open) await cancelEpoch(lease);
    throw failure;
  }
}

async function serve(lease: Lease): Promise<void> {
  while (lease.holders.length > 0 || lease.open) {
    if (workflowInfo().historyLength >= lease.pace.events) return continueAsNew<typeof engine>(lease);
    if (lease.open && lease.holders.length === 0) await endEpoch(lease);
    else if (lease.open) await watch(lease);
    else if (lease.refused !== null) await look(lease, () => lease.holders.length === 0);
    else await beginEpoch(lease);
  }
}

/** Keeps the lease as it is told. */
function listen(lease: Lease): void {
  setHandler(leaseNow, () => lease);
  setHandler(acquire, (holder) => {
    if (!lease.holders.includes(holder)) lease.holders.push(holder);
    // Word of whether it is still there follows.
    if (!lease.doubted) tell(lease, [holder]);
  });
  setHandler(release, (holder) => drop(lease, [holder]));
  setHandler(gone, (epoch) => {
    if (epoch === lease.epoch && lease.address !== null) lease.doubted = true;
  });
  setHandler(up, ({ epoch, address }) => {
    if (epoch !== lease.epoch || !lease.open) return;
    Object.assign(lease, { address, failures: 0, proven: true });
    tell(lease, lease.holders);
  });
  setHandler(ended, (end) => {
    if (end.epoch === lease.epoch && lease.open) close(lease, end.problem);
  });
}

/** Tells holders how the engine stands. One that has ended hears nothing any more, and holds nothing. */
function tell(lease: Lease, holders: string[]): void {
  const { epoch, address, refused, trouble } = lease;
  const said: EngineWord =
    refused !== null
      ? { state: 'refused', problem: refused }
      : address === null
        ? { state: 'starting', epoch, after: trouble }
        : { state: 'up', epoch, address };
  for (const holder of holders)
    void getExternalWorkflowHandle(holder)
      .signal(word, said)
      .catch(() => drop(lease, [holder]));
}

function drop(lease: Lease, holders: string[]): void {
  lease.holders = lease.holders.filter((one) => !holders.includes(one));
}

/** An epoch is over. A server that never came up is for somebody to mend; one that did is started again. */
function close(lease: Lease, problem: EpochEnd['problem']): void {
  const wasUp = lease.address !== null;
  lease.open = false;
  lease.address = null;
  lease.doubted = false;
  lease.failures = wasUp || problem === null ? 0 : lease.failures + 1;
  lease.trouble = problem?.message.slice(0, 200) ?? null;
  const hopeless = problem?.kind === 'start' && (!lease.proven || lease.failures >= mostFailures);
  if (problem !== null && (problem.kind === 'config' || hopeless)) lease.refused = problem.message;
  tell(lease, lease.holders);
}

/** Starts the next epoch, at once or after a growing wait. It outlives this execution of the lease. */
async function beginEpoch(lease: Lease): Promise<void> {
  const seconds = lease.failures === 0 ? 0 : Math.min(60, 5 * 2 ** (lease.failures - 1));
  if (seconds > 0 && (await condition(() => lease.holders.length === 0, `${seconds} seconds`))) return;
  lease.epoch += 1;
  lease.open = true;
  const { id, order, epoch: number } = lease;
  try {
    await startChild<typeof epoch>('epoch', {
      workflowId: epochId(id, number),
      args: [{ id, order, epoch: number }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    tell(lease, lease.holders);
  } catch {
    // One of an earlier lease that was lost: it has to go first.
    await cancelEpoch(lease);
    close(lease, { kind: 'world', message: 'an earlier server of this engine is still ending' });
  }
}

async function endEpoch(lease: Lease): Promise<void> {
  await cancelEpoch(lease);
  await look(lease, () => !lease.open);
}

function cancelEpoch({ id, epoch }: Lease): Promise<void> {
  const handle = getExternalWorkflowHandle(epochId(id, epoch));
  return CancellationScope.nonCancellable(() => handle.cancel()).catch(() => undefined);
}

async function watch(lease: Lease): Promise<void> {
  await look(lease, () => !lease.open || lease.holders.length === 0 || lease.doubted);
  if (!lease.doubted || lease.holders.length === 0) return;
  // Word of its end is most likely under way. If it is not, whoever could not reach the server may try again.
  if (await condition(() => !lease.open, '10 seconds')) return;
  await lookNow(lease);
  lease.doubted = false;
  if (lease.open) tell(lease, lease.holders);
}

/** Waits until `there`, and looks now and then for what nobody told: a holder that was terminated, a lost epoch. */
async function look(lease: Lease, there: () => boolean): Promise<void> {
  if (!(await condition(there, `${lease.pace.look} seconds`))) await lookNow(lease);
}

async function lookNow(lease: Lease): Promise<void> {
  const { id, epoch, open } = lease;
  const asked = [...lease.holders];
  const seen = await control.lookAtEngine({ holders: asked, epoch: epochId(id, epoch) });
  drop(
    lease,
    asked.filter((holder) => !seen.holders.includes(holder)),
  );
  if (open && !seen.open && lease.open && lease.epoch === epoch)
    close(lease, { kind: 'world', message: 'its server ended unseen' });
}
