// Published figures that a run can be held against: what a paper prints and where, and what it names without printing.
import { z } from 'zod';
import { labels } from './records/record.ts';

const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);
const word = z.string().min(1);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The very characters that stand in the copy, on which of its lines. Both, or neither. */
const printed = { printed: maybe(word), line: maybe(z.int().min(1)) };

const figure = z
  .strictObject({
    model: maybe(word),
    family: maybe(word),
    data: maybe(word),
    /** What was done to the answer (`truncated`, `question`) or to the model (`sft`, `rl`). */
    condition: maybe(z.enum(['base', 'truncated', 'question', 'sft', 'rl'])),
    temperature: maybe(z.number().min(0).max(2)),
    metric: z.enum(['accuracy', 'genuine', 'changed', 'label_share', 'agreement', 'kappa', 'items']),
    label: maybe(z.enum(labels)),
    judge: maybe(word),
    against: maybe(word),
    on: maybe(z.enum(['decision', 'label'])),
    among: maybe(z.enum(['hard cases', 'natural prevalence', 'both packets', 'full panel'])),
    /** Null: the cell exists, and our copy does not print it. */
    value: z.number().nullable(),
    /** Bounds, where only a range is printed. */
    low: maybe(z.number()),
    high: maybe(z.number()),
    /** Where it is not that of its source. */
    unit: maybe(z.enum(['%', 'κ', 'items'])),
    n: maybe(z.int().min(1)),
    ...printed,
    /** Sources that print another value for the same cell. */
    disagrees_with: z.array(word).default([]),
    note: maybe(word),
  })
  .refine((one) => (one.printed === null) === (one.line === null), 'what is printed has its line')
  .refine((one) => (one.printed === null) === (one.value === null && one.high === null), 'what has a value is printed');

const source = z
  .strictObject({ source: word, about: word, unit: z.enum(['%', 'items']), figures: z.array(figure).min(1) })
  .transform((it) => ({ ...it, figures: it.figures.map((one) => ({ ...one, unit: one.unit ?? it.unit })) }));

const setting = z.strictObject({
  name: word,
  value: z.union([z.number(), word, z.array(z.number())]).nullable(),
  ...printed,
});

/** `configs/reference/*.json`. */
export const reference = z.strictObject({
  paper: word,
  copy: z.strictObject({ sha256, about: word }),
  sources: z.array(source).min(1),
  settings: z.array(setting),
});

export type Reference = z.output<typeof reference>;
export type Figure = Reference['sources'][number]['figures'][number];

/** What a figure measures, wherever it is printed. */
export function cellOf(one: Figure): string {
  const { model, family, data, condition, temperature, metric, label, judge, against, on, among } = one;
  return JSON.stringify([model, family, data, condition, temperature, metric, label, judge, against, on, among]);
}

/** Whether `percent`, which has one decimal, can be the share of some of `n` things. */
export function isShareOf(percent: number, n: number): boolean {
  const near = Math.round((percent * n) / 100);
  return [near - 1, near, near + 1].some((count) => Math.abs((100 * count) / n - percent) <= 0.05 + 1e-9);
}
