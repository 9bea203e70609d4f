// Everything a person can get wrong: one sentence that says what to change, an exit code, and nothing lost.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../local/until.ts';
import { startFakeServer } from '../fakes/model-server.ts';
import { startScriptedServer } from '../fakes/scripted-server.ts';
import type { CommandOptions } from '../lab/command.ts';
import type { LabConfig } from '../lab/config.ts';
import { Lab } from '../lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ items: 20 });
  await lab.write('deaf.jinja', 'Hello!');
});
afterAll(() => lab[Symbol.asyncDispose]());

type Wrong = {
  config?: LabConfig;
  args?: string[];
  opts?: () => CommandOptions;
  code?: number;
  says: string;
};

const data = (fields: Record<string, unknown>) => [{ set: 'jsonl', id: 'sums', path: 'sums.jsonl', ...fields }];
const tinyFiles: CommandOptions = { prefix: ['sh', '-c', 'ulimit -f 1; exec "$@"', 'sh'] };

const cases: Record<string, Wrong> = {
  'an unknown field': {
    config: { temperture: 0.5 },
    says: 'sweep.yaml:19  temperture: there is no such field.\n  Did you mean temperatures?',
  },
  'no such config': {
    args: ['run', 'nowhere.yaml'],
    says: 'nowhere.yaml the config cannot be read: there is no such file\n  Give the path of an experiment file, such as configs/quickstart.yaml.',
  },
  'no such data file': {
    config: { data: data({ path: 'nowhere.jsonl' }) },
    says: 'nowhere.jsonl does not exist.\n  Give the path of the data file; a relative one counts from the folder of the config.',
  },
  'another data file than the one that was meant': {
    config: { data: data({ sha256: '0'.repeat(64) }) },
    says: `sums.jsonl has the SHA-256 4121242c445115f892a6c1d939c01e316652949d42f64e12bf9ee8a2e6741a6a, but ${'0'.repeat(64)} is stated.\n  The file is another one, or was changed. Get the stated one, or state the new checksum.`,
  },
  'nobody at the address': {
    config: { model: { url: 'http://127.0.0.1:9/v1' } },
    says: 'sweep.yaml:4  models[0]: nobody answers at http://127.0.0.1:9/v1 (ECONNREFUSED)\n  Start the model server, or correct its address.',
  },
  'a key that is not set': {
    config: { model: { api_key_env: 'UTURN_TEST_KEY' } },
    says: "sweep.yaml:4  models[0]: the environment variable UTURN_TEST_KEY, which holds the model server's key, is not set here\n  Set it where the worker is started: export UTURN_TEST_KEY=…, then `uturn down` and run again.",
  },
  'a model that is not served': {
    config: { model: { model: 'another' } },
    says: 'sweep.yaml:4  models[0]: the server at <model> does not serve another; it serves fake-chat\n  Name one of its models in the config, or start the server with this one.',
  },
  'no such template': {
    config: { model: { template: 'nowhere.jinja' } },
    says: "sweep.yaml:4  models[0]: the chat template <dir>/nowhere.jinja cannot be read: ENOENT: no such file or directory, open '<dir>/nowhere.jinja'\n  Check the path (it is relative to the config).",
  },
  'a template that does not print the conversation': {
    config: { model: { template: 'deaf.jinja' } },
    says: 'sweep.yaml:4  models[0]: this chat template cannot be probed: the two turns put into it do not both come out, once and in order\n  Tried: the conversation, then ‹assistant› and ‹user› as two more turns. It printed, at its end: Hello!\n  Give a template that prints plain messages.',
  },
  'a limit of none': {
    args: ['run', 'sweep.yaml', '--limit', '0'],
    says: "error: option '--limit <n>' argument '0' is invalid. It must be a whole number from 1.\nTry --help.",
  },
  'a store that is a file': {
    opts: () => ({ env: { UTURN_STORE: join(lab.dir, 'sums.jsonl') } }),
    says: "<dir>/sums.jsonl/format.json the store cannot be used: ENOTDIR: not a directory, open '<dir>/sums.jsonl/format.json'\n  A file stands where a folder is needed. Move it away, or set UTURN_STORE to another folder.",
  },
  'a home that is a file': {
    opts: () => ({ env: { UTURN_HOME: join(lab.dir, 'sums.jsonl') } }),
    says: '<dir>/sums.jsonl cannot be used: a file stands where a folder should be.\n  Set UTURN_HOME to a folder that can be written, or start uturn somewhere else.',
  },
  'a run that is not there': {
    args: ['resume', 'lab-00000000'],
    says: 'there is no run lab-00000000 in file://<home>/store\n  The store holds no run yet.',
  },
  'a disk that takes no more': {
    opts: () => tinyFiles,
    code: 1,
    says: '<home>/store/blobs/ad6638f0a96fa3296ab18352473cd3f81569039ae33de1beb2a6fe15de5235af: EFBIG: file too large, write',
  },
};

