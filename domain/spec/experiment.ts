// The kinds of experiment there are. A new kind is a file beside this one and a line here.

import { type NightlySpec, nightlySpec } from './nightly.ts';
import { type PerturbationSpec, perturbationSpec } from './perturbation.ts';
import type { SweepSpec } from './sweep.ts';
import { sweepSpec } from './sweep.ts';

export const experiments = { sweep: sweepSpec, perturbation: perturbationSpec, nightly: nightlySpec } as const;

export type Kind = keyof typeof experiments;
export type ExperimentSpec = SweepSpec | PerturbationSpec | NightlySpec;
/** Those that are run: plans are made of them. */
export type RunnableSpec = SweepSpec | PerturbationSpec;

export const kinds = Object.keys(experiments) as Kind[];

export function isKind(word: unknown): word is Kind {
  return kinds.some((kind) => kind === word);
}
