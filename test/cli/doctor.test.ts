import { access, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Check } from '../../local/doctor.ts';
import { command } from '../lab/command.ts';

/** `uturn <args>` in a folder where nothing is yet. */
async function nowhere<Json>(args: string[], env: NodeJS.ProcessEnv = {}) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'uturn-doctor-'));
  await writeFile(join(folder.path, 'a-file'), 'not a store\n');
  const home = join(folder.path, '.uturn');
  const own = { ...process.env, UTURN_HOME: home, UTURN_STORE: '', TEMPORAL_ADDRESS: '', UTURN_VLLM_PYTHON: '' };
  const ran = await command<Json>(args, { cwd: folder.path, env: { ...own, ...env } }).done;
  const made = await access(home).then(
    () => 'home made' as const,
    () => 'nothing made' as const,
  );
  return { ...ran, made };
}

test('a machine that has everything is told so, and nothing is made there', async () => {
  const { code, json, stderr, made } = await nowhere<{ checks: Check[] }>(['doctor', '--json']);
  expect([code, stderr, made]).toEqual([0, '', 'nothing made']);
  expect(json.checks.map(({ name, ok, fix }) => [name, ok, fix])).toEqual(
    ['node', 'python', 'temporal', 'model', 'vllm', 'cache', 'home', 'store', 'disk', 'git', 'watching'].map((name) => [
      name,
      true,
      '',
    ]),
  );
});

test('what is missing stands out, with what to do about it', async () => {
  const { code, stdout } = await nowhere(['doctor'], { UTURN_STORE: 'a-file' });
  expect(code).toBe(2);
  expect(stdout).toMatch(/^MISSING {2}store +the store cannot be used: ENOTDIR.*$/m);
  expect(stdout.match(/^MISSING/gm)).toHaveLength(1);
  expect(stdout.slice(stdout.indexOf('\n\n'))).toBe(
    '\n\nstore: A file stands where a folder is needed. Move it away, or set UTURN_STORE to another folder.\n',
  );
});

test('how workers here would be watched is said, and what stands against it', async () => {
  const { json } = await nowhere<{ checks: Check[] }>(['doctor', '--json'], { UTURN_METRICS: '1', UTURN_LOG: 'debug' });
  expect(json.checks.at(-1)).toEqual({
    name: 'watching',
    ok: true,
    found: 'logs: debug, text; metrics: at 127.0.0.1:1, where no worker shows them yet; traces: none',
    fix: '',
  });
  const away = await nowhere(['doctor'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expect(away.stdout).toMatch(/^MISSING {2}watching +traces go to http:\/\/127\.0\.0\.1:1, where nobody listens$/m);
  const odd = await nowhere(['doctor'], { UTURN_LOG_FORMAT: 'xml' });
  expect(odd.stdout).toMatch(/watching: Give one of text, json\.\n$/);
});

test('a role that no worker has is a sentence', async () => {
  const { code, stdout, stderr } = await nowhere(['worker', '--role', 'trainer']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    "error: option '--role <role>' argument 'trainer' is invalid. Allowed choices are control, inference, gpu, local.\nTry --help.\n",
  );
});