test.each(Object.entries(cases))(
  '%s',
  async (_, { config, args = ['run', 'sweep.yaml', '--json'], opts, code = 2, says }) => {
    await lab.config(config);
    const ended = await lab.run(args, opts?.());
    expect({ code: ended.code, stdout: ended.stdout, says: plain(ended.stderr) }).toEqual({ code, stdout: '', says });
    expect((await lab.model.stats()).received).toBe(0);
  },
);

test('a key that the server refuses', async () => {
  await using locked = await startFakeServer({ apiKey: 'the right one' });
  await lab.config({ model: { url: locked.url, api_key_env: 'UTURN_TEST_KEY' } });
  const { code, stderr } = await lab.run(['run', 'sweep.yaml'], { env: { UTURN_TEST_KEY: 'a-wrong-one' } });
  expect([code, stderr.replace(`${locked.url}/v1`, '<model>')]).toEqual([
    2,
    'sweep.yaml:4  models[0]: the model server at <model> refused the key (401)\n  Name the environment variable that holds its key beside the address (`api_key_env`), and set it where the worker starts.\n',
  ]);
});

test('a server that only chats ends the run with a sentence, at the first request', async () => {
  await using chats = await startScriptedServer(({ path }) =>
    path === '/v1/models'
      ? { body: { object: 'list', data: [{ id: 'fake-chat' }] } }
      : { status: 404, body: { detail: 'Not Found' } },
  );
  const chatml =
    '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';
  await lab.write('chatml.jinja', chatml);
  await lab.config({ name: 'chats', model: { url: chats.url, template: 'chatml.jinja' } });
  const { code, stderr } = await lab.run(['run', 'sweep.yaml', '--json']);
  expect(code).toBe(1);
  expect(stderr.replaceAll(`${chats.url}/v1`, '<model>')).toContain(
    'the server at <model> serves fake-chat, but has no /v1/completions\n  A server that only chats cannot be asked for a user turn: it needs raw completions, as vLLM and llama.cpp have them.\n',
  );
});

test('an engine of another version than the plan was made with is not asked', async () => {
  const old = await startFakeServer({ version: '0.31.0', latencyMs: 120_000 });
  await lab.config({ name: 'versions', limit: 2, model: { url: old.url } });
  const running = lab.begin(['run', 'sweep.yaml', '--json']);
  expect(await until(() => old.stats().in_flight > 0, 60_000)).toBe(true);
  await old.stop();
  await using newer = await startFakeServer({ version: '0.32.0', port: old.port });
  const { code, stderr } = await running.done;
  expect(code).toBe(1);
  expect(stderr.replaceAll(`${newer.url}/v1`, '<model>')).toContain(
    '<model> runs vllm 0.32.0, and the plan of fake was made with vllm 0.31.0',
  );
});

function plain(text: string): string {
  const names = { [lab.home.dir]: '<home>', [lab.dir]: '<dir>', [`${lab.model.url}/v1`]: '<model>' };
  return Object.entries(names)
    .reduce((said, [name, word]) => said.replaceAll(name, word), text)
    .trimEnd();
}
