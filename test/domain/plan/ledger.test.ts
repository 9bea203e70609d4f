// Campaigns that share a budget, simulated with messages that take their time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Amount, add, addAll, type Budget, limited, nothing, units } from '../../../domain/plan/budget.ts';
import {
  type Allowance,
  allowanceOf,
  type Draw,
  enter,
  type Ledger,
  openLedger,
  settle,
  spentInAll,
} from '../../../domain/plan/ledger.ts';
import { hasRoom, heard, type Purse, purseOf, rested, word } from '../../../domain/plan/purse.ts';

type Campaign = {
  model: string;
  purse: Purse;
  spent: Amount;
  /** Costs of what is still to be begun. */
  left: Amount[];
  open: Amount[];
  lanes: number;
  over: boolean;
};

type Play = { limits: Budget; before: Amount; work: Amount[][]; lanes: number };
type Scene = { ledger: Ledger; campaigns: Campaign[]; up: Draw[]; down: [string, Allowance][]; told: number };

function begin({ limits, before, work, lanes }: Play): Scene {
  const models = work.map((_, n) => `m${n}`);
  const ledger = openLedger({ limits, before, models });
  settle(ledger);
  const campaigns = work.map((costs, n) => ({
    model: `m${n}`,
    purse: purseOf(allowanceOf(ledger, `m${n}`)),
    spent: nothing,
    left: [...costs],
    open: [],
    lanes,
    over: false,
  }));
  return { ledger, campaigns, up: [], down: [], told: 0 };
}

const now = (one: Campaign) => add(one.spent, addAll(one.open));
const drawOf = (one: Campaign, standing: Draw['standing']): Draw => ({
  model: one.model,
  standing,
  spent: one.spent,
  open: addAll(one.open),
  grants: one.purse.allowance?.grants ?? 0,
});

/** Everything that could happen next. */
function moves(scene: Scene): (() => void)[] {
  const { ledger, campaigns, up, down } = scene;
  const say = (one: Campaign, standing: Draw['standing']) => {
    one.purse = { ...one.purse, said: standing };
    up.push(drawOf(one, standing));
  };
  const share = () => {
    for (const model of settle(ledger)) {
      scene.told += 1;
      down.push([model, allowanceOf(ledger, model)]);
    }
  };
  const found: (() => void)[] = [];
  const [first] = up;
  if (first !== undefined)
    found.push(() => {
      up.shift();
      enter(ledger, first);
      share();
    });
  for (const one of campaigns) {
    const mail = down.findIndex(([model]) => model === one.model);
    if (mail >= 0) {
      found.push(() => {
        const [[, given] = ['', null]] = down.splice(mail, 1);
        if (given !== null) one.purse = heard(one.purse, given);
      });
    }
    if (one.over) continue;
    const [done] = one.open;
    if (done !== undefined)
      found.push(() => {
        one.open.shift();
        one.spent = add(one.spent, done);
      });
    const [next] = one.left;
    if (next === undefined && one.open.length === 0)
      found.push(() => {
        one.over = true;
        enter(ledger, drawOf(one, 'ended'));
        share();
      });
    if (next === undefined || one.open.length >= one.lanes) continue;
    const stuck = !hasRoom(one.purse, now(one));
    const wanted = word(one.purse, { now: now(one), inFlight: one.open.length, stuck });
    if (wanted !== null) found.push(() => say(one, wanted));
    else if (!stuck)
      found.push(() => {
        one.open.push(next);
        one.left.shift();
      });
  }
  return found;
}

/** Takes one possible step after another, by these numbers, until none is possible. */
function play(scene: Scene, choices: number[]): void {
  for (let step = 0; ; step += 1) {
    if (step > 20_000) throw new Error('it never ends');
    const possible = moves(scene);
    if (possible.length === 0) return;
    possible[(choices[step % choices.length] ?? 0) % possible.length]?.();
  }
}

const amount = fc.record({
  usd: fc.double({ min: 0, max: 2, noNaN: true }),
  tokens: fc.integer({ min: 0, max: 500 }),
  gpu_hours: fc.constant(0),
});
const scenes: fc.Arbitrary<Play> = fc.record({
  limits: fc.record(
    { usd: fc.double({ min: 0.1, max: 40, noNaN: true }), tokens: fc.integer({ min: 1, max: 20_000 }) },
    { requiredKeys: [] },
  ),
  before: fc.oneof(fc.constant(nothing), amount),
  work: fc.array(fc.array(amount, { maxLength: 40 }), { minLength: 1, maxLength: 5 }),
  lanes: fc.integer({ min: 1, max: 3 }),
});
const order = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 60 });

const worked = (scene: Scene) => addAll([scene.ledger.before, ...scene.campaigns.map(({ spent }) => spent)]);
const largest = (costs: Amount[]): Amount => ({
  usd: Math.max(0, ...costs.map(({ usd }) => usd)),
  tokens: Math.max(0, ...costs.map(({ tokens }) => tokens)),
  gpu_hours: 0,
});
const isDone = ({ campaigns }: Scene) => campaigns.every(({ over }) => over);

