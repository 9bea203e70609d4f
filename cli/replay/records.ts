// `uturn replay --from-records`: everything a run said, made again from its records and held against what it said.
import { begunExecutions, endedExecutions, readRun, readWithheld } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { reportFiles } from '../../report/files.ts';
import { type Checked, checkRecords } from '../../report/replay/checked.ts';
import { compareCells, compareEnding, type EndingCompared } from '../../report/replay/ending.ts';
import { gather } from '../../report/report.ts';
import { summarise } from '../../report/summarise.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import type { Reading } from '../session.ts';
import { compareFiles, type FilesCompared } from './against.ts';
import { recordsText } from './records-text.ts';

/**
 * What was found. `withheld`: data sets that were left out of an imported run, of which nothing can be made: cells of the others are
 * compared, and no files are made. `equal`: null where the records are sound and there is nothing to hold them against. Of records that are not
 * sound nothing is made: `ending` and `files` are then null.
 */
export type RecordsReplay = {
  run: string;
  equal: boolean | null;
  withheld: string[];
  checked: Checked;
  ending: EndingCompared | null;
  files: (FilesCompared & { against: string | null }) | null;
};

/** Needs the store and nothing else. Returns the exit code. */
export async function replayRecords(
  at: Reading,
  run: string,
  opts: { against: string | null; json: boolean },
): Promise<number> {
  const replayed = await replay(at, run, opts.against);
  process.stdout.write(opts.json ? `${jsonLine({ ...replayed, meaning: 'from-records' })}\n` : recordsText(replayed));
  if (replayed.equal === false) return exit.failed;
  return replayed.equal === null ? exit.unfinished : exit.ok;
}

async function replay({ store }: Reading, run: string, against: string | null): Promise<RecordsReplay> {
  const doc = await readRun(store, run);
  const plan = await getPlan(store, doc.plan);
  const without = await readWithheld(store, run);
  const withheld = [...without];
  const checked = await checkRecords(store, { doc, plan, without }, { report: say });
  if (checked.faults.length > 0) return { run, equal: false, withheld, checked, ending: null, files: null };
  const summary = await summarise(store, run, { without });
  const isOpen = (await begunExecutions(store, run)) > (await endedExecutions(store, run));
  if (withheld.length > 0) {
    const ending = isOpen || summary.cells.length === 0 ? null : await compareCells(store, summary, without);
    return { run, equal: ending?.equal ?? null, withheld, checked, ending, files: null };
  }
  const ending = isOpen ? null : await compareEnding(store, summary);
  const compared = await compareFiles(await reportFiles(await gather(store, summary)), against);
  const verdicts = [ending?.equal ?? null, ...compared.files.map((file) => file.equal)];
  const equal = verdicts.includes(false) ? false : verdicts.includes(true) ? true : null;
  return { run, equal, withheld, checked, ending, files: { against, ...compared } };
}
