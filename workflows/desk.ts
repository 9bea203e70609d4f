// What a campaign has before it: trees to do, trees that wait, counts, and finished nodes not yet in the store.
import type { CampaignInput, CampaignProgress, Parked, PinBatch, ShardCounts } from '../domain/plan/boundary.ts';
import { type Group, type Pin, type Tree, treeAt, treeCount } from '../domain/plan/graph.ts';
import type { EngineState } from '../domain/plan/lease.ts';
import type { Stage } from '../domain/records/record.ts';
import type { Control } from './control.ts';
import { addCounts } from './tree.ts';

/** `counted`: keys of the nodes whose counts are in the tally already, from an attempt that was parked. */
export type Work = Pick<Parked, 'tree' | 'counted'>;

type DeskOptions = {
  control: Control;
  /** Whether the run's budget holds it. */
  isShut(): boolean;
  groups: Group[];
  engine(): EngineState | null;
  hours(): Pick<CampaignProgress, 'gpu_hours'>;
  save(batch: PinBatch): Promise<void>;
};

export function openDesk(input: CampaignInput, { control, isShut, groups, engine, hours, save }: DeskOptions) {
  const carried = {
    ...input.carried,
    tally: { ...input.carried.tally },
    parked: [...input.carried.parked],
    again: [...input.carried.again],
  };
  const total = treeCount(groups);
  const waiting: Pin[] = [];
  let ended: 'complete' | 'cancelled' | 'failed' | null = null;

  let resting = false;

  const progress = (): CampaignProgress => ({
    model: input.model,
    state: ended ?? (control.paused ? 'paused' : resting ? 'parked' : isShut() ? 'paused' : 'running'),
    trees: { done: carried.trees, total },
    tally: carried.tally,
    parked: carried.parked.map(({ tree, reason }) => ({ tree, reason })),
    ...(ended === null && !resting && isShut() && { paused_by: 'budget' as const }),
    ...engineIn(engine()),
    ...hours(),
  });

  /** Hands finished nodes and the progress to the store, as one numbered batch. */
  const flush = async () => {
    const n = carried.pins;
    carried.pins += 1;
    const pins = waiting.splice(0);
    await save({ run: input.run, execution: input.execution, model: input.model, n, pins, progress: progress() });
  };

  return {
    carried,
    progress,
    flush,
    pins: () => waiting.length,
    parked: () => carried.parked.length,
    unfinished: () => carried.trees < total,

    groupOf(tree: Tree): Group {
      const group = groups[tree.group];
      if (group === undefined) throw new RangeError(`no group ${tree.group}`);
      return group;
    },

    /** The next tree: what was taken back first, then the plan's order. */
    next(): Work | null {
      const again = carried.again.shift();
      if (again !== undefined) return again;
      const tree = treeAt(groups, carried.position);
      if (tree === null) return null;
      carried.position += 1;
      return { tree, counted: [] };
    },

    /** A finished node: its part is pinned; its counts are added once, however often its tree is taken up. */
    pin(work: Work, pin: Pin, counts: { stage: Stage; counts: ShardCounts }): void {
      waiting.push(pin);
      if (work.counted.includes(pin.key)) return;
      work.counted.push(pin.key);
      addCounts(carried.tally, counts);
    },

    done(): void {
      carried.trees += 1;
    },
    park(work: Work, reason: string): void {
      carried.parked.push({ ...work, reason });
    },

    /** Waits as `until` says, and takes back what is parked. */
    async rest(until: () => Promise<void>): Promise<void> {
      resting = true;
      await flush();
      await until();
      resting = false;
      carried.again.push(...carried.parked.splice(0).map(({ tree, counted }) => ({ tree, counted })));
    },

    end(state: 'complete' | 'cancelled' | 'failed'): void {
      ended = state;
    },
  };
}

function engineIn(state: EngineState | null): Pick<CampaignProgress, 'engine'> {
  return state === null ? {} : { engine: state };
}

export type Desk = ReturnType<typeof openDesk>;
