// On the real dev server: the first run of these tests installs it into the cache, like a first `uturn run`.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connectTemporal, type Temporal } from '../../local/connection.ts';
import { isAlive } from '../../local/process.ts';
import { listServices } from '../../local/services.ts';
import { ensureTemporal, externalTemporal, findTemporal } from '../../local/temporal.ts';
import { until } from '../../local/until.ts';
import { type Ground, ground } from '../local/ground/ground.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

const INSTALLING_MS = 300_000;
const report = () => {};

let place: Ground;
let dir = '';
let env: NodeJS.ProcessEnv = {};
beforeAll(async () => {
  place = await ground();
  dir = await mkdtemp(join(tmpdir(), 'uturn-temporal-'));
  // Nobody's own settings: no TEMPORAL_… variables, and an empty folder for config files.
  env = { PATH: process.env.PATH, HOME: dir, XDG_CONFIG_HOME: dir, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME };
  env.UTURN_CACHE = process.env.UTURN_CACHE ?? join(process.env.HOME ?? dir, '.cache', 'uturn');
  await findTemporal(env, { report });
}, INSTALLING_MS);
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await place[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

const ensure = (opts: { ui?: 'served' } = {}) => ensureTemporal(place.home, { keep: 'run', report, env, ...opts });
const pid = async () => (await listServices(place.home)).find(({ name }) => name === 'temporal')?.process.pid ?? 0;

test('a second command joins the Temporal that the first one started', async () => {
  const first = await ensure();
  const started = await pid();
  expect(first).toMatchObject({ kind: 'local', address: expect.stringMatching(/^127\.0\.0\.1:\d+$/), ui: null });
  expect([await ensure(), await pid()]).toEqual([first, started]);
});

test('a killed Temporal comes back at its address with its workflows, for the clients it had', async () => {
  const where = await ensure();
  const temporal = await connectTemporal(where);
  const handle = await temporal.client.workflow.start('nobodyRunsThis', { workflowId: 'kept', taskQueue: 'nobody' });
  const before = await pid();
  process.kill(before, 'SIGKILL');

  expect(await ensure()).toEqual(where);
  expect(await pid()).not.toBe(before);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  expect(await until(async () => (await listed(where)).includes('kept'), 10_000)).toBe(true);
  await temporal.close();
});

test('a Temporal whose database was deleted under it is started anew, empty, at its address', async () => {
  const where = await ensure();
  const before = await pid();
  await rm(place.home.database);
  expect([await ensure(), await listed(where)]).toEqual([where, []]);
  expect(await pid()).not.toBe(before);
});

test('asking for the web page restarts a Temporal without one at its address; later commands keep it', async () => {
  const plain = await ensure();
  const served = await ensure({ ui: 'served' });
  expect(served).toEqual({ ...plain, ui: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  const page = await fetch(served.ui ?? '');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  process.kill(await pid(), 'SIGKILL');
  expect(await ensure()).toEqual(served);
});

test('a proxy in the environment is not asked for the local Temporal', async () => {
  const where = await ensure();
  for (const name of ['http_proxy', 'https_proxy', 'grpc_proxy']) vi.stubEnv(name, 'http://127.0.0.1:9');
  for (const name of ['no_proxy', 'NO_PROXY', 'no_grpc_proxy']) vi.stubEnv(name, '');
  const temporal = await connectTemporal(where);
  expect(await temporal.connection.workflowService.getSystemInfo({})).toMatchObject({
    serverVersion: expect.any(String),
  });
  await temporal.close();
  const native = await NativeConnection.connect(where.connectOptions);
  await native.close();
});

test('settings for another Temporal do not reach the local server, and a new home gets a Temporal of its own', async () => {
  await using other = await ground();
  const settings = { ...env, TEMPORAL_NAMESPACE: 'elsewhere', TEMPORAL_TLS: 'true', TEMPORAL_LOG_LEVEL: 'nonsense' };
  const theirs = await ensureTemporal(other.home, { keep: 'run', report, env: settings });
  expect(theirs.namespace).toBe('default');
  expect(theirs.address).not.toBe((await ensure()).address);
});

test('a database that is none ends the start with what Temporal says of it', async () => {
  await using other = await ground();
  await writeFile(other.home.database, 'not a database, but long enough to have a header '.repeat(20));
  await expect(ensureTemporal(other.home, { keep: 'run', report, env })).rejects.toMatchObject({
    name: 'ConfigProblem',
    message: expect.stringMatching(/^temporal ended while it was starting; its log ends:\n.*file is not a database/s),
  });
  expect((await listServices(other.home)).map((service) => isAlive(service.process))).toEqual([false]);
});

test('a Temporal that is not there is unreachable, a namespace that is not there is named', async () => {
  const where = await ensure();
  const nowhere = {
    ...where,
    address: '127.0.0.1:9',
    connectOptions: { ...where.connectOptions, address: '127.0.0.1:9' },
  };
  await expect(connectTemporal(nowhere, { timeoutMs: 500 })).rejects.toMatchObject({
    name: 'WorldProblem',
    kind: 'unreachable',
    message: expect.stringMatching(/^Temporal at 127\.0\.0\.1:9 does not answer: /),
  });
  await expect(connectTemporal({ ...where, namespace: 'nobody"s' })).rejects.toMatchObject({
    name: 'ConfigProblem',
    message: `Temporal at ${where.address} has no namespace "nobody\\"s".`,
  });
});

test(
  'temporal on PATH comes before the one in our Python tools',
  async () => {
    const binary = await findTemporal({ ...env, PATH: '' }, { report });
    if (binary.kind !== 'binary') throw new Error('expected a program');
    expect(binary.found).toBe('venv');
    const onPath = { ...env, PATH: ['/nonexistent', dirname(binary.path)].join(delimiter) };
    expect(await findTemporal(onPath, { report })).toEqual({ kind: 'binary', path: binary.path, found: 'path' });
  },
  INSTALLING_MS,
);

const PROFILES = `
[profile.default]
namespace = "labs"
[profile.cloud]
address = "labs.example.com:7233"
namespace = "labs.x1"
api_key = "k"
[profile.broken]
address = "labs.example.com:7233"
tls = { client_cert_path = "/nonexistent/cert.pem", client_key_path = "/nonexistent/key.pem" }
`;
const external = (address: string, more: Partial<Temporal> & { tls?: boolean; apiKey?: string } = {}) => {
  const { namespace = 'default', ...options } = more;
  return { kind: 'external', address, namespace, connectOptions: { address, ...options } };
};

test.for([
  ['nothing', {}, null],
  ['an address', { TEMPORAL_ADDRESS: 'temporal:7233' }, external('temporal:7233')],
  ['an empty address', { TEMPORAL_ADDRESS: '', TEMPORAL_API_KEY: '' }, null],
  ['a namespace alone', { TEMPORAL_NAMESPACE: 'labs' }, null],
  [
    'an address and TLS',
    { TEMPORAL_ADDRESS: 't:1', TEMPORAL_NAMESPACE: 'n', TEMPORAL_TLS: 'true' },
    external('t:1', { namespace: 'n', tls: {} as never }),
  ],
  ['a config file whose default profile has no address', { TEMPORAL_CONFIG_FILE: 'profiles' }, null],
  [
    'a profile',
    { TEMPORAL_CONFIG_FILE: 'profiles', TEMPORAL_PROFILE: 'cloud' },
    external('labs.example.com:7233', { namespace: 'labs.x1', tls: true, apiKey: 'k' }),
  ],
  [
    'a profile whose address the environment overrides',
    { TEMPORAL_CONFIG_FILE: 'profiles', TEMPORAL_PROFILE: 'cloud', TEMPORAL_ADDRESS: 't:1' },
    external('t:1', { namespace: 'labs.x1', tls: true, apiKey: 'k' }),
  ],
] as const)('an environment with %s', async ([, given, expected]) => {
  await writeFile(join(dir, 'profiles.toml'), PROFILES);
  expect(externalTemporal(withFiles(given))).toEqual(expected);
});

test.for([
  [
    'a key without an address',
    { TEMPORAL_API_KEY: 'k' },
    'TEMPORAL_API_KEY is set, but nothing says which Temporal to use.',
  ],
  [
    'a profile nobody wrote',
    { TEMPORAL_CONFIG_FILE: 'profiles', TEMPORAL_PROFILE: 'x' },
    /cannot be read: Profile 'x' not found/,
  ],
  [
    'a profile with files that are not there',
    { TEMPORAL_CONFIG_FILE: 'profiles', TEMPORAL_PROFILE: 'broken' },
    /cert\.pem/,
  ],
  ['a config file that is none', { TEMPORAL_CONFIG_FILE: 'garbage' }, /^The settings for Temporal cannot be read: /],
] as const)('an environment with %s is refused', async ([, given, message]) => {
  await writeFile(join(dir, 'profiles.toml'), PROFILES);
  await writeFile(join(dir, 'garbage.toml'), '[profile');
  const problem = {
    name: 'ConfigProblem',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  };
  expect(() => externalTemporal(withFiles(given))).toThrow(expect.objectContaining(problem));
});

test("a person's own config file counts", async () => {
  await mkdir(join(dir, 'theirs', 'temporalio'), { recursive: true });
  await writeFile(join(dir, 'theirs', 'temporalio', 'temporal.toml'), '[profile.default]\naddress = "t:1"\n');
  expect(externalTemporal({ XDG_CONFIG_HOME: join(dir, 'theirs') })).toEqual(external('t:1'));
});

function withFiles(given: Record<string, string>): NodeJS.ProcessEnv {
  const file = given.TEMPORAL_CONFIG_FILE;
  return { XDG_CONFIG_HOME: dir, ...given, ...(file && { TEMPORAL_CONFIG_FILE: join(dir, `${file}.toml`) }) };
}

async function listed(where: Temporal): Promise<string[]> {
  const temporal = await connectTemporal(where);
  const ids: string[] = [];
  for await (const { workflowId } of temporal.client.workflow.list()) ids.push(workflowId);
  await temporal.close();
  return ids;
}
