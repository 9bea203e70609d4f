// The Compose file, read and not run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { roles } from '../../workers/start.ts';
import { page, tableRows } from '../docs/pages.ts';
import { compose, exampleVariables, read, root, type Service, stages } from './files.ts';

const { services, volumes } = compose();
const all = Object.entries(services);

/** What images that are not ours read, by their makers' documentation. */
const foreign: Record<string, string[]> = {
  'postgres:17.6': ['POSTGRES_USER', 'POSTGRES_PASSWORD'],
  'temporalio/admin-tools:1.31.2': [
    'POSTGRES_SEEDS',
    'POSTGRES_USER',
    'SQL_PASSWORD',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
    'RETENTION',
  ],
  'temporalio/server:1.31.2': [
    'DB',
    'DB_PORT',
    'POSTGRES_SEEDS',
    'POSTGRES_USER',
    'POSTGRES_PWD',
    'BIND_ON_IP',
    'DYNAMIC_CONFIG_FILE_PATH',
  ],
  'temporalio/ui:2.52.0': ['TEMPORAL_ADDRESS', 'TEMPORAL_DEFAULT_NAMESPACE'],
  'versity/versitygw:v1.8.0': [
    'VGW_BACKEND',
    'VGW_BACKEND_ARG',
    'VGW_PORT',
    'VGW_HEALTH',
    'ROOT_ACCESS_KEY_ID',
    'ROOT_SECRET_ACCESS_KEY',
  ],
  'prom/prometheus:v3.5.0': [],
  'verlai/verl:vllm017.latest': ['HF_HUB_OFFLINE', 'VLLM_NO_USAGE_STATS'],
};

/** The AWS SDK's own, which a store on S3 goes by. */
const aws = ['AWS_ENDPOINT_URL_S3', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

const isOurs = ({ image }: Service) => image.startsWith('uturn-');

test('there is a worker of every role, from the image of that role', () => {
  const built = all.flatMap(([name, { build }]) => (build ? [{ name, target: build.target }] : []));
  const packed = roles.filter((role) => role !== 'local');
  expect(built).toEqual(packed.map((role) => ({ name: role, target: role })));
  expect(built.filter(({ target }) => !stages().some(({ name }) => name === target))).toEqual([]);
});

test('a worker may take as long to stop as its shutdown may', () => {
  const worker = all.filter(([, { build }]) => build).map(([, { stop_grace_period: grace }]) => grace);
  expect(worker).toEqual(['11m', '11m', '11m']);
  expect(read('workers/start.ts')).toContain("shutdownGraceTime: '10 minutes'");
});

test('every variable that is set is one that its image reads', () => {
  const ours = tableRows(page('docs/config.md'), 'variable').flatMap(([names = '']) => names.match(/\w+/g) ?? []);
  const unknown = all.flatMap(([name, one]) => {
    const known = isOurs(one) ? [...ours, ...aws] : (foreign[one.image] ?? []);
    return Object.keys(one.environment).flatMap((variable) =>
      known.includes(variable) ? [] : [`${name}: ${variable}`],
    );
  });
  expect(unknown).toEqual([]);
});

test('every image that is not ours has a version', () => {
  expect(Object.keys(foreign).toSorted()).toEqual(
    [...new Set(all.filter(([, one]) => !isOurs(one)).map(([, { image }]) => image))].toSorted(),
  );
});

test('whatever is published is published where BIND says, on this machine alone unless it says', () => {
  const published = all.flatMap(([, { ports }]) => ports);
  expect(published.length).toBeGreaterThan(3);
  expect(published.filter((port) => !/^\$\{BIND:-127\.0\.0\.1\}:(\d+):\1$/.test(port))).toEqual([]);
});

test('what others wait for says when it is ready, and addresses name services', () => {
  const waits = all.flatMap(([, { depends_on: on }]) => Object.entries(on));
  const unready = waits.filter(([name, { condition }]) => {
    const one = services[name];
    return condition === 'service_healthy' ? !one?.healthcheck : one?.restart === 'unless-stopped';
  });
  expect(unready).toEqual([]);
  const named = all.flatMap(([, { environment }]) =>
    Object.values(environment).flatMap((value) => /^(?:http:\/\/)?([a-z0-9-]+):\d+$/.exec(value)?.[1] ?? []),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => services[name] === undefined)).toEqual([]);
});

test('volumes are declared and used, and paths of this project exist', () => {
  const mounted = all.flatMap(([, { volumes: some }]) => some.map((mount) => mount.split(':')[0] ?? ''));
  expect([...new Set(mounted.filter((from) => /^[a-z]/.test(from)))].toSorted()).toEqual(
    Object.keys(volumes).toSorted(),
  );
  const paths = mounted.filter((from) => from.startsWith('.'));
  expect(paths.filter((path) => !existsSync(join(root, 'infra', path)))).toEqual([]);
  const scripts = all.flatMap(([, { entrypoint, environment }]) =>
    [...(entrypoint ?? []), ...Object.values(environment)].filter((word) => word.startsWith('/setup/')),
  );
  expect(scripts.map((path) => existsSync(join(root, path.replace('/setup/', 'infra/temporal/'))))).toEqual([
    true,
    true,
    true,
  ]);
});

test('the example names every variable that the file asks for, and gives no secret', () => {
  const asked = new Set([...read('infra/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  const given = exampleVariables();
  expect(Object.keys(given).toSorted()).toEqual([...asked].toSorted());
  expect(Object.entries(given).filter(([name, value]) => /PASSWORD|SECRET/.test(name) && value !== '')).toEqual([]);
  const required = [...read('infra/compose.yaml').matchAll(/\$\{(\w*(?:PASSWORD|SECRET\w*|ACCESS_KEY))(.)/g)];
  expect(required.filter(([, , how]) => how !== ':')).toEqual([]);
});
