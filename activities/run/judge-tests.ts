// What a run's judge said of frozen turns, each time it was tried.
import { z } from 'zod';
import type { JudgeFinding } from '../../domain/nights/judge-test.ts';
import { allVersions, latestNumber, putVersion, type Shape } from '../store/runs.ts';
import type { Store } from '../store/store.ts';

const folder = 'self-tests';
const count = z.int().min(0);

export const judgeTestSchema = z.looseObject({
  judge: z.string(),
  turns: z.array(
    z.looseObject({
      turn: z.string(),
      known: z.string(),
      said: z.looseObject({ label: z.string(), genuine: z.boolean() }).nullable(),
    }),
  ),
  requests: count,
  usage: z.looseObject({ prompt: count, completion: count }).nullable(),
  agreed: count,
  of: count,
  since: z.string().nullable(),
  changed: count.nullable(),
});

const judgeTest: Shape<JudgeFinding> = {
  what: 'what a judge said of frozen turns',
  holds: (value): value is JudgeFinding => judgeTestSchema.safeParse(value).success,
  advice: 'Restore it from a copy of the store, or delete it: the verdict of the night says it too.',
};

export async function putJudgeTest(store: Store, run: string, finding: JudgeFinding): Promise<void> {
  const n = ((await latestNumber(store, { run, name: folder })) ?? -1) + 1;
  await putVersion(store, run, { name: folder, n, value: finding });
}

/** The earliest first. */
export async function judgeTests(store: Store, run: string): Promise<JudgeFinding[]> {
  return (await allVersions(store, { run, name: folder }, judgeTest)).map(({ value }) => value);
}
