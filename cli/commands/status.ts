// `uturn status`: one look at a run.

import type { Command } from 'commander';
import { jsonLine } from '../../domain/records/json-line.ts';
import { oneLine, terminalSafe } from '../../report/escape.ts';
import { grouped } from '../../report/numbers.ts';
import { budgetText, usedUpText } from '../budget-text.ts';
import { columns } from '../columns.ts';
import { concurrencyText } from '../concurrency-text.ts';
import { say } from '../finish.ts';
import { glancing } from '../glance.ts';
import { printAll } from '../output.ts';
import { counted, waitingText } from '../progress.ts';
import { openLooking } from '../session.ts';
import { type Standing, standingOf } from '../standing.ts';
import { minute, stageNames } from '../words.ts';

export function statusCommand(program: Command): void {
  program
    .command('status')
    .argument('<run>', 'run to look at')
    .summary('show how a run stands')
    .description(
      'Looks at a run once: its state, counts by model and stage, what is in flight, waiting or parked, errors by kind.\n' +
        'Starts nothing. Where no Temporal is up, it shows what the store has; a running one saves its counts now and then.',
    )
    .option('--json', 'print one JSON object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn status quickstart-3f9a2c1b\n  $ uturn status quickstart-3f9a2c1b --json | jq .state',
    )
    .action(async (run: string, opts: { json?: true }) => {
      const { home, store } = await openLooking();
      const standing = await glancing(home, (client) => standingOf({ client, store }, run));
      await printAll([opts.json ? `${jsonLine(standing)}\n` : statusText(standing)]);
      if (standing.state === 'stopped' && !opts.json) say(`Nothing works on it now. Go on with: uturn resume ${run}`);
    });
}

export function statusText(standing: Standing): string {
  const { run, state, plan, created, tags, seen_in, version } = standing;
  const tagged = tags.length === 0 ? '' : `, tagged ${tags.map(oneLine).join(' ')}`;
  const source = seen_in === 'store' && state === 'stopped' ? ' (from the store; no Temporal is up)' : '';
  const head = `${run}  ${state}${source}\nplan ${plan.slice(0, 8)}, begun ${minute(created)}${tagged}${version === null ? '' : `, stays with build ${oneLine(version)}`}\n`;
  const tail = notes(standing).map((note) => `${oneLine(note)}\n`);
  return terminalSafe([head, modelTable(standing), ...(tail.length > 0 ? [tail.join('')] : [])].join('\n'));
}

function modelTable({ models }: Standing): string {
  const shown = [...new Set(models.flatMap(({ stages }) => stages.map(({ stage }) => stage)))];
  const rows = models.map(({ model, state, blocks, stages, parked }) => {
    const cells = shown.map((stage) => {
      const found = stages.find((one) => one.stage === stage);
      return found === undefined ? '–' : `${grouped(found.records)}/${grouped(found.wanted)}`;
    });
    const errors = stages.reduce((sum, one) => sum + one.errors, 0);
    const waiting = parked.reduce((sum, one) => sum + one.blocks, 0);
    return [
      model,
      state,
      `${grouped(blocks.done)}/${grouped(blocks.total)}`,
      ...cells,
      grouped(errors),
      grouped(waiting),
    ];
  });
  return columns(['model', 'state', 'blocks', ...shown.map((stage) => stageNames[stage]), 'errors', 'parked'], rows, [
    'left',
    'left',
    ...Array.from({ length: shown.length + 3 }, () => 'right' as const),
  ]);
}

function notes(standing: Standing): string[] {
  const { run, state, models, in_flight, waiting, errors, budget, concurrency, problems, tokens, requests } = standing;
  const open = Object.entries(in_flight).map(
    ([stage, { done, total }]) =>
      `in open shards: ${stageNames[stage as keyof typeof stageNames]} ${grouped(done)}/${grouped(total)}`,
  );
  const parked = models.flatMap((one) =>
    one.parked.map(({ reason, blocks }) => `parked, ${one.model}, ${counted(blocks, 'block')}: ${reason}`),
  );
  const kinds = errors.map(({ stage, kind, count }) => `errors, ${stageNames[stage]}: ${grouped(count)} ${kind}`);
  const spent = `${counted(tokens, 'token')} generated for this run, ${counted(requests, 'request')}`;
  return [
    // What was spent in shards that were open when it stopped is nowhere.
    ...(state === 'stopped' ? [] : [spent]),
    ...(budget === null ? [] : [`budget: ${budgetText(budget)} spent`]),
    ...(budget?.used_up === true ? usedUpText(run, budget).split('\n') : []),
    ...(concurrency.set ? [`requests in flight at most, as set: ${concurrencyText(concurrency)}`] : []),
    ...open,
    ...waiting.map(waitingText),
    ...parked,
    ...kinds,
    ...problems.flatMap((problem) => problem.split('\n')),
  ];
}
