// What the documents of a run have to hold to be taken for such: as much as whoever reads them relies on.
import { z } from 'zod';
import type { PinBatch, RunEnd } from '../../domain/plan/boundary.ts';
import { type Budget, units } from '../../domain/plan/budget.ts';
import type { Concurrency } from '../../domain/plan/concurrency.ts';
import type { EngineLocation, RunDoc } from '../../domain/plan/run-doc.ts';
import { type Stage, stages, type Usage } from '../../domain/records/record.ts';
import type { Summary } from '../../domain/summary.ts';
import type { Shape } from '../store/runs.ts';

export type RunEnding = { end: RunEnd; summary: Summary };

const count = z.int().min(0);
const rate = z.looseObject({ value: z.number().nullable(), n: count });

const engine = z.looseObject({ kind: z.string() });
const runDocSchema = z.looseObject({
  format: z.literal(1),
  run: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  plan: z.string(),
  occasion: z.string(),
  created: z.string(),
  attempts: z.int().min(1),
  engines: z.record(
    z.string(),
    z.custom<EngineLocation>((value) => engine.safeParse(value).success),
  ),
  config: z.looseObject({ file: z.string(), text: z.string() }),
  budget: z.looseObject({}).optional(),
  uturn: z.string(),
  replays: z.looseObject({ run: z.string(), anew: z.enum(['scores', 'judgements']) }).optional(),
  semantics: z.looseObject({ probe: z.int(), accuracy: z.int(), instructions: z.string(), rules: z.int() }).optional(),
});
const limitsSchema = z.partialRecord(z.enum(units), z.number().gt(0));

const cell = z.looseObject({
  model: z.string(),
  data: z.string(),
  temperature: z.number(),
  samples: count,
  accuracy: z.looseObject({ right: count, wrong: count, rate }).nullable(),
  follow_up: z.looseObject({ judged: count, undecided: count, if_none: rate, if_all: rate, labels: z.looseObject({}) }),
  capped: z.looseObject({ assistant: rate, user: rate }),
  tokens: z.looseObject({ prompt: count, completion: count }),
  state: z.enum(['complete', 'failed', 'pending']),
});
const endingSchema = z.looseObject({
  end: z.looseObject({
    run: z.string(),
    state: z.enum(['complete', 'incomplete', 'failed', 'cancelled']),
    problems: z.array(z.string()),
    samples: count,
    errors: count,
  }),
  summary: z.looseObject({
    run: z.string(),
    samples: count,
    cells: z.array(cell),
    totals: z.looseObject({ prompt_tokens: count, completion_tokens: count, errors: count }),
    provenance: z.looseObject({}),
  }),
});

const pin = z.looseObject({ key: z.string(), block: count, sample: count, part: z.string(), errors: count });
const batchSchema = z.looseObject({
  model: z.string(),
  pins: z.array(pin),
  progress: z.looseObject({
    model: z.string(),
    state: z.enum(['running', 'paused', 'parked', 'complete', 'cancelled', 'failed']),
    trees: z.looseObject({ done: count, total: count }),
    tally: z.looseObject({}),
    parked: z.array(z.looseObject({ reason: z.string() })),
  }),
});

export const runDoc: Shape<RunDoc> = {
  what: 'what a run was started with',
  holds: (value): value is RunDoc => runDocSchema.safeParse(value).success,
  advice:
    'Restore it from a copy of the store, or delete it and run the same config again: what was computed is found.',
};

const usageSchema = z.looseObject({ prompt: count, completion: count });
const beginningSchema = z.looseObject({
  execution: z.int().min(1),
  looked: z.array(z.int()).optional(),
  found: z.array(z.looseObject({ model: z.string(), stage: z.enum(stages), spent: usageSchema })).optional(),
});

/** Tokens by model and stage. */
export type Uncounted = { model: string; stage: Stage; spent: Usage }[];

/** `looked`: earlier executions of which it was looked for what nobody had counted; `found`: what that was. */
export type Beginning = { execution: number; looked?: number[]; found?: Uncounted };

export const beginning: Shape<Beginning> = {
  what: 'that an execution began',
  holds: (value): value is Beginning => beginningSchema.safeParse(value).success,
  advice:
    'Restore it from a copy of the store, or delete it: all it may say is what was spent by executions that were lost.',
};

export const limits: Shape<Budget> = {
  what: 'what a run may spend',
  holds: (value): value is Budget => limitsSchema.safeParse(value).success,
  advice: 'Restore it from a copy of the store, or delete it and set the limits again: uturn resume <run> --budget …',
};

const atOnce = z.int().min(1);
const concurrencySchema = z.looseObject({ models: z.record(z.string(), atOnce), judge: atOnce.optional() });

export const concurrencySet: Shape<Concurrency> = {
  what: 'how many requests may be in flight',
  holds: (value): value is Concurrency => concurrencySchema.safeParse(value).success,
  advice: 'Restore it from a copy of the store, or delete it and set it again: uturn set <run> --concurrency …',
};

const withheldSchema = z.looseObject({ data: z.array(z.string()) });

export const withheldData: Shape<{ data: string[] }> = {
  what: 'which data sets an archive left out',
  holds: (value): value is { data: string[] } => withheldSchema.safeParse(value).success,
  advice: 'Delete it and import the archive again.',
};

export const runEnding: Shape<RunEnding> = {
  what: 'how a run ended',
  holds: (value): value is RunEnding => endingSchema.safeParse(value).success,
  advice:
    'Restore it from a copy of the store, or delete it and go on with the run (uturn resume <run>): what was computed is found.',
};

export const pinBatch: Shape<PinBatch> = {
  what: 'pins of a run',
  holds: (value): value is PinBatch => batchSchema.safeParse(value).success,
  advice: 'Restore it from a copy of the store, or make another run from the same records: uturn run <config> --new.',
};