test('what is spent passes a limit by no more than one step of each campaign, whatever comes when', () => {
  fc.assert(
    fc.property(scenes, order, (at, choices) => {
      const scene = begin(at);
      play(scene, choices);
      const beyond = addAll(at.work.map(largest));
      for (const unit of limited(at.limits)) {
        const most = Math.max(at.limits[unit] ?? 0, at.before[unit]) + beyond[unit];
        expect(worked(scene)[unit]).toBeLessThanOrEqual(most * (1 + 1e-9));
      }
    }),
    { numRuns: 300 },
  );
});

test('a run pauses only where a limit is reached, and does all its work where it fits', () => {
  fc.assert(
    fc.property(scenes, order, (at, choices) => {
      const scene = begin(at);
      play(scene, choices);
      const all = addAll([at.before, ...at.work.flat()]);
      const fits = limited(at.limits).every((unit) => all[unit] < (at.limits[unit] ?? 0) * (1 - 1e-6));
      if (fits) expect(isDone(scene)).toBe(true);
      if (isDone(scene)) return;
      const reached = limited(at.limits).filter((unit) => worked(scene)[unit] >= (at.limits[unit] ?? 0) * (1 - 1e-6));
      expect(reached).not.toEqual([]);
      for (const { over, purse } of scene.campaigns) if (!over) expect(purse.allowance?.used_up).toBe(true);
      expect(spentInAll(scene.ledger)).toEqual(worked(scene));
    }),
    { numRuns: 300 },
  );
});

test('a raised limit is gone on with to the end', () => {
  fc.assert(
    fc.property(scenes, order, (at, choices) => {
      const scene = begin(at);
      play(scene, choices);
      const all = addAll([at.before, ...at.work.flat()]);
      scene.ledger.limits = Object.fromEntries(limited(at.limits).map((unit) => [unit, 2 * all[unit] + 1]));
      for (const model of settle(scene.ledger)) scene.down.push([model, allowanceOf(scene.ledger, model)]);
      play(scene, choices);
      expect(isDone(scene)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test.each([1, 4, 11, 40])(
  '%i campaigns of a million samples ask so seldom that a history holds all of it',
  (models) => {
    const trees = Math.round(4_000 / models);
    const work = Array.from({ length: models }, () =>
      Array.from({ length: trees }, () => ({ ...nothing, tokens: 100 })),
    );
    for (const limit of [100 * 4_000 * 2, 100 * 4_000, 100 * 3_000, 100 * 40]) {
      const scene = begin({ limits: { tokens: limit }, before: nothing, work, lanes: 2 });
      play(scene, [1, 7, 3, 12, 5]);
      expect(scene.told).toBeLessThanOrEqual(110 + 2 * models);
    }
  },
);

test('who rests gives back what it did not spend, and takes it up again', () => {
  const ledger = openLedger({ limits: { tokens: 1_000 }, before: nothing, models: ['a', 'b'] });
  settle(ledger);
  const [a, b] = [allowanceOf(ledger, 'a'), allowanceOf(ledger, 'b')];
  expect([a.allowed.tokens, b.allowed.tokens]).toEqual([250, 187.5]);
  const spent = { ...nothing, tokens: 100 };
  expect(rested(purseOf(a), spent)).toEqual({ said: 'rests', allowance: { ...a, allowed: { tokens: 100 } } });
  enter(ledger, { model: 'a', standing: 'rests', spent, open: nothing, grants: 1 });
  enter(ledger, { model: 'b', standing: 'out', spent: { ...nothing, tokens: 190 }, open: nothing, grants: 1 });
  expect(settle(ledger)).toEqual(['b']);
  // Half of all that is left: nobody shares it now.
  expect(allowanceOf(ledger, 'b')).toEqual({
    allowed: { tokens: 190 + 355 },
    given: { tokens: 355 },
    grants: 2,
    used_up: false,
    metered: false,
  });
  enter(ledger, { model: 'a', standing: 'out', spent, open: nothing, grants: 1 });
  expect(settle(ledger)).toEqual(['a']);
});

test('what was said by an allowance that is out of date is not taken for an answer to the next, which is told again', () => {
  const ledger = openLedger({ limits: { tokens: 1_000 }, before: nothing, models: ['a'] });
  settle(ledger);
  enter(ledger, { model: 'a', standing: 'asks', spent: { ...nothing, tokens: 300 }, open: nothing, grants: 1 });
  expect(settle(ledger)).toEqual(['a']);
  expect(allowanceOf(ledger, 'a').grants).toBe(2);
  // Said before the second allowance was heard of.
  enter(ledger, { model: 'a', standing: 'out', spent: { ...nothing, tokens: 500 }, open: nothing, grants: 1 });
  expect(settle(ledger)).toEqual(['a']);
  expect(allowanceOf(ledger, 'a')).toMatchObject({ grants: 2, used_up: false });
  expect(settle(ledger)).toEqual([]);
});

test('every unit is there to be counted', () => {
  expect(Object.keys(nothing)).toEqual([...units]);
});
