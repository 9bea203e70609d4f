// A bucket that fails at a call site: nothing is lost or written twice, and nobody asks for ever. All faults: test/slow.
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WorldProblem } from '../../../domain/problems.ts';
import { conflict, noRoom, overQuota, serverError, thereAlready } from '../../fakes/bucket-proxy.ts';
import { attempts, large, type Rig, sites, startRig, work } from './bucket-rig.ts';

let rig: Rig;

beforeAll(async () => {
  rig = await startRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

describe.each(sites)('%s', (site) => {
  const { does, comes } = work[site];

  test('an answer that is lost after the work was done is no loss', async () => {
    const store = await rig.opened();
    rig.spoil(site, 'lost', 1);
    expect(await does(store)).toEqual(comes);
  });

  test.each([serverError, noRoom, overQuota])(
    '$code for ever is the world’s, and is asked a few times',
    async (fault) => {
      const store = await rig.opened();
      const asked = rig.spoil(site, fault, Number.POSITIVE_INFINITY);
      const problem = await does(store).catch((error) => error);
      expect(problem).toBeInstanceOf(WorldProblem);
      expect(problem).toMatchObject({ kind: 'store', message: expect.stringContaining(store.uri) });
      // A segment tries what it could not put once more when it is closed.
      expect(asked()).toBeLessThanOrEqual(attempts * (site === 'segment' ? 3 : 1));
    },
  );
});

test('an upload that others get in the way of begins anew, three times', async () => {
  const store = await rig.opened();
  rig.spoil('complete', conflict, 2);
  expect(await store.create('large', large)).toBe('created');
  const begun = rig.spoil('begin', conflict, 0);
  const asked = rig.spoil('complete', conflict, Number.POSITIVE_INFINITY);
  await expect(store.create('larger', large)).rejects.toThrow(WorldProblem);
  expect([begun(), asked()]).toEqual([3, 3]);
});

test('parts of an upload that fails are given back', async () => {
  const store = await rig.opened();
  rig.spoil('complete', serverError, Number.POSITIVE_INFINITY);
  await expect(store.create('large', large)).rejects.toThrow(WorldProblem);
  const client = new S3Client({ forcePathStyle: true });
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: rig.server.bucket }));
  expect(Uploads.filter(({ Key }) => store.uri.endsWith(Key?.split('/')[0] ?? ''))).toEqual([]);
});

test('"there already" of what is not there is believed of no object', async () => {
  const store = await rig.opened();
  rig.spoil('create', thereAlready, 1);
  await expect(store.create('new', 'new')).rejects.toThrow(WorldProblem);
  expect(await store.create('new', 'new')).toBe('created');

  const segment = await store.segment('s/a-0.jsonl');
  await segment.append('kept');
  rig.spoil('segment', thereAlready, 1);
  await expect(segment.close()).rejects.toThrow(WorldProblem);
  await segment.close();
  expect(String(Buffer.from((await store.read('s/a-0.1.jsonl')) ?? ''))).toBe('kept\n');
});

test('lines whose put failed are put again under another name, and each is found once or more', async () => {
  const store = await rig.opened({ pace: { lines: 10 } });
  const segment = await store.segment('s/a-0.jsonl');
  rig.spoil('segment', serverError, attempts);
  let refused = 0;
  for (let n = 0; n < 100; n += 1)
    await segment.append(`${n}`).catch(() => {
      refused += 1;
    });
  rig.spoil('segment', serverError, 0);
  await segment.close();
  const found = new Set<string>();
  for (const name of await store.list('s/'))
    for (const line of String(Buffer.from((await store.read(`s/${name}`)) ?? ''))
      .split('\n')
      .slice(0, -1))
      found.add(line);
  expect(100 - found.size).toBeLessThanOrEqual(refused);
});

test('a clock that jumped is put right by the server’s', async () => {
  const store = await rig.opened();
  const real = () => performance.timeOrigin + performance.now();
  rig.proxy.spoil(({ headers }) => {
    const said = String(headers['x-amz-date']).replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5');
    if (Math.abs(Date.parse(said) - real()) < 900_000) return null;
    return { status: 403, code: 'RequestTimeTooSkewed', headers: { date: new Date(real()).toUTCString() } };
  });
  const before = rig.proxy.count('create');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    expect(await store.create('new', 'new')).toBe('created');
    expect(rig.proxy.count('create') - before).toBe(2);
  } finally {
    vi.useRealTimers();
  }
  expect(await store.create('new', 'new')).toBe('exists');
});
