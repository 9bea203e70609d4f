// Nights that come while nobody works for them, or while not even Temporal is up.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ShownNight } from '../../cli/schedule/show.ts';
import { until } from '../../local/until.ts';
import type { Lab } from '../lab.ts';
import { nightLab, nightly, nightsIn } from './lab.ts';

/** Time runs fast: a day of these schedules. */
const dayMs = 12_000;

async function scheduled(lab: Lab, catchUp: string): Promise<void> {
  const when = `when: { every: ${dayMs / 1_000}s, catch_up: ${catchUp} }`;
  await lab.write('nightly.yaml', nightly.replace('when: { cron: "0 2 * * *" }', when));
  expect((await lab.run(['schedule', 'add', 'nightly.yaml'])).code).toBe(0);
}

async function seen(lab: Lab, wanted: (nights: ShownNight[]) => boolean): Promise<ShownNight[]> {
  let nights: ShownNight[] = [];
  if (await until(async () => wanted((nights = await nightsIn(lab))), 120_000, { everyMs: 500 })) return nights;
  throw new Error(`it never came so far: ${JSON.stringify(nights)}`);
}

const states = (nights: ShownNight[]) => nights.map(({ state }) => state);
const isMeasured = ({ state }: ShownNight) => state === 'pass' || state === 'inconclusive';

/** Has every night of that span made up for, with no more to come, and returns them all. */
async function madeUp(lab: Lab): Promise<ShownNight[]> {
  const before = await nightsIn(lab);
  const [from = '', to = ''] = [before[0]?.nominal, before.at(-1)?.nominal];
  expect((await lab.run(['schedule', 'backfill', 'smoke', '--from', from, '--to', to])).code).toBe(0);
  return seen(lab, (nights) => nights.slice(0, before.length).every(isMeasured));
}

test('while the worker is away one night waits for it and the others are missed, until they are made up for', async () => {
  await using lab = await nightLab();
  await scheduled(lab, '10s');
  await seen(lab, (nights) => states(nights).includes('inconclusive'));
  await lab.kill('worker');
  const away = Date.now();
  const without = await seen(lab, (nights) => states(nights).filter((state) => state === 'missed').length >= 2);
  expect(states(without).filter((state) => state === 'open')).toHaveLength(1);
  expect(states(without).at(-1)).toBe('missed');
  expect((await lab.run(['schedule', 'pause', 'smoke'])).code).toBe(0);
  // Shown as missed also while it is paused.
  const paused = await nightsIn(lab);
  const missed = paused.filter(({ state }) => state === 'missed');
  expect(missed.length).toBeGreaterThanOrEqual(2);
  expect(Date.parse(missed[0]?.nominal ?? '')).toBeGreaterThan(away - dayMs);

  const { served } = await lab.model.stats();
  const measured = paused.filter(isMeasured).length;
  const nights = await madeUp(lab);
  expect((await lab.model.stats()).served - served).toBe((nights.filter(isMeasured).length - measured) * 2 * 60);
  expect(new Set(nights.map(({ nominal }) => nominal)).size).toBe(nights.length);
});

test.each([
  ['10s', 'they are missed'],
  ['1h', 'the first is made up for'],
])('with Temporal away for two nights and %s to catch up, %s', async (catchUp, what) => {
  await using lab = await nightLab();
  await scheduled(lab, catchUp);
  await seen(lab, (nights) => states(nights).includes('inconclusive'));
  const from = Date.now();
  await lab.kill('worker', 'temporal');
  await sleep(2 * dayMs + 11_000);
  const to = Date.now() - 11_000;
  // Brings Temporal and a worker.
  expect((await lab.run(['schedule', 'unpause', 'smoke'])).code).toBe(0);
  const slept = (all: ShownNight[]) =>
    all.filter(({ nominal }) => Date.parse(nominal) > from && Date.parse(nominal) < to);
  const after = slept(await seen(lab, (all) => all.some((one) => Date.parse(one.nominal) > to && isMeasured(one))));
  expect(after.length).toBeGreaterThanOrEqual(2);
  if (what === 'they are missed') expect(new Set(states(after))).toEqual(new Set(['missed']));
  // The first one takes its time, and others are left out while one goes on.
  else expect(states(after)[0]).toBe('pass');
  expect((await lab.run(['schedule', 'pause', 'smoke'])).code).toBe(0);
  expect(slept(await madeUp(lab)).every(isMeasured)).toBe(true);
});
