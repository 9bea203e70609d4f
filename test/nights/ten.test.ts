// Ten nights of a model that gets worse on the seventh, and is mended.
import { expect, test } from 'vitest';
import { night, nightLab, nightly, nightsIn } from './lab.ts';

const days = Array.from({ length: 10 }, (_, n) => `2026-03-${String(n + 1).padStart(2, '0')}`);

test('the gate fails on the night on which the model got worse, and on no other', async () => {
  await using lab = await nightLab();
  await lab.write('nightly.yaml', nightly);
  expect((await lab.run(['schedule', 'add', 'nightly.yaml'])).code).toBe(0);
  const verdicts: string[] = [];
  for (const [at, day] of days.entries()) {
    if (at === 6 || at === 7) {
      await lab.model.kill();
      await lab.model.start(at === 6 ? { answers: { wrong: 0.9 } } : {});
    }
    verdicts.push((await night(lab, day)).state);
  }
  // The first has nothing to be held against.
  expect(verdicts).toEqual([
    'inconclusive',
    ...Array<string>(5).fill('pass'),
    'fail',
    ...Array<string>(3).fill('pass'),
  ]);
  const seventh = (await nightsIn(lab))[6];
  expect(seventh?.why).toBe('fake sums T 0.7 accuracy');

  // Made up for once more, a night is the one that there is.
  const { served } = await lab.model.stats();
  expect((await night(lab, '2026-03-03')).state).toBe('pass');
  expect((await nightsIn(lab)).length).toBe(10);
  expect((await lab.model.stats()).served).toBe(served);
});
