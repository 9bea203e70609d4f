import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../local/command.ts';
import { startFakeServer } from '../fakes/model-server.ts';
import { labConfig, labData, labItems } from '../lab/config.ts';

const root = join(import.meta.dirname, '..', '..');

test('the packed package, installed elsewhere, runs a sweep from its config to its table', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'uturn-pack-'));
  await using fake = await startFakeServer({ latencyMs: 5 });
  const env = { ...process.env, UTURN_HOME: join(folder.path, 'home') };
  const here = async (program: string, ...args: string[]) => {
    const end = await runCommand(program, args, { cwd: folder.path, env });
    expect(end, `${program} ${args.join(' ')}`).toMatchObject({ code: 0 });
    return end.stdout;
  };

  const packed = await runCommand('npm', ['pack', '--pack-destination', folder.path], { cwd: root });
  expect(packed).toMatchObject({ code: 0 });
  const tarball = (await readdir(folder.path)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(folder.path, 'package.json'), '{ "private": true }');
  await here('npm', 'install', '--no-audit', '--no-fund', `./${tarball}`);

  const uturn = join(folder.path, 'node_modules', '.bin', 'uturn');
  expect(await here(uturn, '--help')).toContain('Usage: uturn');
  expect(await here(uturn, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);

  await writeFile(join(folder.path, 'sums.jsonl'), labData(labItems(6)));
  await writeFile(join(folder.path, 'sweep.yaml'), labConfig({ url: fake.url, model: fake.model }, {}));
  const summary: unknown = JSON.parse(await here(uturn, 'run', 'sweep.yaml', '--json'));
  expect(summary).toMatchObject({ samples: 6, cells: [{ model: 'fake' }] });
  expect(fake.stats().served).toBe(12);
});
