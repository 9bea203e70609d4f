// A real S3 server of a test's own, with a bucket in it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '../../local/ports.ts';
import { until } from '../../local/until.ts';
import { motoPython, versitygw } from './environment.ts';

/** A bucket, and what a process needs in its environment to use it: nobody's own settings. */
export type Bucket = { bucket: string; env: Record<string, string> };

export type BucketServer = Bucket & { kind: ServerKind; url: string } & AsyncDisposable;

export type ServerKind = 'moto' | 'versitygw';

const bucket = 'lab-records';
const key = { id: 'lab', secret: 'lab-secret-key' };

/** Moto unless `UTURN_TEST_S3` says versitygw, or `kind` does. */
export async function startBucketServer(kind: ServerKind = kindInUse()): Promise<BucketServer> {
  const { url, stop } = await (kind === 'moto' ? startMoto() : startVersitygw());
  const env = bucketEnvironment(url);
  const credentials = { accessKeyId: key.id, secretAccessKey: key.secret };
  const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { kind, url, bucket, env, [Symbol.asyncDispose]: stop };
}

/** The settings of `env` in this process. */
export function useEnvironment(env: Record<string, string>): void {
  Object.assign(process.env, env);
}

export function bucketEnvironment(url: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: key.id,
    AWS_SECRET_ACCESS_KEY: key.secret,
    AWS_SESSION_TOKEN: '',
    AWS_PROFILE: '',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

function kindInUse(): ServerKind {
  return process.env['UTURN_TEST_S3'] === 'versitygw' ? 'versitygw' : 'moto';
}

type Started = { url: string; stop(): Promise<void> };

async function startMoto(): Promise<Started> {
  const python = await motoPython();
  // Nobody's settings are a server's, those of an earlier test least.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const child = spawn(python, [join(import.meta.dirname, 'serve.py')], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  const port = await new Promise<string>((said, failed) => {
    createInterface(child.stdout).once('line', said);
    void closed.then(() => failed(new Error('moto did not start')));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}

/** It knows no end but a signal, and must not outlive who started it. */
const untilStdinEnds = '"$0" "$@" & read -r _; kill $!; wait $!; rm -rf "$FOLDER"';

async function startVersitygw(): Promise<Started> {
  const program = await versitygw();
  const folder = await mkdtemp(join(tmpdir(), 'uturn-bucket-'));
  const port = await freePort(null);
  const env = { ...process.env, ROOT_ACCESS_KEY: key.id, ROOT_SECRET_KEY: key.secret, FOLDER: folder };
  const args = ['--quiet', '--port', `127.0.0.1:${port}`, 'posix', folder];
  const child = spawn('sh', ['-c', untilStdinEnds, program, ...args], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  const closed = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  if (!(await until(answers, 30_000, { everyMs: 50 }))) throw new Error('versitygw did not start');
  return {
    url,
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}
