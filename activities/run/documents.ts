// Reading what is under `runs/<run>/`.
import type { CampaignProgress, PinBatch } from '../../domain/plan/boundary.ts';
import type { Pin } from '../../domain/plan/graph.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { isSafeName } from '../store/paths.ts';
import { allVersions, latest, latestNumber, listRuns, readDoc } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { pinBatch, type RunEnding, runDoc, runEnding, withheldData } from './shapes.ts';

export type { RunEnding } from './shapes.ts';

/** Folder of a campaign's pin batches within a run. */
export function pinsName(execution: number, model: string): string {
  return `pins/${String(execution).padStart(4, '0')}/${model}`;
}

/** @throws ConfigProblem naming the runs that are there */
export async function readRun(store: Store, run: string): Promise<RunDoc> {
  const doc = await findRun(store, run);
  if (doc !== null) return doc;
  const known = await listRuns(store);
  if (known.includes(run)) {
    throw new ConfigProblem('this file is missing, which says what the run was started with', {
      place: { file: `${store.uri}/runs/${run}/${runFile}` },
      advice: 'Restore it from a copy of the store, or run the same config again: what was computed is found.',
    });
  }
  throw new ConfigProblem(`there is no run ${run} in ${store.uri}`, {
    advice: known.length > 0 ? `Runs there: ${known.slice(-8).join(', ')}.` : 'The store holds no run yet.',
  });
}

/** Null where there is none. @throws ConfigProblem  it is damaged */
export async function findRun(store: Store, run: string): Promise<RunDoc | null> {
  if (!isSafeName(run)) return null;
  return readDoc(store, { run, name: runFile }, runDoc);
}

const runFile = 'run.json';

export const withheldFile = 'withheld.json';

/** Data sets of an imported run whose items and records were left out of its archive. */
export async function readWithheld(store: Store, run: string): Promise<ReadonlySet<string>> {
  return new Set((await readDoc(store, { run, name: withheldFile }, withheldData))?.data);
}

/** How the latest closed execution ended, or null while none has. @throws ConfigProblem  it is damaged */
export async function readEnding(store: Store, run: string): Promise<RunEnding | null> {
  const found = await latest(store, { run, name: 'ends' }, runEnding);
  return found?.value ?? null;
}

/**
 * Number of the latest execution that was begun, 0 where none was. It says so itself, when it begins, pins and ends;
 * also where Temporal lost it (its database is gone, say), its number must not be used again.
 */
export async function begunExecutions(store: Store, run: string): Promise<number> {
  const begun = await latestNumber(store, { run, name: 'begins' });
  const pinned = await store.list(`runs/${run}/pins/`);
  const numbers = pinned.map((folder) => Number.parseInt(folder, 10));
  return Math.max(begun ?? 0, await endedExecutions(store, run), ...numbers);
}

/** Number of the latest execution that ended, 0 where none has. One that was begun later goes on, or was lost. */
export async function endedExecutions(store: Store, run: string): Promise<number> {
  return (await latestNumber(store, { run, name: 'ends' })) ?? 0;
}

/**
 * Every pin of a run; where two executions pinned one node, the later counts. An execution that completed pinned
 * everything, so nothing before it is looked at.
 * @throws ConfigProblem where a batch cannot be read, or an execution that ended lacks one: a rate made without it
 *   would be another one
 */
export async function readPins(
  store: Store,
  run: string,
): Promise<{ pins: Map<string, Pin>; progress: Map<string, CampaignProgress> }> {
  const pins = new Map<string, Pin>();
  const progress = new Map<string, CampaignProgress>();
  for await (const batch of batchesOf(store, run, allVersions)) {
    for (const pin of batch.pins) pins.set(pinKey(pin), pin);
    progress.set(batch.model, batch.progress);
  }
  return { pins, progress };
}

/**
 * The last word of every campaign, those of later executions behind; an execution that completed says all there is.
 * Reads one batch of a campaign, however many there are. @throws ConfigProblem where one cannot be read
 */
export async function readProgress(store: Store, run: string): Promise<CampaignProgress[]> {
  const words: CampaignProgress[] = [];
  const last: Versions = async (...at) => [await latest(...at)].filter((one) => one !== null);
  for await (const { progress } of batchesOf(store, run, last)) words.push(progress);
  return words;
}

/** Every pin that any execution of a run ever wrote down, those that do not count any more too. @throws ConfigProblem */
export async function* everyPin(store: Store, run: string): AsyncGenerator<Pin> {
  for await (const path of store.below(`runs/${run}/pins`)) {
    const batch = await readDoc(store, { run, name: path.slice(`runs/${run}/`.length) }, pinBatch);
    yield* batch?.pins ?? [];
  }
}

type Versions = typeof allVersions<PinBatch>;

async function* batchesOf(store: Store, run: string, versions: Versions): AsyncGenerator<PinBatch> {
  const ended = await latest(store, { run, name: 'ends' }, runEnding);
  const complete = ended?.value.end.state === 'complete' ? ended : null;
  const states = new Map<string, CampaignProgress['state']>();
  for (const execution of await store.list(`runs/${run}/pins/`)) {
    const number = Number.parseInt(execution, 10);
    if (complete !== null && number < complete.n) continue;
    for (const model of await store.list(`runs/${run}/pins/${execution}`)) {
      const name = `pins/${execution.slice(0, -1)}/${model.slice(0, -1)}`;
      const batches = await versions(store, { run, name }, pinBatch);
      // While an execution goes on, a batch may arrive before the one that was sent before it.
      if (number <= (ended?.n ?? 0) && versions === allVersions)
        checkGapless(batches, { place: `${store.uri}/runs/${run}/${name}` });
      for (const { value } of batches) yield value;
      const word = batches.at(-1)?.value.progress;
      if (word !== undefined) states.set(word.model, word.state);
    }
  }
  for (const { model } of complete?.value.summary.cells ?? []) {
    if (states.get(model) !== 'complete' && (await begunExecutions(store, run)) === complete?.n)
      throw batchMissing(`${store.uri}/runs/${run}/${pinsName(complete.n, model)}`);
  }
}

function checkGapless(batches: { n: number }[], at: { place: string }): void {
  if (batches.some(({ n }, index) => n !== index)) throw batchMissing(at.place);
}

function batchMissing(file: string): ConfigProblem {
  return new ConfigProblem('a batch of pins is missing here, so what this run says cannot be read whole', {
    place: { file },
    advice: 'Restore it from a copy of the store, or make another run from the same records: uturn run <config> --new.',
  });
}

export function pinKey(at: { key: string; block: number; sample: number }): string {
  return `${at.key}/${at.block}-${at.sample}`;
}
