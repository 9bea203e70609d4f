import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReplayedWorkflow } from '../../cli/replay/history.ts';
import { whyNot } from '../../cli/replay/why-not.ts';
import { type Desk, openDesk } from './uturn.ts';

const golden = join(import.meta.dirname, '..', 'histories', 'golden');

let at: Desk;
beforeAll(async () => {
  at = await openDesk();
});
afterAll(() => at[Symbol.asyncDispose]());

type Told = { equal: boolean; workflows: ReplayedWorkflow[] };

test('histories in files are replayed without Temporal, each on its own', async () => {
  for (const name of ['continued-0-sweep', 'continued-1-campaign', 'continued-2-campaign'])
    await cp(join(golden, `${name}.json`), join(at.dir, 'sound', `${name}.json`));
  const { code, json } = await at.uturn<Told>(['replay', 'any', '--history', '--history-file', 'sound', '--json']);
  expect([code, json.equal]).toEqual([0, true]);
  expect(json.workflows.map(({ type, workflow, why }) => [type, workflow, why])).toEqual([
    ['sweep', 'continued', null],
    ['campaign', 'continued/a', null],
    ['campaign', 'continued/a', null],
  ]);
  expect(new Set(json.workflows.map(({ execution }) => execution)).size).toBe(3);
});

test('where today’s code goes another way, it is said which workflow that is and where', async () => {
  await mkdir(join(at.dir, 'changed'));
  for (const name of ['plain-0-sweep', 'plain-1-campaign']) {
    const text = await readFile(join(golden, `${name}.json`), 'utf8');
    await writeFile(join(at.dir, 'changed', `${name}.json`), text.replaceAll('"userTurns"', '"otherTurns"'));
  }
  const { code, stdout } = await at.uturn(['replay', 'any', '--history', '--history-file', 'changed']);
  expect([
    code,
    stdout
      .replaceAll(/plain\/[ab]/g, 'plain/a')
      .replaceAll(/execution [0-9a-f-]+, \d+ events/g, 'execution ID, N events'),
  ]).toEqual([
    1,
    'goes on  sweep plain, execution ID, N events\n' +
      'CANNOT GO ON  campaign plain/a, execution ID, N events\n' +
      "  where its history has activity type 'otherTurns', today's code asks for 'userTurns'\n" +
      'Today’s workflow code does not do what 1 of 2 histories say. How to change a workflow: docs/changing-workflows.md\n',
  ]);
});

test.each([
  [
    'nowhere',
    'nowhere cannot be read: there is no such file or folder\n  Give a history as JSON, or a folder of them.\n',
  ],
  [
    'notes.json',
    'notes.json this file holds no history of a workflow\n  Give what --save-histories has written, or: temporal workflow show --workflow-id <id> --output json\n',
  ],
])('%s is refused', async (file, said) => {
  await writeFile(join(at.dir, 'notes.json'), '{"events":[]}');
  const { code, stdout, stderr } = await at.uturn(['replay', 'any', '--history', '--history-file', file]);
  expect([code, stdout, stderr]).toEqual([2, '', said]);
});

const details = (message: string) =>
  `Replay failed with a nondeterminism error. Details: Workflow activation completion failed: Failure { failure: Some(Failure { message: "${message}", source: "" }) }`;

test.each([
  [
    details(
      "[TMPRL1100] Nondeterminism error: Child workflow id of scheduled event 'a/zz' does not match child workflow id of command 'a/b'",
    ),
    "where its history has child workflow id 'a/zz', today's code asks for 'a/b'",
  ],
  [
    details("Failed to initialize workflow of type 'grid': no such function is exported by the workflow bundle"),
    "today's code has no workflow 'grid'",
  ],
  [
    details('[TMPRL1100] Nondeterminism error: No command scheduled for event \\"x\\"'),
    'No command scheduled for event "x"',
  ],
  ['something else', 'something else'],
])('an error of the SDK is told in plain words: %#', (message, words) => {
  expect(whyNot(new Error(message))).toBe(words);
});
