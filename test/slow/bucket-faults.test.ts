// Every fault of a bucket at every call site.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attempts, type Rig, sites, startRig, work } from '../activities/store/bucket-rig.ts';
import { type BucketFault, conflict, serverError, slowDown } from '../fakes/bucket-proxy.ts';

let rig: Rig;

beforeAll(async () => {
  rig = await startRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

const passing: [string, BucketFault][] = [
  ['500', serverError],
  ['503 SlowDown', slowDown],
  ['502 in HTML', { status: 502, code: '<html>' }],
  ['a time-out', 'hang'],
  ['a connection cut before the request', 'cut'],
  ['a connection cut in the middle of the answer', 'half'],
  ['an answer lost after it was done', 'lost'],
  ['409', conflict],
];

describe.each(sites)('%s', (site) => {
  test.each(passing)('%s passes', async (_, fault) => {
    const { does, comes } = work[site];
    const store = await rig.opened(fault === 'hang' ? { patience: { attempts, idleMs: 500 } } : {});
    const asked = rig.spoil(site, fault, 2);
    expect(await does(store)).toEqual(comes);
    // Half of an empty answer is the whole of it.
    expect(asked()).toBeGreaterThanOrEqual(fault === 'half' ? 1 : 2);
  });
});
