// The workflows' code as one bundle, built once per state of the source.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const tracing = createRequire(import.meta.url).resolve(
  '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors',
);

const root = fileURLToPath(new URL('..', import.meta.url));

/** `traced`: with what makes spans of workflows. */
export type BundleKind = 'plain' | 'traced';

/** `versioned`: for a worker that polls as a version. */
export type BundleFor = 'unversioned' | 'versioned';

/** Path of the bundle, made when none fits today's sources. */
export async function workflowBundle(
  cacheFolder: string,
  kind: BundleKind = 'plain',
  whom: BundleFor = 'unversioned',
): Promise<string> {
  const folder = join(cacheFolder, 'bundles');
  const path = join(
    folder,
    `workflows-${kind === 'plain' ? '' : `${kind}-`}${whom === 'versioned' ? 'versioned-' : ''}${await sourceDigest()}.js`,
  );
  if (existsSync(path)) return path;
  const name = join(root, 'workflows', whom === 'versioned' ? 'versioned' : 'index');
  const entry = existsSync(`${name}.ts`) ? `${name}.ts` : `${name}.js`;
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    workflowInterceptorModules: kind === 'traced' ? [tracing] : [],
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  return path;
}

async function sourceDigest(): Promise<string> {
  // What is bundled with them: a checkout locks it, the built package, one folder deeper, pins it.
  const files = [existsSync(join(root, 'package-lock.json')) ? 'package-lock.json' : '../package.json'];
  for await (const file of glob('{workflows,domain}/**/*.{ts,js}', { cwd: root })) files.push(file);
  const hash = createHash('sha256').update(process.version);
  for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)).catch(() => ''));
  return hash.digest('hex').slice(0, 16);
}
