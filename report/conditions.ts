// A perturbation's conditions beside base: one row per model, data set, temperature and condition.
import type { Store } from '../activities/store/store.ts';
import { cellFrom, failedSamples } from '../domain/cell.ts';
import { effectOf, type TurnsSeen } from '../domain/perturbation/effects.ts';
import type { Group } from '../domain/plan/graph.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { RunDoc } from '../domain/plan/run-doc.ts';
import { sha256 } from '../domain/records/canonical.ts';
import type { PerturbedTurn, Turn } from '../domain/records/record.ts';
import { exactText } from '../domain/records/text.ts';
import type { Draws } from '../domain/stats/draws.ts';
import type { ConditionCell } from '../domain/summary.ts';
import { cellInput } from './cell-input.ts';
import { type CellAt, factsOf } from './facts.ts';
import { openPinned, type Pinned } from './pinned.ts';

type Opts = { without?: ReadonlySet<string>; drawn: Draws };
/** `failed`: samples in which anything failed. */
type CellOf = { cell: ConditionCell; at: CellAt; failed: number };

/** Base comes before the others of its data set and temperature. @throws ConfigProblem naming a part that is missing or damaged */
export async function* conditionCells(store: Store, doc: RunDoc, plan: Plan, opts: Opts): AsyncGenerator<CellOf> {
  const pinned = await openPinned(store, doc.run);
  const which = { ...(opts.without && { without: opts.without }), cells: 'of every condition' as const };
  let base: TurnsSeen = [];
  for await (const at of factsOf(store, doc, plan, which)) {
    const { condition } = at.group;
    const seen = await turnsSeen(pinned, at);
    if (condition === undefined) base = seen;
    const input = { ...cellInput(plan, at), drawn: opts.drawn };
    const cell: ConditionCell = {
      ...cellFrom(input),
      condition: condition ?? 'base',
      ...(condition !== undefined && effectOf(base, seen, { drawn: opts.drawn })),
      ...(await cutsIn(pinned, at.group)),
    };
    yield { cell, at, failed: failedSamples(input) };
  }
}

/** Digests of texts, and what the judges came to. */
async function turnsSeen(pinned: Pinned, { group, items, facts }: CellAt): Promise<TurnsSeen> {
  const places = new Map(items.ids.map((id, place) => [id, place]));
  const seen: TurnsSeen = items.ids.map((_, item) =>
    Array.from({ length: group.samples }, (__, sample) => {
      const judged = facts.judgement.at(item, sample);
      return { digest: null, genuine: judged.status === 'ok' ? judged.body.genuine : null };
    }),
  );
  for await (const { item, sample, body } of bodies<Turn>(pinned, group, 'user_turn')) {
    const turn = seen[places.get(item) ?? -1]?.[sample];
    if (turn !== undefined) turn.digest = sha256(exactText(body));
  }
  return seen;
}

/** How many answers a cut left nothing of; nothing where the condition cuts none. */
async function cutsIn(pinned: Pinned, group: Group): Promise<Pick<ConditionCell, 'emptied'>> {
  let cuts = 0;
  let emptied = 0;
  for await (const { body } of bodies<PerturbedTurn>(pinned, group, 'perturbed_turn')) {
    if (body.cut === null) continue;
    cuts += 1;
    if (body.cut.kept === 0) emptied += 1;
  }
  return cuts === 0 ? {} : { emptied };
}

async function* bodies<Body>(pinned: Pinned, group: Group, stage: 'user_turn' | 'perturbed_turn') {
  for (let sample = 0; sample < group.samples; sample += 1) {
    for (let block = 0; block < group.blocks; block += 1) {
      for (const { result } of await pinned.records<Body>({ group, stage, block, sample }))
        if (result.status === 'ok') yield { item: result.item, sample: result.sample, body: result.body };
    }
  }
}
