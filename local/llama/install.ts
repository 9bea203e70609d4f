// The engine, node-llama-cpp: too big for everybody's node_modules, so it is installed on first use.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigProblem } from '../../domain/problems.ts';
import { shortHashOf } from '../../domain/records/canonical.ts';
import { installOnce } from '../cache.ts';
import { lastLines, runCommand } from '../command.ts';
import type { Report } from '../python.ts';

/** `entry` is the module to import. `gpu` is what the platform's binary has to be asked for. */
export type Engine = { entry: string; version: string; gpu: false | 'metal' };

const PINNED = join(import.meta.dirname, 'engine');
const NAME = 'node-llama-cpp';

// The packages that hold the plain CPU binaries. On Apple silicon there is only one with Metal in it.
const BINARIES: Record<string, string> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
};

const lockSchema = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), optional: z.boolean().optional() })),
});
const packageSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/**
 * The engine in the cache, installed on first use (about 85 MB) from the lock file in `engine/`.
 * @throws ConfigProblem  no binary for this platform, no npm, or the packages cannot be fetched
 */
export async function installEngine(opts: Report): Promise<Engine> {
  const platform = `${process.platform}-${process.arch}`;
  const binary = BINARIES[platform];
  if (!binary) {
    throw new ConfigProblem(
      `the local model does not run on ${platform}, only on ${Object.keys(BINARIES).join(', ')}`,
      {
        advice: 'Give the address of a model server instead (url: in the config).',
      },
    );
  }
  const pinned = await pinnedFor(binary);
  const name = `llama-${pinned.version}-${platform}-${shortHashOf(pinned).slice(0, 8)}`;
  const folder = await installOnce(name, (unfinished) => install(unfinished, { ...pinned, report: opts.report }), {
    ...(opts.cache !== undefined && { cache: opts.cache }),
    onWait: () => opts.report('waiting for another uturn that is installing the local model server'),
  });
  return {
    entry: join(folder, 'node_modules', NAME, 'dist', 'index.js'),
    version: pinned.version,
    gpu: binary.endsWith('-metal') ? 'metal' : false,
  };
}

type Pinned = { manifest: z.infer<typeof packageSchema>; lock: z.infer<typeof lockSchema>; version: string };

/**
 * The pinned packages with this platform's binary made a plain dependency. npm installs optional dependencies all or
 * none, and all of them are 700 MB of binaries for graphics cards; so this one is required and the rest is left out.
 */
async function pinnedFor(binary: string): Promise<Pinned> {
  const manifest = packageSchema.parse(JSON.parse(await readFile(join(PINNED, 'package.json'), 'utf8')));
  const lock = lockSchema.parse(JSON.parse(await readFile(join(PINNED, 'package-lock.json'), 'utf8')));
  const version = lock.packages[`node_modules/${NAME}`]?.version;
  const entry = lock.packages[`node_modules/${binary}`];
  if (!version || !entry || entry.version !== version)
    throw new Error(`engine/package-lock.json does not pin ${binary}`);

  const { optional: _, ...required } = entry;
  const dependencies = { ...manifest.dependencies, [binary]: version };
  const root = { ...lock.packages[''], dependencies };
  return {
    manifest: { ...manifest, dependencies },
    lock: { ...lock, packages: { ...lock.packages, '': root, [`node_modules/${binary}`]: required } },
    version,
  };
}

async function install(folder: string, { manifest, lock, version, report }: Pinned & Report): Promise<void> {
  report(`installing the local model server (${NAME} ${version}, about 85 MB)`);
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock, null, 2));
  const npm = await runCommand('npm', ['ci', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
  if (npm.missing) {
    throw new ConfigProblem('the local model server cannot be installed: there is no npm on PATH', {
      advice: 'Install npm (it comes with Node), or give the address of a model server instead (url: in the config).',
    });
  }
  if (npm.code !== 0) {
    throw new ConfigProblem(`the local model server could not be installed; npm said:${lastLines(npm)}`, {
      advice: 'Check the network and the registry npm is set up to use, then start again.',
    });
  }
  report('installed the local model server');
}
