// What only a bucket gets wrong, and what it promises of lines that wait.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectSegment } from '../../../activities/store/s3/segment.ts';
import { s3Store } from '../../../activities/store/s3.ts';
import { ConfigProblem, sentence, WorldProblem } from '../../../domain/problems.ts';
import { startScriptedServer } from '../../fakes/scripted-server.ts';
import { type Rig, startRig } from './bucket-rig.ts';

let rig: Rig;

beforeAll(async () => {
  rig = await startRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

const at = (bucket: string) => `s3://${bucket}/a/format.json the store cannot be used:`;

test.each([
  [
    404,
    'NoSuchBucket',
    'there is no bucket b-1',
    'Create it, or correct UTURN_STORE. Is AWS_ENDPOINT_URL_S3 that of the right server?',
  ],
  ...['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'].map(
    (code) =>
      [
        403,
        code,
        'the credentials are not taken',
        'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, to credentials that are good for it.',
      ] as const,
  ),
  [
    403,
    'AccessDenied',
    'access is denied',
    'Give these credentials the rights s3:GetObject, s3:PutObject and s3:AbortMultipartUpload on its objects, s3:ListBucket on the bucket.',
  ],
  ...(
    [
      [301, 'PermanentRedirect'],
      [400, 'AuthorizationHeaderMalformed'],
    ] as const
  ).map(
    ([status, code]) =>
      [
        status,
        code,
        'the bucket b-1 lies in another region, or on another server',
        'Set AWS_REGION to the region of the bucket.',
      ] as const,
  ),
  [
    501,
    'NotImplemented',
    'this server does not know a request that the store needs',
    'The server must take PutObject with "If-None-Match: *" and ListObjectsV2. See docs/store.md for servers that do.',
  ],
  [
    403,
    'InvalidObjectState',
    'this object is archived',
    'Restore it to a storage class that can be read at once, and take the prefix out of the archiving rule.',
  ],
] as const)('%d %s is somebody’s to change: what, and how', async (status, code, what, advice) => {
  rig.proxy.spoil(() => ({ status, code }));
  const problem = await s3Store({ bucket: 'b-1', prefix: 'a' }).catch((error) => error);
  expect(problem).toBeInstanceOf(ConfigProblem);
  expect(sentence(problem)).toBe(`${at('b-1')} ${what} (${code}: as the test wants it)\n  ${advice}`);
});

test('a bucket that is not there is told by the real server', async () => {
  rig.proxy.spoil(() => null);
  const problem = await s3Store({ bucket: 'not-there', prefix: 'a' }).catch((error) => error);
  expect(sentence(problem)).toMatch(`${at('not-there')} there is no bucket not-there (NoSuchBucket: `);
});

test('where no region is set and no server named, that is said', async () => {
  const { AWS_ENDPOINT_URL_S3, AWS_REGION } = process.env;
  process.env['AWS_ENDPOINT_URL_S3'] = '';
  process.env['AWS_REGION'] = '';
  try {
    const problem = await s3Store({ bucket: 'b-1', prefix: '' }).catch((error) => error);
    expect(sentence(problem)).toBe(
      'no region is set for the s3: store\n  Set AWS_REGION to the region of the bucket, or AWS_ENDPOINT_URL_S3 where it lies on another server.',
    );
  } finally {
    Object.assign(process.env, { AWS_ENDPOINT_URL_S3, AWS_REGION });
  }
});

test('where there are no credentials, that is said', async () => {
  const { AWS_ACCESS_KEY_ID } = process.env;
  delete process.env['AWS_ACCESS_KEY_ID'];
  try {
    const problem = await s3Store({ bucket: 'b-1', prefix: 'a' }).catch((error) => error);
    expect(problem).toBeInstanceOf(ConfigProblem);
    expect(sentence(problem)).toMatch(`${at('b-1')} no credentials are found (CredentialsProviderError: `);
  } finally {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID });
  }
});

test('where nobody listens the world is away', async () => {
  const { AWS_ENDPOINT_URL_S3 } = process.env;
  process.env['AWS_ENDPOINT_URL_S3'] = 'http://127.0.0.1:9';
  try {
    const opened = s3Store({ bucket: 'b-1', prefix: '' }, { patience: { attempts: 2 } });
    await expect(opened).rejects.toThrow(
      new WorldProblem('store', 's3://b-1/format.json: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:9'),
    );
  } finally {
    Object.assign(process.env, { AWS_ENDPOINT_URL_S3 });
  }
});

