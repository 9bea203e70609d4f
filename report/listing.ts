// Records as people read them: what each came to, on a line of its own or with its whole text.
import type { Judgement, Score, Stage, StageRecord, Turn } from '../domain/records/record.ts';
import { oneLine, pictured } from './escape.ts';
import { grouped } from './numbers.ts';
import type { PlacedRecord } from './records.ts';
import { cut, displayWidth } from './width.ts';
import type { WithheldJudgement, WithheldScore, WithheldTurn } from './withheld.ts';

/** `samples`: of the plan; with one per item its number is left out. */
export type ListingOptions = { width: number; texts: 'start' | 'whole'; samples: number };

/** Lines for a terminal; the records of one sample stand under one heading. Every piece ends its line. */
export async function* listing(records: AsyncIterable<PlacedRecord>, opts: ListingOptions): AsyncGenerator<string> {
  let before: string | null = null;
  for await (const placed of records) {
    const heading = headingOf(placed, opts);
    if (heading !== before) yield `${before === null ? '' : '\n'}${heading}\n`;
    before = heading;
    yield* linesOf(placed, opts);
  }
}

function headingOf({ model, data, temperature, record }: PlacedRecord, { samples }: ListingOptions): string {
  const { item, sample } = record.result;
  const which = samples > 1 ? [`sample ${sample}`] : [];
  return [item, ...which, data, model, `T ${temperature}`].map(oneLine).join(' · ');
}

function* linesOf(placed: PlacedRecord, { width, texts }: ListingOptions): Generator<string> {
  const { record } = placed;
  const { what, text: written } = placed.private ? toldOfPrivate(record) : told(record);
  const text = written === null ? null : pictured(written);
  const head = `  ${nameOf(record.result.stage).padEnd(14)}  ${oneLine(what)}`;
  const line = text === null ? head : `${head}: ${oneLine(text.slice(0, 4 * width))}`;
  const isWhole = text === null || (text === text.trim() && !text.includes('\n') && displayWidth(line) <= width);
  yield texts === 'start' || isWhole ? `${cut(line, width)}\n` : `${head}:\n${indented(text)}\n`;
}

function nameOf(stage: Stage): string {
  return stage === 'reference_judgement' ? 'reference turn' : stage.replace('_', ' ');
}

/** What a record says, and the text that it is about where it holds one. */
function told({ result }: StageRecord): { what: string; text: string | null } {
  if (result.status === 'error') return { what: `failed (${result.error.kind})`, text: result.error.message };
  switch (result.stage) {
    case 'judgement':
    case 'reference_judgement':
      return judged(result.body as Judgement);
    case 'score':
      return { what: scored(result.body as Score), text: null };
    default:
      return turned(result.body as Turn);
  }
}

/** A digest in the place of a text. */
function toldOfPrivate({ result }: StageRecord): { what: string; text: string | null } {
  if (result.status === 'error') return { what: `failed (${result.error.kind}), private`, text: null };
  switch (result.stage) {
    case 'judgement':
    case 'reference_judgement':
      return judged({ ...(result.body as WithheldJudgement), rationale: '' });
    case 'score': {
      const { outcome, extracted, expected } = result.body as WithheldScore;
      if (expected === undefined) return { what: `${outcome}, private`, text: null };
      return { what: scored({ outcome, extracted: extracted ?? null, expected, reason: null }), text: null };
    }
    default: {
      const { finish, tokens, sha256 } = result.body as WithheldTurn;
      return { what: `${lengthOf({ finish, tokens })}, private`, text: `SHA-256 ${sha256}` };
    }
  }
}

function turned({ finish, tokens, text }: Turn): { what: string; text: string | null } {
  const what = lengthOf({ finish, tokens });
  if (text.trim() !== '') return { what, text };
  return { what: `${what}, ${text === '' ? 'empty' : 'white space only'}`, text: null };
}

function judged({ label, genuine, by, rationale, at_odds }: Judgement): { what: string; text: string | null } {
  const text = rationale === '' ? null : rationale;
  if (label === null) return { what: 'undecided', text };
  const decision = `${genuine === true ? 'genuine' : 'not genuine'}${at_odds ? ', at odds with its label' : ''}`;
  return { what: `${label} (${decision}), by ${by ?? 'nobody'}`, text };
}

function lengthOf({ finish, tokens }: Pick<Turn, 'finish' | 'tokens'>): string {
  const length = `${grouped(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`;
  return { given: 'came with the data', length: `cut off after ${length}`, stop: length }[finish];
}

function scored({ outcome, extracted, expected, reason }: Omit<Score, 'check'>): string {
  const read = extracted === null ? 'nothing read' : `read ${extracted}`;
  return `${outcome}: ${read}, expected ${expected}${reason === null ? '' : ` (${reason})`}`;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
}
