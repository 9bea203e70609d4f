// A judge that is another one for a night, and a night that asks other items than its baseline.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readVerdict } from '../../activities/nights/read.ts';
import { startFakeJudge } from '../fakes/judge-server.ts';
import { dataFile, labData, labItems } from '../lab/config.ts';
import { Lab } from '../lab.ts';
import { knowing } from './judging.ts';
import { night, nightLab, nightly } from './lab.ts';

test('a judge that drifts breaks its night, no model is asked or blamed, and later nights leave it out', async () => {
  await using judge = await startFakeJudge(knowing());
  await using lab = await Lab.start({
    items: 60,
    config: { name: 'sums', judge: { llm: { url: judge.url, model: 'judge', temperature: 0 } } },
  });
  await lab.write('nightly.yaml', nightly);
  expect((await lab.run(['schedule', 'add', 'nightly.yaml'])).code).toBe(0);
  const verdicts = [(await night(lab, '2026-03-01')).state, (await night(lab, '2026-03-02')).state];
  expect(verdicts).toEqual(['inconclusive', 'pass']);

  judge.play(knowing('new_task_prompt'));
  judge.reset();
  const { served } = await lab.model.stats();
  const third = await night(lab, '2026-03-03');
  expect(third).toMatchObject({ state: 'broken', self_test: { agreed: 12, of: 24 } });
  expect(third.why).toContain(
    'the judge judge decides 12 of 24 frozen turns as is known, and 22 is the least: tower-why came out as new_task_prompt',
  );
  expect([judge.asked().length, (await lab.model.stats()).served]).toEqual([24, served]);

  const told = await readFile(join(lab.dir, 'told', 'smoke-20260303T020000Z.md'), 'utf8');
  expect(told).toContain('Self-test: the judge judge decided 12 of 24 frozen turns as is known, and 12 otherwise than');
  const page = await lab.run(['schedule', 'show', 'smoke', '--html', 'nights.html']);
  expect(page.stdout).toMatch(/2026-03-03\S+ +broken +12 of 24 +smoke-20260303T020000Z +what measures does not/);
  expect(await readFile(join(lab.dir, 'nights.html'), 'utf8')).toContain('<td>broken</td><td>12 of 24</td>');

  judge.play(knowing());
  const fourth = await night(lab, '2026-03-04');
  expect(fourth).toMatchObject({ state: 'pass', self_test: { agreed: 24, of: 24 } });
  const verdict = await readVerdict(lab.store, { schedule: 'smoke', run: fourth.run ?? '' });
  expect(verdict?.baseline).toEqual(['smoke-20260301T020000Z', 'smoke-20260302T020000Z']);
  expect(verdict?.self_test).toMatchObject({ since: 'smoke-20260301T020000Z', changed: 0 });

  // A judge that was mended is asked anew, for the night that it broke too.
  expect(await night(lab, '2026-03-03', 'pass')).toMatchObject({ state: 'pass', self_test: { agreed: 24, of: 24 } });
});

test('a baseline that asked other items breaks the night, and its sentence names them', async () => {
  await using lab = await nightLab();
  const { run } = (await lab.run(['run', 'sweep.yaml', '--json'])).json;
  await lab.write('nightly.yaml', nightly.replace('{ nights: 5 }', `{ pinned: [${run}] }`));
  expect((await lab.run(['schedule', 'add', 'nightly.yaml'])).code).toBe(0);
  expect((await night(lab, '2026-03-01')).state).toBe('pass');
  await lab.write(dataFile, labData(labItems(63).slice(1)));
  const second = await night(lab, '2026-03-02');
  expect([second.state, second.why]).toEqual([
    'broken',
    'the baseline asked other items of sums: it lacks sum-0060, sum-0061, sum-0062; it has sum-0000, which this night has not',
  ]);
});

test.each([
  ['{ run: nobody }', 'baseline.run', 'there is no run nobody in '],
  ['{ pinned: [nobody, "../x"] }', 'baseline.pinned[0]', 'there is no run nobody in '],
])('a schedule over %s is refused when it is made', async (baseline, field, said) => {
  await using lab = await Lab.start({ items: 4 });
  await lab.write('nightly.yaml', nightly.replace('{ nights: 5 }', baseline));
  const { code, stderr } = await lab.run(['schedule', 'add', 'nightly.yaml']);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
  expect(stderr).toContain(field);
});
