// The sweep that a schedule measures, as it was when the schedule was made. No run names it, so it lies with the schedule.
import { ConfigProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import type { Store } from '../store/store.ts';

/** Of a schedule: its experiments and its verdicts. */
export function folderOf(schedule: string): string {
  return `nights/${schedule}/`;
}

/** Returns the digest it is known by. */
export async function putExperiment(store: Store, schedule: string, text: string): Promise<string> {
  const digest = sha256(text.toWellFormed());
  await store.create(pathOf(schedule, digest), text);
  return digest;
}

/** @throws ConfigProblem  it is missing, or is another one */
export async function getExperiment(store: Store, schedule: string, digest: string): Promise<string> {
  const path = pathOf(schedule, digest);
  const bytes = await store.read(path);
  const text = bytes === null ? null : new TextDecoder().decode(bytes);
  if (text !== null && sha256(text) === digest) return text;
  throw new ConfigProblem(`the experiment of this schedule is ${text === null ? 'missing' : 'damaged'}`, {
    place: { file: `${store.uri}/${path}` },
    advice: `Restore it from a copy of the store, or make the schedule again: uturn schedule remove ${schedule}, then add.`,
  });
}

function pathOf(schedule: string, digest: string): string {
  return `${folderOf(schedule)}experiments/${digest}.yaml`;
}
