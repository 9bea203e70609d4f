// From a data file to items that every stage works from.
import type { Item } from '../../domain/data/item.ts';
import { ConfigProblem, sentence } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import type { AdapterName } from '../../domain/spec/data.ts';
import { coval } from './adapters/coval.ts';
import { gpqa } from './adapters/gpqa.ts';
import { gsm8k } from './adapters/gsm8k.ts';
import { healthbench } from './adapters/healthbench.ts';
import { instructionSet } from './adapters/instructions.ts';
import { jsonl } from './adapters/jsonl.ts';
import { math } from './adapters/math.ts';
import { countNote } from './counts.ts';
import { itemsBlob } from './items.ts';
import { type FilePlace, readLines, type WholeFile } from './lines.ts';
import { isCsv, looksLike } from './looks.ts';

export type DataSource = FilePlace & { id: string; adapter: AdapterName };

/**
 * `file`, `digest`: SHA-256 of the file's bytes and of `blob`, which is the items as the store keeps them. `notes`: what
 * somebody who names this file should know, in whole sentences; nothing where its checksum was stated, as they know it.
 */
export type AdaptedData = {
  id: string;
  adapter: AdapterName;
  file: string;
  items: Item[];
  blob: string;
  digest: string;
  scored: boolean;
  held_out: boolean;
  notes: string[];
};

const adapters: Record<AdapterName, Adapter> = {
  starter: jsonl,
  gsm8k,
  ifeval: instructionSet('ifeval'),
  ifbench: instructionSet('ifbench'),
  'gpqa-main': gpqa,
  'gpqa-diamond': gpqa,
  healthbench,
  coval,
  math,
  jsonl,
};
type Adapter = (data: WholeFile, shown: string) => { items: Item[]; problems: ConfigProblem[]; notes?: string[] };

/**
 * Reads, checks and adapts a data set.
 * @throws ConfigProblem  the file cannot be used (see `readLines`), or lines of it cannot: all are named, up to twenty
 * @throws WorldProblem `disk`
 */
export async function adapt(source: DataSource): Promise<AdaptedData> {
  const data = await readLines(source);
  const takesCsv = adapters[source.adapter] === gpqa;
  const {
    items,
    problems,
    notes = [],
  } = !takesCsv && isCsv(data) ? noTable(source.shown) : adapters[source.adapter](data, source.shown);
  if (problems.length > 0) throw together(problems, { file: source.shown, hint: hintFor(data, source.adapter) });
  const [first] = items;
  if (first === undefined)
    throw new ConfigProblem('holds no items.', {
      place: { file: source.shown },
      advice: [...notes, 'Is this the right file?'].join(' '),
    });

  const given = items.filter((item) => item.assistant !== null).length;
  if (given > 0 && given < items.length) {
    throw new ConfigProblem(`${given} of ${items.length} items bring their own answer in \`assistant\`.`, {
      place: { file: source.shown },
      advice: 'Either all or none may: split the file in two.',
    });
  }
  const { id, adapter } = source;
  const blob = itemsBlob(items);
  return {
    id,
    adapter,
    file: data.file,
    items,
    blob,
    digest: sha256(blob),
    scored: items.some((item) => item.answer !== null),
    held_out: given > 0,
    notes: source.sha256 === null ? [...notes, ...countNote(source, items.length)] : [],
  };
}

/** A table where JSON is wanted: said once, not of every line. */
function noTable(file: string): ReturnType<Adapter> {
  const place = { file, line: 1 };
  const advice = 'This set is read from JSON: one object a line.';
  return { items: [], problems: [new ConfigProblem('is a line of CSV.', { place, advice })] };
}

/** Of a file that looks like another set, one fault is enough. */
const mostShown = 20;

/** What the file may be instead, where it looks like another set than it was taken for. */
function hintFor(data: WholeFile, adapter: AdapterName): string[] {
  const sets = looksLike(data);
  const format = adapter === 'starter' ? 'jsonl' : adapter;
  return sets.length === 0 || sets.includes(format) ? [] : [`This file looks like ${sets.join(' or ')}.`];
}

/** One problem as it is; several as one whose advice is their sentences. */
function together(problems: ConfigProblem[], { file, hint }: { file: string; hint: string[] }): ConfigProblem {
  const [only, second] = problems;
  if (only !== undefined && second === undefined) {
    const advice = [only.advice, ...hint].filter((line) => line !== '').join('\n  ');
    return new ConfigProblem(only.message, { place: only.place, advice });
  }
  const most = hint.length > 0 ? 1 : mostShown;
  const rest = problems.length - most;
  const sentences = problems.slice(0, most).map(sentence);
  const more = rest > 0 ? [`and ${rest} more.`] : [];
  return new ConfigProblem(`has ${problems.length} faults.`, {
    place: { file },
    advice: [...sentences, ...more, ...hint].join('\n').replaceAll('\n', '\n  '),
  });
}
