// Copying one store into another: only what is missing there, only what is sound, and nothing is replaced.
import { isFormatFile } from './format.ts';
import { inLanes } from './lanes.ts';
import { isPart, isSegment } from './shard.ts';
import { faultIn } from './soundness.ts';
import type { Store } from './store.ts';

/** `left`: what was not copied, and why. */
export type Synced = { copied: number; bytes: number; present: number; left: Left[] };
export type Left = { path: string; why: string };

export type SyncOptions = { report(line: string): void };

const lanes = 16;
const sayEvery = 1_000;

/**
 * May be broken off and begun again, and run beside runs in either store. Runs come last and their ends at the very end: what a run goes
 * by is there before it says so.
 * @throws WorldProblem, ConfigProblem  as the stores do
 */
export async function syncStores(from: Store, to: Store, opts: SyncOptions): Promise<Synced> {
  const sum: Synced = { copied: 0, bytes: 0, present: 0, left: [] };
  const pass: Pass = {
    from,
    to,
    sum,
    copied: () => sum.copied % sayEvery === 0 && opts.report(`${sum.copied} copied`),
  };
  for (const folder of await foldersInOrder(from)) {
    const before = sum.copied;
    await syncFolder(pass, folder);
    if (sum.copied > before) opts.report(`${folder}: ${sum.copied - before} copied`);
  }
  return sum;
}

type Pass = { from: Store; to: Store; sum: Synced; copied(): void };

/** A stage or a run at a time: the names of one are held in memory. */
async function foldersInOrder(from: Store): Promise<string[]> {
  const top = (await from.list('')).filter((name) => name.endsWith('/'));
  const last = ['stages/', 'runs/'];
  const deeper = async (name: string) => (top.includes(name) ? await from.list(name) : []).map((sub) => name + sub);
  return [...top.filter((name) => !last.includes(name)), ...(await deeper('stages/')), ...(await deeper('runs/'))];
}

async function syncFolder(pass: Pass, folder: string): Promise<void> {
  const there = new Set<string>();
  for await (const path of pass.to.below(folder)) there.add(path);
  const later: string[] = [];
  const sealed = new Set<string>();
  const growing: string[] = [];
  await inLanes(pass.from.below(folder), lanes, async (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (isFormatFile(path)) return;
    if (isPart(name)) sealed.add(folderOf(path));
    if (/^runs\/[^/]+\/ends\//.test(path)) later.push(path);
    else if (!there.has(path)) await copy(pass, path);
    else if (path.startsWith('stages/') && isSegment(name)) growing.push(path);
    else await present(pass, path);
  });
  await inLanes(later, lanes, (path) => (there.has(path) ? present(pass, path) : copy(pass, path)));
  for (const path of growing) {
    if (sealed.has(folderOf(path))) pass.sum.present += 1;
    else await copyRest(pass, path);
  }
}

/** Never passes damage on; reads again what it wrote. */
async function copy({ from, to, sum, copied }: Pass, path: string, as = path): Promise<void> {
  const bytes = await from.read(path);
  if (bytes === null) return;
  const fault = await faultIn(path, bytes);
  if (fault !== null) return void sum.left.push({ path, why: `it is damaged: ${fault}` });
  await to.create(as, bytes);
  const back = await to.read(as);
  if (back === null || !Buffer.from(bytes).equals(back))
    return void sum.left.push({ path, why: 'what was written cannot be read back as it was' });
  sum.copied += 1;
  sum.bytes += bytes.byteLength;
  copied();
}

/** What is named by its content is the same there. What a run wrote may not be, where two went on under one name. */
async function present({ from, to, sum }: Pass, path: string): Promise<void> {
  sum.present += 1;
  if (!path.startsWith('runs/') && !path.startsWith('nights/')) return;
  const [ours, theirs] = await Promise.all([from.read(path), to.read(path)]);
  if (ours !== null && theirs !== null && !Buffer.from(ours).equals(theirs))
    sum.left.push({ path, why: 'it says something else there: a run of this name was gone on with in both stores' });
}

/** A segment that has grown since it was copied, and no part holds its records yet. */
async function copyRest(pass: Pass, path: string): Promise<void> {
  const [ours, theirs] = await Promise.all([pass.from.read(path), pass.to.read(path)]);
  if (ours === null || theirs === null || Buffer.from(ours).equals(theirs)) pass.sum.present += 1;
  else await copy(pass, path, path.replace(/\.jsonl$/, `.${ours.byteLength}-bytes.jsonl`));
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
