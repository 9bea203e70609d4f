// Real S3 servers, fetched once into the cache: moto from its wheels, versitygw built by Go.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../domain/records/canonical.ts';
import { cacheFolder, installOnce } from '../../local/cache.ts';
import { lastLines, runCommand } from '../../local/command.ts';
import { PIP_FLAGS, systemPython } from '../../local/python.ts';

const requirements = join(import.meta.dirname, 'requirements.txt');

/** A Python that has moto; 20 seconds the first time. */
export async function motoPython(): Promise<string> {
  const name = `moto-${sha256(await readFile(requirements, 'utf8')).slice(0, 16)}`;
  const folder = await installOnce(name, async (unfinished) => {
    console.error('installing moto, the S3 server of the tests (25 MB)');
    await succeed(await systemPython(), ['-m', 'venv', unfinished]);
    const install = [
      '-m',
      'pip',
      'install',
      ...PIP_FLAGS,
      '--no-compile',
      '--require-hashes',
      '--no-deps',
      '-r',
      requirements,
    ];
    await succeed(join(unfinished, 'bin', 'python'), install);
  });
  return join(folder, 'bin', 'python');
}

const versity = 'v1.8.0';
const versityName = `versitygw-${versity}`;

/** `UTURN_VERSITYGW`, else one that Go builds; minutes the first time. */
export async function versitygw(): Promise<string> {
  const ready = await versitygwAtHand();
  if (ready !== null) return ready;
  const folder = await installOnce(versityName, async (unfinished) => {
    console.error(`building ${versityName}`);
    const env = { ...process.env, GOBIN: unfinished, GOFLAGS: '-modcacherw' };
    await succeed('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${versity}`], env);
  });
  return join(folder, 'versitygw');
}

/** The same where it needs no building, else null. */
export async function versitygwAtHand(): Promise<string | null> {
  const given = process.env['UTURN_VERSITYGW'];
  if (given) return given;
  const built = join(cacheFolder(), versityName, 'versitygw');
  return existsSync(built) ? built : null;
}

async function succeed(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const end = await runCommand(program, args, { env });
  if (end.code !== 0) throw new Error(`${program} ${args.join(' ')}:${lastLines(end)}`);
}
