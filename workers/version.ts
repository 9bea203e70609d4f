// The version that a lab's worker polls as: runs stay with the one they began with. Workers of one machine's own have none.
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { ConfigProblem } from '../domain/problems.ts';
import { version } from '../local/version.ts';
import type { Role } from './start.ts';

/** As Temporal has it. `build` names the code of this worker, `deployment` what all builds of one lab are called. */
export type WorkerVersion = { deployment: string; build: string };

/** What was given on the command line; the environment counts where nothing was. */
export type GivenVersion = { deployment?: string | undefined; build?: string | undefined };

/**
 * Null where nobody asked for one, and for roles without: an engine's server belongs to no version, and `local` is one machine's own.
 * @throws ConfigProblem  asked for on the command line where there is none, or a name that Temporal refuses
 */
export async function workerVersion(
  role: Role,
  given: GivenVersion,
  env: NodeJS.ProcessEnv,
): Promise<WorkerVersion | null> {
  const isVersioned = role === 'control' || role === 'inference';
  if (given.deployment !== undefined && !isVersioned)
    throw new ConfigProblem(`a worker of role ${role} has no version`, {
      advice: 'Give --deployment to workers of the roles control and inference.',
    });
  const deployment = given.deployment || env['TEMPORAL_DEPLOYMENT_NAME'];
  if (!deployment || !isVersioned) return null;
  if (!/^[\w-][\w/-]{0,99}$/.test(deployment))
    throw new ConfigProblem(`a deployment cannot be called ${JSON.stringify(deployment)}`, {
      advice: 'Use letters, digits, "-", "_" and "/", such as uturn.',
    });
  const build = given.build || env['TEMPORAL_WORKER_BUILD_ID'] || (await buildId());
  if (!/^[\w.-]{1,100}$/.test(build))
    throw new ConfigProblem(`a build cannot be called ${JSON.stringify(build)}`, {
      advice: 'Use letters, digits, "-", "_" and ".", such as the tag of an image.',
    });
  return { deployment, build };
}

/** Long runs end on the version they began with; workflows that are shared by runs of several say otherwise themselves. */
export function deploymentOptions({ deployment, build }: WorkerVersion): WorkerDeploymentOptions {
  return {
    version: { deploymentName: deployment, buildId: build },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'PINNED',
  };
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The same for the same code, on any machine: uturn's version, and a digest of all that a worker runs. */
export async function buildId(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob('{activities,domain,local,report,workers,workflows}/**/*.{ts,js}', { cwd: root }))
    files.push(file);
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(join(root, file)));
  return `${version()}-${hash.digest('hex').slice(0, 8)}`;
}
