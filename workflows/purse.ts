// A campaign's side of the run's budget: what it may begin, and asking for more before that is used up.
import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { type CampaignInput, names, type ShardRef, type Tally } from '../domain/plan/boundary.ts';
import { type Amount, add, addAll, amountOf, spentOf } from '../domain/plan/budget.ts';
import type { Allowance, Draw, Standing } from '../domain/plan/ledger.ts';
import { hasRoom, heard, type Purse, purseOf, rested, word } from '../domain/plan/purse.ts';
import { expectedOf } from '../domain/plan/spending.ts';
import type { Telling } from './telling.ts';

export const allowance = defineSignal<[Allowance]>(names.allowance);
export const draw = defineSignal<[Draw]>(names.draw);

export type OpenPurse = {
  /** From now on allowances are heard; `heed` is called after each. */
  listen(heed: () => void): void;
  hasRoom(): boolean;
  /** Takes a node's expected cost out until it is given back; null where there is no room for it now. */
  take(node: ShardRef): (() => void) | null;
  /** Asks for more where that helps, and returns when something has changed. */
  wait(): Promise<void>;
  /** Whether the hours of engines are limited. */
  isMetered(): boolean;
  /** Nothing is left, and nothing is in flight. */
  isShut(): boolean;
  /** Tells the run what was spent, and that nothing is needed for now, or any more. */
  leave(standing: 'rests' | 'ended'): void;
  /** What to carry over to the next execution; nothing where the run has no budget. */
  carried(): Pick<CampaignInput['carried'], 'allowance'>;
};

/**
 * Returns when all that came at this moment has been dealt with, however many steps that takes. An allowance and the end of a
 * shard may come together, and who waits for room must not decide by which of them was quicker: traces add steps.
 */
async function everybodyElse(): Promise<void> {
  let looked = false;
  // Looked at once now, and then not before nothing else is left to run.
  await condition(() => {
    const before = looked;
    looked = true;
    return before;
  });
}

export function openPurse(input: CampaignInput, telling: Telling, tally: () => Tally): OpenPurse {
  const { spending, model } = input;
  let purse: Purse = purseOf(input.carried.allowance ?? null);
  let resting = false;
  let changes = 0;
  /** Expected costs of what is in flight. */
  const open = new Set<Amount>();

  const prices = spending?.prices ?? { generation: null, judging: null };
  const spent = () => spentOf(tally(), prices);
  const now = () => add(spent(), addAll([...open]));

  const say = (standing: Standing) => {
    if (purse.allowance === null) return;
    purse = standing === 'rests' ? rested(purse, spent()) : { ...purse, said: standing };
    const said = { model, standing, spent: spent(), open: addAll([...open]), grants: purse.allowance?.grants ?? 0 };
    telling.tell({ draw: said });
  };
  const ask = (at: { stuck: boolean }) => {
    const wanted = word(purse, { now: now(), inFlight: open.size, ...at });
    if (wanted !== null) say(wanted);
  };

  return {
    listen(heed) {
      setHandler(allowance, (given) => {
        purse = heard(purse, given);
        changes += 1;
        if (resting) say('rests');
        heed();
      });
    },
    hasRoom: () => hasRoom(purse, now()),
    take(node) {
      resting = false;
      if (!hasRoom(purse, now())) return null;
      const usage = expectedOf(node, { tally: tally(), expected: spending?.expected ?? {} });
      const cost = amountOf(usage, { stage: node.stage, prices });
      open.add(cost);
      ask({ stuck: false });
      return () => {
        open.delete(cost);
        changes += 1;
      };
    },
    async wait() {
      resting = false;
      ask({ stuck: true });
      const seen = changes;
      await condition(() => changes > seen);
      await everybodyElse();
    },
    isMetered: () => purse.allowance?.metered === true,
    isShut: () => purse.allowance?.used_up === true && open.size === 0,
    leave(standing) {
      resting = standing === 'rests';
      say(standing);
    },
    carried: () => (purse.allowance === null ? {} : { allowance: purse.allowance }),
  };
}
