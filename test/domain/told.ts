// Cells out of whole records, told as facts on the way: what a report does, without a store.
import * as cell from '../../domain/cell.ts';
import {
  type CellFacts,
  type Fact,
  judgementFact,
  type StageFacts,
  scoreFact,
  stageFacts,
  turnFact,
} from '../../domain/facts.ts';
import type { Judgement, Score, StageRecord, Turn } from '../../domain/records/record.ts';
import type { Cell } from '../../domain/summary.ts';

export type CellInput = Omit<cell.CellInput, 'facts'> & {
  /** `score` is null where the data has no answers to check. */
  records: {
    assistant: StageRecord<Turn>[];
    user: StageRecord<Turn>[];
    judgement: StageRecord<Judgement>[];
    reference?: StageRecord<Judgement>[];
    score: StageRecord<Score>[] | null;
  };
};

export function cellFrom(input: CellInput): Cell {
  return cell.cellFrom(told(input));
}

export function failedSamples(input: CellInput): number {
  return cell.failedSamples(told(input));
}

type Places = Pick<CellInput, 'items' | 'samples'>;

export function factsFrom<Body, Said extends object>(
  { items, samples }: Places,
  records: StageRecord<Body>[],
  fact: (record: StageRecord<Body>) => Fact<Said>,
): StageFacts<Said> {
  const facts = stageFacts<Said>(new Map(items.map((item, at) => [item, at])), samples);
  for (const record of records) facts.add(fact(record));
  return facts;
}

function told({ records, ...input }: CellInput): cell.CellInput {
  const { assistant, user, judgement, reference, score } = records;
  const facts: CellFacts = {
    assistant: factsFrom(input, assistant, turnFact),
    user: factsFrom(input, user, turnFact),
    judgement: factsFrom(input, judgement, judgementFact),
    ...(reference && { reference: factsFrom(input, reference, judgementFact) }),
    score: score && factsFrom(input, score, scoreFact),
  };
  return { ...input, facts };
}
