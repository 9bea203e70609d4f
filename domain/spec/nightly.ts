// `kind: nightly`: a sweep that is measured again on a schedule, and held against what was measured before.
import { z } from 'zod';
import { usualLimits } from '../nights/judge-test.ts';
import { span } from '../nights/span.ts';
import { measures } from '../pairing.ts';
import { experimentName } from './sweep.ts';
import { maybe, refuse, text, unique } from './words.ts';

const length = z
  .string()
  .regex(span, 'is no length of time such as 30s, 10m, 6h or 1d.')
  .describe('A length of time: a whole number of s, m, h or d.');
const share = z.number().gt(0).lt(1);

const when = z
  .strictObject({
    cron: maybe(text()).describe('When to start, as five cron fields such as `0 2 * * *`.'),
    every: maybe(length).describe('Or how often, counted from midnight UTC of 1 January 1970.'),
    timezone: text()
      .default('UTC')
      .describe('Of the cron fields, such as Europe/Berlin. It keeps to that clock when clocks are set.'),
    jitter: maybe(length).describe(
      'Start up to that much later, by chance. The night still counts as that of its time.',
    ),
    catch_up: length.default('6h').describe('A start that was missed by no more than this is made up for.'),
  })
  .superRefine(({ cron, every }, ctx) => {
    if ((cron === null) !== (every === null)) return;
    refuse(ctx, [], {
      message: cron === null ? 'says no time.' : 'says two times.',
      advice: 'Give it `cron` or `every`, one of the two.',
    });
  });

const baseline = z
  .strictObject({
    run: maybe(text()).describe('A run that every night is held against.'),
    pinned: maybe(
      z
        .array(text())
        .min(1)
        .check(
          unique(
            (run) => run,
            (run) => ({ message: `names ${run} a second time.`, advice: 'Name each run once.' }),
          ),
        ),
    ).describe('Or several runs, each item’s samples of all of them together.'),
    nights: maybe(z.int().min(1).max(366)).describe(
      'Or the last so many nights that did not fail, item by item their mean.',
    ),
  })
  .superRefine(({ run, pinned, nights }, ctx) => {
    if ([run, pinned, nights].filter((one) => one !== null).length === 1) return;
    refuse(ctx, [], {
      message: 'says not what to hold a night against.',
      advice: 'Give it `run`, `pinned` or `nights`, one of the three.',
    });
  });

const gate = z.strictObject({
  measures: z
    .array(z.enum(measures))
    .min(1)
    .default([...measures])
    .describe('What is held against the baseline; what a cell does not have is left out.'),
  at_least: share.default(0.05).describe('The smallest drop that matters, as a share: a smaller one never fails.'),
  alpha: share.default(0.05).describe('The share of false alarms that is put up with, over all cells of a night.'),
  power: share.default(0.8).describe('The chance with which a drop is found that the report names as detectable.'),
});

const trusted = z.number().min(0).max(1);
const selfTest = z
  .strictObject({
    at_least: trusted
      .default(usualLimits.at_least)
      .describe('Share of the frozen turns that the judge must decide as is known: genuine or not.'),
    changed: trusted
      .default(usualLimits.changed)
      .describe('Share of them that it may decide otherwise than on the first night of the schedule.'),
  })
  .describe('When a judge that is a model counts as another one, which breaks the night.');

const notify = z
  .strictObject({
    webhook: maybe(z.string().regex(/^[A-Z_][A-Z0-9_]*$/, 'is no name of an environment variable.')).describe(
      'Name of the environment variable, on the worker, that holds the address to post to (Slack and what takes the same).',
    ),
    when: z.enum(['always', 'not_passed', 'failed']).default('not_passed').describe('Which verdicts are posted.'),
    folder: maybe(text()).describe('Folder, relative to this file, for <run>.json, <run>.md and <run>.xml (JUnit).'),
  })
  .prefault({});

export const nightlySpec = z.strictObject({
  kind: z.literal('nightly').describe('A sweep measured on a schedule.'),
  name: z
    .string()
    .regex(experimentName, 'is no name for a schedule: up to 63 of a-z, 0-9 and "-", no "-" first.')
    .describe('Name of the schedule, and the beginning of the names of its runs.'),
  experiment: text().describe('The sweep’s file, relative to this one.'),
  when: maybe(when).describe('When it starts; `uturn schedule add --cron` and `--every` go before it.'),
  baseline: baseline.prefault({ nights: 7 }),
  gate: gate.prefault({}),
  self_test: selfTest.prefault({}),
  notify,
});

export type NightlySpec = z.output<typeof nightlySpec>;
