// Blobs and plans: named by what they hold, and checked against it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getBlob, putBlob } from '../../../activities/store/blobs.ts';
import { getPlan, putPlan } from '../../../activities/store/plans.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { shortHashOf } from '../../../domain/records/canonical.ts';
import { memoryStore } from './memory.ts';

const said = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error) => (error instanceof ConfigProblem ? sentence(error) : error),
  );

test('any bytes, and any well-formed text, come back under their SHA-256', async () => {
  const store = memoryStore();
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' })), async (data) => {
      const digest = await putBlob(store, data);
      expect(Buffer.from(await getBlob(store, digest))).toEqual(Buffer.from(data));
      expect(await putBlob(store, data)).toBe(digest);
    }),
  );
});

test('the name of a blob is what sha256sum says', async () => {
  const store = memoryStore();
  expect(await putBlob(store, 'abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect([...store.files.keys()]).toEqual(['blobs/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad']);
});

test('text that UTF-8 would change is no blob', async () => {
  await expect(putBlob(memoryStore(), 'half \ud835')).rejects.toThrow('a blob of text must be well-formed Unicode');
});

test('a missing and a damaged blob are told apart, each with its file', async () => {
  const store = memoryStore();
  const digest = await putBlob(store, 'abc');
  store.files.set(`blobs/${digest}`, Buffer.from('abd'));
  expect(await said(getBlob(store, digest))).toBe(
    `memory:/blobs/${digest} this blob is damaged: its bytes do not have the SHA-256 in its name
  Delete it, then restore it from a copy of the store or plan the experiment again from its data.`,
  );
  store.files.delete(`blobs/${digest}`);
  expect(await said(getBlob(store, digest))).toBe(
    `memory:/blobs/${digest} this blob is missing
  Restore it from a copy of the store, or plan the experiment again from its data.`,
  );
});

const plan: Plan = {
  format: 1,
  kind: 'sweep',
  seed: 7,
  models: [],
  data: [],
  temperatures: [0, 0.5],
  samples: 2,
  limit: null,
  max_tokens: { assistant: 10, user: 20 },
  sampling: { top_p: 1, top_k: 0, min_p: 0, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 },
  judge: { rules: { overlap: 0.5, subsequence: 0.5, short_characters: 3 } },
  max_error_share: 0.1,
};

test('a plan has one id whatever the order of its fields, and comes back equal', async () => {
  const store = memoryStore();
  const id = await putPlan(store, plan);
  const turned = Object.fromEntries(Object.entries(plan).reverse()) as Plan;
  expect([await putPlan(store, turned), id.length, [...store.files.keys()]]).toEqual([id, 32, [`plans/${id}.json`]]);
  expect(id).toBe(shortHashOf(plan));
  expect(await getPlan(store, id)).toEqual(plan);
});

test('a missing and a damaged plan are told apart, each with its file', async () => {
  const store = memoryStore();
  const id = await putPlan(store, plan);
  for (const content of ['{"format":1}', '{', '']) {
    store.files.set(`plans/${id}.json`, Buffer.from(content));
    expect(await said(getPlan(store, id))).toBe(
      `memory:/plans/${id}.json this plan is damaged: it does not have the hash in its name
  Delete it, then restore it from a copy of the store or plan the experiment again from the same config.`,
    );
  }
  store.files.clear();
  expect(await said(getPlan(store, id))).toBe(
    `memory:/plans/${id}.json this plan is missing
  Check that UTURN_STORE names the store of this run, or plan the experiment again.`,
  );
});
