// The processes behind the checkers, with stand-ins for Python: what the real checkers say is in test/slow.
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { instructionVerifier } from '../../../activities/scoring/verifier.ts';
import { ConfigProblem } from '../../../domain/problems.ts';

const folder = await mkdtemp(join(tmpdir(), 'uturn-verifier-'));
afterAll(() => rm(folder, { recursive: true }));

const request = {
  family: 'ifeval' as const,
  instructions: [{ id: 'punctuation:no_comma', kwargs: {} }],
  reply: 'Rain.',
  seed: 'ifeval-1',
};
const followed = { results: [{ id: 'punctuation:no_comma', strict: true, loose: true }] };
const yes = `{"id":1,"results":[{"strict":true,"loose":true,"random":false,"reason":null}]}`;
const answering = `while read -r line; do echo '${yes}'; done`;

/** A shell script in the place of Python. Each start leaves a file, so that starts can be counted. */
async function standIn(name: string, script: string) {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\ntouch "${path}.start.$$"\n${script}\n`);
  await chmod(path, 0o755);
  const starts = async () => (await readdir(folder)).filter((file) => file.startsWith(`${name}.start.`)).length;
  return { path, starts };
}

test('two processes at most, started when they are needed, ended by closing', async () => {
  const { path, starts } = await standIn('answers', answering);
  let asked = 0;
  const verifier = instructionVerifier(async () => {
    asked += 1;
    return path;
  });
  expect([asked, await starts()]).toEqual([0, 0]);
  expect(await verifier.verify(request)).toEqual(followed);
  expect(await starts()).toBe(1);
  const many = await Promise.all(Array.from({ length: 20 }, () => verifier.verify(request)));
  expect(many).toEqual(Array(20).fill(followed));
  expect([asked, await starts()]).toEqual([1, 2]);
  await verifier.close();
});

test('a process that is killed is started again and asked again', async () => {
  const path = join(folder, 'once');
  await standIn(
    'once',
    `if [ ! -e ${path}.dead ]; then touch ${path}.dead; read -r line; kill -9 $$; fi; ${answering}`,
  );
  const verifier = instructionVerifier(async () => path);
  expect(await verifier.verify(request)).toEqual(followed);
  await verifier.close();
});

test('an item that kills its process twice is an error of that item, and the next one is checked', async () => {
  const { path } = await standIn(
    'picky',
    `while read -r line; do case $line in *deadly*) exit 9;; esac; echo '${yes}'; done`,
  );
  const verifier = instructionVerifier(async () => path);
  expect(await verifier.verify({ ...request, reply: 'deadly' })).toEqual({
    error: { kind: 'check_died', message: 'checking the instructions: the process that checks it died of it twice' },
  });
  expect(await verifier.verify(request)).toEqual(followed);
  await verifier.close();
});

test('an item that never ends is killed at its limit, and the next one is checked', async () => {
  const { path, starts } = await standIn(
    'hangs',
    `while read -r line; do case $line in *endless*) exec sleep 60;; esac; echo '${yes}'; done`,
  );
  const verifier = instructionVerifier(async () => path, { seconds: 0.1, graceMs: 400 });
  expect(await verifier.verify({ ...request, reply: 'endless' })).toEqual({
    error: { kind: 'check_timeout', message: 'checking the instructions: not finished after 0.5 s' },
  });
  const patient = instructionVerifier(async () => path);
  expect(await patient.verify(request)).toEqual(followed);
  expect(await starts()).toBe(2);
  await Promise.all([verifier.close(), patient.close()]);
});

test('dice and reasons come through, null and false stay apart', async () => {
  const results = [
    { strict: null, loose: null, random: false, reason: 'its check fails: Oh' },
    { strict: false, loose: true, random: true, reason: null },
  ];
  const { path } = await standIn('dice', `while read -r line; do echo '${JSON.stringify({ id: 1, results })}'; done`);
  const verifier = instructionVerifier(async () => path);
  const instructions = [...request.instructions, { id: 'startend:quotation', kwargs: {} }];
  expect(await verifier.verify({ ...request, instructions })).toEqual({
    results: [
      { id: 'punctuation:no_comma', strict: null, loose: null, reason: 'its check fails: Oh' },
      { id: 'startend:quotation', strict: false, loose: true, random: true },
    ],
  });
  await verifier.close();
});

test('checkers that are not installed, and a Python that is not there, are ours to mend', async () => {
  const { path } = await standIn('bare', `echo '{"fatal": "the answer checkers are not installed"}'; exit 3`);
  const bare = instructionVerifier(async () => path);
  await expect(bare.verify(request)).rejects.toThrow('the answer checkers are not installed');
  const nowhere = instructionVerifier(async () => '/nowhere/python');
  await expect(nowhere.verify(request)).rejects.toThrow('cannot start /nowhere/python, which checks answers');
});

test('an installation that fails is tried again by the next item', async () => {
  const { path } = await standIn('later', answering);
  let tries = 0;
  const verifier = instructionVerifier(async () => {
    tries += 1;
    if (tries === 1) throw new ConfigProblem('no network');
    return path;
  });
  await expect(verifier.verify(request)).rejects.toThrow('no network');
  expect(await verifier.verify(request)).toEqual(followed);
  await verifier.close();
});
