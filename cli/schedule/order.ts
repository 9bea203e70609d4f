// From an experiment's file to what a schedule begins each night.
import { dirname, resolve } from 'node:path';
import { putExperiment } from '../../activities/nights/experiment.ts';
import { planExperiment } from '../../activities/planning/plan.ts';
import { findRun, readEnding } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import type { Store } from '../../activities/store/store.ts';
import type { NightOrder } from '../../domain/nights/night.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { type NightlySpec, nightlySpec } from '../../domain/spec/nightly.ts';
import { readSpec, specOf } from '../../domain/spec/read.ts';
import { readConfig } from '../config.ts';
import { say } from '../finish.ts';
import type { Reading } from '../session.ts';

export type Given = { cron?: string; every?: string; timezone?: string; name?: string };
export type When = NonNullable<NightlySpec['when']>;

/**
 * Plans the experiment once, so that what is wrong with it is told now and not at night.
 * @throws ConfigProblem  in either file, on the command line, or because no time is given
 */
export async function orderFrom(
  reading: Reading,
  file: string,
  given: Given,
): Promise<{ order: NightOrder; when: When }> {
  const spec = await nightlyIn(file);
  const when = whenOf(spec, { ...given, file });
  const sweep = await readConfig(spec.experiment);
  specOf(sweep, 'sweep');
  await checkBaseline(reading.store, spec.baseline, file);
  const { plan } = await planExperiment(sweep, { ...reading, report: say, limit: null });
  await checkCells(reading.store, plan, { ...spec.baseline, file });
  const schedule = given.name ?? spec.name;
  const order: NightOrder = {
    schedule,
    experiment: { file: resolve(sweep.file), text: await putExperiment(reading.store, schedule, sweep.text) },
    baseline: spec.baseline,
    gate: spec.gate,
    self_test: spec.self_test,
    notify: { ...spec.notify, beside: dirname(resolve(file)) },
  };
  return { order, when };
}

/** That it is there is told now; that its items are the same, each night. */
async function checkBaseline(store: Store, { run, pinned }: NightlySpec['baseline'], file: string): Promise<void> {
  for (const [at, name] of (pinned ?? [run]).entries()) {
    if (name === null) continue;
    const place = { file, field: pinned === null ? 'baseline.run' : `baseline.pinned[${at}]` };
    if ((await findRun(store, name)) === null)
      throw new ConfigProblem(`there is no run ${name} in ${store.uri}`, {
        place,
        advice: 'uturn list shows the runs there are.',
      });
    if ((await readEnding(store, name))?.end.state !== 'complete')
      throw new ConfigProblem(`the run ${name} is not complete`, {
        place,
        advice: `Go on with it (uturn resume ${name}), or name another one.`,
      });
  }
}

type Baseline = NightlySpec['baseline'] & { file: string };

/** @throws ConfigProblem  a run of the baseline measured nothing that a night will: each would have nothing to compare with */
async function checkCells(store: Store, plan: Plan, { run, pinned, file }: Baseline): Promise<void> {
  const wanted = cellsOf(plan);
  for (const [at, name] of (pinned ?? [run]).entries()) {
    const doc = name === null ? null : await findRun(store, name);
    if (doc === null) continue;
    const measured = cellsOf(await getPlan(store, doc.plan));
    if (measured.some((cell) => wanted.includes(cell))) continue;
    throw new ConfigProblem(`the run ${name} has no cell of this experiment, so no night could be held against it`, {
      place: { file, field: pinned === null ? 'baseline.run' : `baseline.pinned[${at}]` },
      advice: `It measured ${shortened(measured)}; a night measures ${shortened(wanted)}.`,
    });
  }
}

function cellsOf({ models, data, temperatures }: Plan): string[] {
  return models.flatMap((model) =>
    data.flatMap((set) => temperatures.map((temperature) => `${model.id} × ${set.id} × ${temperature}`)),
  );
}

function shortened(cells: string[]): string {
  return cells.length <= 6 ? cells.join(', ') : `${cells.slice(0, 6).join(', ')} and ${cells.length - 6} more`;
}

/** A sweep stands for the nightly of its name, with everything else as it is without being said. */
async function nightlyIn(file: string): Promise<NightlySpec> {
  const config = await readConfig(file);
  const read = readSpec(config.text, config);
  if ('spec' in read && read.spec.kind === 'sweep')
    return nightlySpec.parse({ kind: 'nightly', name: read.spec.name, experiment: resolve(file) });
  const { spec } = specOf(config, 'nightly');
  return { ...spec, experiment: resolve(dirname(file), spec.experiment) };
}

function whenOf({ when }: NightlySpec, { cron, every, timezone, file }: Given & { file: string }): When {
  if (cron !== undefined && every !== undefined)
    throw new ConfigProblem('--cron and --every both say when', { advice: 'Give one of the two.' });
  const base = when ?? nightlySpec.shape.when.unwrap().unwrap().parse({ every: '1d' });
  const asked = cron === undefined && every === undefined ? null : { cron: cron ?? null, every: every ?? null };
  if (when === null && asked === null)
    throw new ConfigProblem('nothing says when', {
      place: { file, field: 'when' },
      advice: 'Add `when: { cron: "0 2 * * *" }` to a nightly, or give --cron or --every.',
    });
  return { ...base, ...asked, ...(timezone !== undefined && { timezone }) };
}
