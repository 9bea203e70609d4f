// What a run looks like right now: from its workflows where they answer, else from the store.
import { type Client, QueryNotRegisteredError, WorkflowNotFoundError } from '@temporalio/client';
import { type Live, type RunBudget, readBudget } from '../activities/run/budget.ts';
import { begunExecutions, endedExecutions, findRun, readEnding, readProgress } from '../activities/run/documents.ts';
import type { Store } from '../activities/store/store.ts';
import { type CampaignProgress, campaignId, names, type RunEnd } from '../domain/plan/boundary.ts';
import { type OpenWork, openWork, type StagesInFlight, together, type Waiting } from './open-work.ts';
import { failureIn } from './trouble.ts';
import { noneIsCurrent, noWorker } from './versions.ts';

/** `stopped`: not at work now and not ended; `resume` goes on. */
export type ViewState = 'running' | 'paused' | 'parked' | 'stopped' | RunEnd['state'];

export type RunView = {
  run: string;
  state: ViewState;
  campaigns: CampaignProgress[];
  /** Of shards that are open, by stage. */
  inFlight: StagesInFlight;
  waiting: Waiting[];
  end: RunEnd | null;
  /** Null where it has none. */
  budget: RunBudget | null;
  /** What ended its workflow before it could write how. */
  trouble: string | null;
};

/** `client` is null where no Temporal is up. */
export type Sources = { client: Client | null; store: Store };

/** One look at a run: `models` are its plan's. @throws  Temporal is away; without a client it never does */
export async function viewRun(sources: Sources, run: string, models: string[]): Promise<RunView> {
  const { client, store } = sources;
  // Before the store: a run that is seen closed has written its end by then.
  const status = client === null ? null : await statusOf(client, run);
  const saved = new Map((await readProgress(store, run)).map((word) => [word.model, word]));
  const end = await currentEnd(store, run);
  if (client === null || status !== 'RUNNING') {
    const campaigns = models.map((model) => saved.get(model) ?? nothingYet(model));
    const trouble = client === null || status === null || end !== null ? null : await failureIn(client, run);
    const budget = await budgetOf(store, run, new Map());
    return { run, state: end?.state ?? 'stopped', campaigns, inFlight: {}, waiting: [], end, budget, trouble };
  }
  const live = await Promise.all(models.map((model) => liveCampaign(client, run, model)));
  const campaigns = models.map((model, index) => live[index]?.progress ?? saved.get(model) ?? nothingYet(model));
  const work = await explained(client, together([await openWork(client, run), ...live.map((one) => one.work)]));
  const budget = await budgetOf(store, run, heard(live));
  return { run, state: openState(campaigns), campaigns, ...work, end: null, budget, trouble: null };
}

/** Where no worker takes it up though some poll, why they do not. */
async function explained(client: Client, work: OpenWork): Promise<OpenWork> {
  if (!work.waiting.some(({ why }) => why === noWorker)) return work;
  const why = await noneIsCurrent(client).catch(() => null);
  if (why === null) return work;
  return { ...work, waiting: work.waiting.map((one) => (one.why === noWorker ? { ...one, why } : one)) };
}

async function budgetOf(store: Store, run: string, live: Live): Promise<RunBudget | null> {
  const doc = await findRun(store, run);
  return doc === null ? null : readBudget(store, doc, live);
}

/** What the campaigns of an open run say; those that say nothing are not in it. */
export async function liveProgress(client: Client, run: string, models: string[]): Promise<Live> {
  if ((await statusOf(client, run)) !== 'RUNNING') return new Map();
  return heard(await Promise.all(models.map((model) => liveCampaign(client, run, model))));
}

function heard(live: LiveCampaign[]): Live {
  return new Map(live.flatMap(({ progress }) => (progress === null ? [] : [[progress.model, progress] as const])));
}

/** Whether a run begins nothing because its budget is used up, and not because of anybody. */
export function isHeldByBudget({ state, campaigns }: RunView): boolean {
  return (state === 'paused' || state === 'stopped') && campaigns.some(({ paused_by }) => paused_by === 'budget');
}

/** Temporal's status of a run's workflow, null where it knows none. */
export async function statusOf(client: Client, run: string): Promise<string | null> {
  try {
    return (await client.workflow.getHandle(run).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** How the run ended; null while an execution that was begun later has not. */
async function currentEnd(store: Store, run: string): Promise<RunEnd | null> {
  if ((await begunExecutions(store, run)) > (await endedExecutions(store, run))) return null;
  return (await readEnding(store, run))?.end ?? null;
}

type LiveCampaign = { progress: CampaignProgress | null; work: OpenWork };

async function liveCampaign(client: Client, run: string, model: string): Promise<LiveCampaign> {
  const id = campaignId(run, model);
  const ask = () => client.workflow.getHandle(id).query<CampaignProgress>(names.progress);
  const answer = await client.withDeadline(Date.now() + 3_000, ask).catch((error: unknown) => error);
  const work = await openWork(client, id);
  if (!(answer instanceof Error)) {
    const progress = answer as CampaignProgress;
    return { progress, work: together([work, await engineWork(client, progress)]) };
  }
  const early = answer instanceof WorkflowNotFoundError || answer instanceof QueryNotRegisteredError;
  return {
    progress: null,
    work: early ? work : { ...work, waiting: [...work.waiting, { why: 'no worker answers', tries: 0 }] },
  };
}

/** What a campaign waits for whose engine is not up. */
async function engineWork(client: Client, { engine }: CampaignProgress): Promise<OpenWork> {
  if (engine?.state !== 'starting') return { inFlight: {}, waiting: [] };
  const why = engine.after === null ? 'its engine is starting' : `its engine is starting again: ${engine.after}`;
  const epoch = engine.epoch === null ? [] : (await openWork(client, engine.epoch)).waiting;
  return { inFlight: {}, waiting: [{ why, tries: 0 }, ...epoch] };
}

function openState(campaigns: CampaignProgress[]): ViewState {
  const open = campaigns.filter((one) => one.state === 'running' || one.state === 'paused' || one.state === 'parked');
  if (open.some((one) => one.state === 'running')) return 'running';
  if (open.some((one) => one.state === 'paused')) return 'paused';
  return open.some((one) => one.state === 'parked') ? 'parked' : 'running';
}

function nothingYet(model: string): CampaignProgress {
  return { model, state: 'running', trees: { done: 0, total: 0 }, tally: {}, parked: [] };
}
