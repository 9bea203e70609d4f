// A temperature sweep: every model's campaign side by side, then the tables.
import { CancellationScope, getExternalWorkflowHandle, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { RunActivities } from '../activities/run/run.ts';
import { campaignId, queues, type RunEnd, type RunInput } from '../domain/plan/boundary.ts';
import { showRun, showState } from './board.ts';
import { keepBudget } from './budget.ts';
import { campaignsOf } from './campaigns.ts';
import { pause, resume } from './control.ts';
import { configProblem, worldProblem } from './failures.ts';
import { holdModels } from './held.ts';
import { keepSpeed } from './speed.ts';

const run = proxyActivities<RunActivities>({ taskQueue: queues.control, startToCloseTimeout: '10 minutes' });
/** Reads all that the run has made. */
const closing = proxyActivities<RunActivities>({
  taskQueue: queues.control,
  startToCloseTimeout: '4 hours',
  heartbeatTimeout: '1 minute',
});

/** Never continues as new: its campaigns do, and tell it only how they ended. */
export async function sweep(input: RunInput): Promise<RunEnd> {
  const children: string[] = [];
  const seen = { paused: false, used_up: false, models: [] as string[], ended: 0 };
  const show = () => showRun(input, seen);
  const idOf = (model: string) => campaignId(input.run, model);
  const held = holdModels();
  held.listen((signal, models) => {
    seen.paused = held.arePaused(seen.models);
    const meant = models?.map(idOf) ?? children;
    tell(
      children.filter((id) => meant.includes(id)),
      signal,
    );
    show();
  });
  const speed = keepSpeed(input);

  const opened = await run.openRun(input);
  seen.models = opened.campaigns.map(({ model }) => model);
  seen.paused = held.arePaused(seen.models);
  const begunPaused = seen.models.filter(held.isPaused);
  const budget = keepBudget(input, opened, (usedUp) => {
    seen.used_up = usedUp;
    show();
  });
  show();
  const campaigns = campaignsOf(input, { opened, budget, held, speed });
  const handles = await Promise.all(opened.campaigns.map(campaigns.begin));
  children.push(...handles.map((handle) => handle.workflowId));
  for (const model of seen.models) {
    const paused = held.isPaused(model);
    if (paused !== begunPaused.includes(model)) tell([idOf(model)], paused ? 'pause' : 'resume');
  }

  const ends = await campaigns.follow(handles, (open) => {
    seen.ended = opened.campaigns.length - open;
    show();
  });
  await speed.saved();
  await budget.saved();
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const cancelled = failures.find(isCancellation);
  const problems = failures
    .filter((failure) => !isCancellation(failure))
    .map((failure) => configProblem(failure) ?? worldProblem(failure));

  const end = await CancellationScope.nonCancellable(() =>
    closing.closeRun({ ...input, ...budget.hours(), problems, cancelled: cancelled !== undefined }),
  );
  showState(input, end.state);
  if (cancelled !== undefined) throw cancelled;
  return end;
}

/** A campaign that has ended cannot hear it, and need not. */
function tell(campaigns: string[], signal: 'pause' | 'resume'): void {
  const signals = { pause, resume };
  for (const id of campaigns)
    void getExternalWorkflowHandle(id)
      .signal(signals[signal])
      .catch(() => undefined);
}
