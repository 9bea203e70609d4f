// Opening and closing a run, and pinning what its campaigns finished.

import { blockSize } from '../../domain/plan/blocks.ts';
import {
  campaignId,
  type OpenedRun,
  type PinBatch,
  type ReopenedCampaign,
  type RunEnd,
  type RunInput,
  type Spending,
} from '../../domain/plan/boundary.ts';
import { type Budget, limited } from '../../domain/plan/budget.ts';
import type { Concurrency } from '../../domain/plan/concurrency.ts';
import { type Group, woven } from '../../domain/plan/graph.ts';
import { lanesFor } from '../../domain/plan/lanes.ts';
import { outline } from '../../domain/plan/outline.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Summary } from '../../domain/summary.ts';
import { getPlan } from '../store/plans.ts';
import { latest, putVersion } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { beating } from './beating.ts';
import { campaignPrices, readLimits, saveLimits, spentBefore } from './budget.ts';
import { readConcurrency, saveConcurrency } from './concurrency.ts';
import { pinsName, readRun } from './documents.ts';
import { workflowsOf } from './histories.ts';
import type { KeepHistories } from './kept.ts';
import { begin } from './lost.ts';
import { pinBatch } from './shapes.ts';

/** Events after which a campaign continues as new: well under what a worker replays in a moment. */
const historyLimit = 1_500;

export type Summarise = (store: Store, run: string) => Promise<Summary>;

export type RunDeps = { store: Store; summarise: Summarise; keep: KeepHistories };

export function runActivities({ store, summarise, keep }: RunDeps) {
  return {
    /** The campaigns of a stored run. That this execution has begun is written down: until it ends, an earlier end is out of date. */
    async openRun({ run, execution, budget }: RunInput): Promise<OpenedRun> {
      const doc = await readRun(store, run);
      const limits = { ...(await readLimits(store, doc)), ...budget };
      const plan = await getPlan(store, doc.plan);
      const outlined = outline(plan, doc);
      const look = limited(limits).length > 0 ? 'at earlier ones' : 'at nothing';
      await begin(store, { run, execution, campaigns: outlined, look });
      await saveLimits(store, doc, limits);
      const before = await spentBefore(store, doc, execution);
      // The last execution may have ended without a word: terminated, say.
      if (execution > 1) await keep(run, workflowsOf(doc, plan), 'closed');
      const lanes = lanesOf(plan, await readConcurrency(store, doc));
      const campaigns = outlined.map((campaign) => ({
        model: campaign.model,
        ...engineOf(doc, campaign.model),
        spending: { prices: campaignPrices(doc, campaign.model), expected: expectedOf(plan) },
        pace: { lanes: lanes[campaign.model] ?? 1, attempts: doc.attempts, events: historyLimit },
      }));
      return { plan: doc.plan, campaigns, budget: { limits, before } };
    },

    /** What one campaign has to do: keys and counts, a few hundred bytes a group. */
    async openCampaign({ run, model }: { run: string; model: string }): Promise<Group[]> {
      const doc = await readRun(store, run);
      const plan = await getPlan(store, doc.plan);
      const campaigns = outline(plan, doc);
      // This may be the next after many: those before it are closed now, and will be forgotten before the run ends.
      await keep(run, { ...workflowsOf(doc, plan), workflows: [campaignId(run, model)], engines: [] }, 'closed');
      const groups = campaigns.find((campaign) => campaign.model === model)?.groups;
      if (groups === undefined) throw new ConfigProblem(`run ${run} has no model ${model}`);
      return woven(groups);
    },

    /** Writes one batch of finished nodes and the campaign's progress; the same batch again changes nothing. */
    async savePins(batch: PinBatch): Promise<void> {
      await putVersion(store, batch.run, { name: pinsName(batch.execution, batch.model), n: batch.n, value: batch });
    },

    /** Writes down limits that somebody set while the run was open. */
    async saveBudget({ run, budget }: { run: string; budget: Budget }): Promise<void> {
      await saveLimits(store, await readRun(store, run), budget);
    },

    /** Writes down how many requests may be in flight from now on. Returns the lanes that each campaign has with that. */
    async setConcurrency({ run, word }: { run: string; word: Concurrency }): Promise<Record<string, number>> {
      const doc = await readRun(store, run);
      await saveConcurrency(store, run, word);
      return lanesOf(await getPlan(store, doc.plan), await readConcurrency(store, doc));
    },

    /** What a campaign goes on from that has ended within this execution: its next batch, and what its engine took. */
    async reopenCampaign(at: { run: string; execution: number; model: string }): Promise<ReopenedCampaign> {
      const last = await latest(store, { run: at.run, name: pinsName(at.execution, at.model) }, pinBatch);
      const hours = last?.value.progress.gpu_hours;
      return { pins: (last?.n ?? -1) + 1, ...(hours !== undefined && { gpu_hours: hours }) };
    },

    /** Makes the summary from pinned records and says how the run ended. What its workflows did is kept, but for the very end of its own. */
    async closeRun(input: RunInput & { problems: string[]; cancelled: boolean; gpu_hours?: number }): Promise<RunEnd> {
      const summary = await beating(() => summarise(store, input.run));
      const doc = await readRun(store, input.run);
      const of = workflowsOf(doc, await getPlan(store, doc.plan));
      await beating(() => keep(input.run, of, 'all'));
      const pending = summary.cells.some((cell) => cell.state === 'pending');
      const failed = input.problems.length > 0 || summary.cells.some((cell) => cell.state === 'failed');
      const end: RunEnd = {
        run: input.run,
        state: input.cancelled ? 'cancelled' : failed ? 'failed' : pending ? 'incomplete' : 'complete',
        problems: input.problems,
        samples: summary.samples,
        errors: summary.totals.errors,
        ...(input.gpu_hours !== undefined && { gpu_hours: input.gpu_hours }),
      };
      await putVersion(store, input.run, { name: 'ends', n: input.execution, value: { end, summary } });
      return end;
    },
  };
}

export type RunActivities = ReturnType<typeof runActivities>;

function engineOf({ engines }: RunDoc, model: string): Pick<OpenedRun['campaigns'][number], 'engine'> {
  const location = engines[model];
  return location?.kind === 'serve' ? { engine: { id: location.id, order: location.order } } : {};
}

function lanesOf({ data }: Plan, { models, judge = 0 }: Concurrency): Record<string, number> {
  const block = Math.max(...data.map(({ count }) => blockSize(count)));
  const lanes = Object.entries(models).map(
    ([model, concurrency]) => [model, lanesFor({ concurrency, judging: judge, block })] as const,
  );
  return Object.fromEntries(lanes);
}

/** Until a stage has taken some, a turn is taken for half of its limit. */
function expectedOf({ max_tokens }: Plan): Spending['expected'] {
  const half = (limit: number) => ({ prompt: 0, completion: limit / 2 });
  return { assistant_turn: half(max_tokens.assistant), user_turn: half(max_tokens.user) };
}
