// What a run looks like right now: from its workflows where they answer, else from the store.
import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { readEnding, readPins } from '../activities/run/documents.ts';
import type { Store } from '../activities/store/store.ts';
import { type CampaignProgress, campaignId, names, type RunEnd } from '../domain/plan/boundary.ts';

/** `lost`: neither Temporal nor the store says how it ended; `resume` goes on. */
export type ViewState = 'running' | 'paused' | 'parked' | 'lost' | RunEnd['state'];

/** Records finished inside shards that are still open. */
export type InFlight = { done: number; total: number; tokens: number };

export type RunView = { run: string; state: ViewState; campaigns: CampaignProgress[]; inFlight: InFlight; retrying: string[]; end: RunEnd | null };

type Sources = { client: Client | null; store: Store };

/** One look at a run. Never throws because a server is away: then the store's last word is shown. */
export async function viewRun(sources: Sources, run: string, models: string[]): Promise<RunView> {
  const saved = await readPins(sources.store, run);
  const ending = await readEnding(sources.store, run);
  const status = sources.client === null ? null : await statusOf(sources.client, run);
  const open = status === 'RUNNING';
  const live = open && sources.client !== null ? await Promise.all(models.map((model) => liveCampaign(sources.client as Client, run, model))) : [];
  const campaigns = models.map(
    (model, index) => live[index]?.progress ?? saved.progress.get(model) ?? { model, state: 'running' as const, trees: { done: 0, total: 0 }, tally: {}, parked: [] },
  );
  return {
    run,
    campaigns,
    state: open ? openState(campaigns) : (ending?.end.state ?? 'lost'),
    inFlight: addUp(live.map((one) => one.inFlight)),
    retrying: live.flatMap((one) => one.retrying),
    end: open ? null : (ending?.end ?? null),
  };
}

/** Temporal's status of a run's workflow, null where it knows none or does not answer. */
export async function statusOf(client: Client, run: string): Promise<string | null> {
  try {
    return (await client.workflow.getHandle(run).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

type Live = { progress: CampaignProgress | null; inFlight: InFlight; retrying: string[] };

async function liveCampaign(client: Client, run: string, model: string): Promise<Live> {
  const handle = client.workflow.getHandle(campaignId(run, model));
  const progress = await client.withDeadline(Date.now() + 3_000, () => handle.query<CampaignProgress>(names.progress)).catch(() => null);
  return { progress, ...(await openShards(handle)) };
}

async function openShards(handle: WorkflowHandle): Promise<Omit<Live, 'progress'>> {
  const description = await handle.describe().catch(() => null);
  const pending = description?.raw.pendingActivities ?? [];
  const inFlight = addUp(
    pending.map((activity) => {
      const payload = activity.heartbeatDetails?.payloads?.[0];
      return payload ? defaultPayloadConverter.fromPayload<InFlight>(payload) : { done: 0, total: 0, tokens: 0 };
    }),
  );
  const retrying = pending.flatMap((activity) => {
    const why = activity.lastFailure?.message;
    return why && (activity.attempt ?? 1) > 1 ? [why] : [];
  });
  return { inFlight, retrying };
}

function openState(campaigns: CampaignProgress[]): ViewState {
  const open = campaigns.filter((one) => one.state === 'running' || one.state === 'paused' || one.state === 'parked');
  if (open.some((one) => one.state === 'running')) return 'running';
  if (open.some((one) => one.state === 'paused')) return 'paused';
  return open.some((one) => one.state === 'parked') ? 'parked' : 'running';
}

function addUp(parts: InFlight[]): InFlight {
  return parts.reduce(
    (sum, part) => ({ done: sum.done + part.done, total: sum.total + part.total, tokens: sum.tokens + part.tokens }),
    { done: 0, total: 0, tokens: 0 },
  );
}