test('a server that passes over the condition is refused before anything is written for good', async () => {
  let kept: string | null = null;
  await using careless = await startScriptedServer(({ method }) => {
    if (method === 'GET') return kept === null ? { status: 404 } : { body: kept };
    kept = '{"format":1}\n';
    return { headers: { etag: '"1"' }, body: '' };
  });
  const { AWS_ENDPOINT_URL_S3 } = process.env;
  process.env['AWS_ENDPOINT_URL_S3'] = careless.url;
  try {
    const problem = await s3Store({ bucket: 'b-1', prefix: 'a' }).catch((error) => error);
    expect(sentence(problem)).toBe(
      's3://b-1/a this server replaces objects although it is asked not to\n  The store needs a server that honours "If-None-Match: *". See docs/store.md for servers that do.',
    );
  } finally {
    Object.assign(process.env, { AWS_ENDPOINT_URL_S3 });
  }
});

test('a folder of many pages is listed whole, folders and files', async () => {
  const store = await rig.opened({ page: 7 });
  const names = Array.from({ length: 40 }, (_, n) => `n-${String(n).padStart(2, '0')}`);
  for (const [n, name] of names.entries()) await store.create(n % 3 === 0 ? `many/${name}/x` : `many/${name}`, '');
  const before = rig.proxy.count('list');
  expect(await store.list('many/')).toEqual(names.map((name, n) => (n % 3 === 0 ? `${name}/` : name)));
  expect(rig.proxy.count('list') - before).toBe(6);
});

test('a large object is sent in parts, one that fits is not', async () => {
  const store = await rig.opened({ partBytes: 5 * 1024 * 1024 });
  const large = Buffer.alloc(11 * 1024 * 1024, 'x');
  const before = { part: rig.proxy.count('part'), create: rig.proxy.count('create') };
  expect(await store.create('large', large)).toBe('created');
  expect(await store.create('large', large)).toBe('exists');
  expect(large.equals((await store.read('large')) ?? Buffer.of())).toBe(true);
  await store.create('small', large.subarray(1024 * 1024));
  expect([rig.proxy.count('part') - before.part, rig.proxy.count('create') - before.create]).toEqual([6, 1]);
});

/** A place for a segment's objects whose puts end when the test says. */
function slowPlace() {
  const puts: { path: string; text: string; end: () => void; fail: (error: Error) => void }[] = [];
  const put = (path: string, text: string) =>
    new Promise<void>((end, fail) => {
      puts.push({ path, text, end, fail });
    });
  return { puts, put };
}

const pace = { everyMs: 60_000, lines: 3, bytes: 1_000 };
const settled = (work: Promise<unknown>) =>
  Promise.race([work.then(() => 'returned'), new Promise((done) => setTimeout(done, 20, 'waits'))]);

test('one object is on its way and one is filled; more than that has to wait', async () => {
  const { puts, put } = slowPlace();
  const segment = objectSegment({ path: 's/a-0.jsonl', pace, put });
  for (let n = 0; n < 5; n += 1) expect(await settled(segment.append(`${n}`))).toBe('returned');
  expect(puts.map(({ text }) => text)).toEqual(['0\n1\n2\n']);
  const sixth = segment.append('5');
  expect(await settled(sixth)).toBe('waits');
  puts[0]?.end();
  expect(await settled(sixth)).toBe('returned');
  expect(puts.map(({ path, text }) => [path, text])).toEqual([
    ['s/a-0.jsonl', '0\n1\n2\n'],
    ['s/a-0.1.jsonl', '3\n4\n5\n'],
  ]);
  const closed = segment.close();
  expect(await settled(closed)).toBe('waits');
  puts[1]?.end();
  await closed;
});

test('lines are put after a while, and when they are long', async () => {
  const { puts, put } = slowPlace();
  const patient = objectSegment({ path: 's/a-0.jsonl', pace: { ...pace, everyMs: 5 }, put });
  await patient.append('few');
  expect(puts.length).toBe(0);
  await expect.poll(() => puts.length).toBe(1);
  const long = objectSegment({ path: 's/b-0.jsonl', pace, put });
  await long.append('x'.repeat(1_000));
  expect(puts.length).toBe(2);
});

test('lines that come several at a time are counted each', async () => {
  const { puts, put } = slowPlace();
  const segment = objectSegment({ path: 's/a-0.jsonl', pace, put });
  await segment.append('0\n1\n2\n3');
  expect(puts.map(({ text }) => text)).toEqual(['0\n1\n2\n3\n']);
});

test('a put that failed is told by the next append, and closing saves its lines', async () => {
  const { puts, put } = slowPlace();
  const segment = objectSegment({ path: 's/a-0.jsonl', pace, put });
  for (let n = 0; n < 3; n += 1) await segment.append(`${n}`);
  puts[0]?.fail(new Error('no room'));
  const told = () =>
    segment.append('3').then(
      () => null,
      (error) => error.message,
    );
  await expect.poll(told).toBe('no room');
  const closed = segment.close();
  await expect.poll(() => puts.length).toBe(2);
  puts[1]?.end();
  await closed;
  expect(puts[1]?.text).toMatch(/^0\n1\n2\n/);
});
