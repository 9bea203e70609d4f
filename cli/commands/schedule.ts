// `uturn schedule`: measure the same again and again, and hear when it gets worse.

import { ScheduleOverlapPolicy } from '@temporalio/client';
import type { Command } from 'commander';
import { nightsOf, readVerdict } from '../../activities/nights/read.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { nightMarkdown } from '../../report/night-text.ts';
import { nightsPage } from '../../report/nights/page.ts';
import { columns } from '../columns.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { runName } from '../options.ts';
import { printAll } from '../output.ts';
import { writeOutput } from '../report-file.ts';
import { type Given, orderFrom } from '../schedule/order.ts';
import { listed, shown } from '../schedule/show.ts';
import { createSchedule, findSchedule } from '../schedule/temporal.ts';
import { waitForNight } from '../schedule/wait.ts';
import { inHome, openLooking, type Session, withTemporal } from '../session.ts';
import { counted } from '../words.ts';

type Json = { json?: true };

export function scheduleCommand(program: Command): void {
  const schedule = program
    .command('schedule')
    .summary('measure again every night, and hear when it gets worse')
    .description(
      'A schedule measures an experiment anew each time, holds it against the nights before, and says pass, fail or inconclusive.\n' +
        'It lives in Temporal: nights come while Temporal and a worker are up. What came of them is in the store.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ uturn schedule add nightly.yaml\n  $ uturn schedule add sweep.yaml --cron "0 2 * * *" --timezone Europe/Berlin\n  $ uturn schedule trigger smoke --wait\n  $ uturn schedule show smoke',
    );
  add(schedule);
  list(schedule);
  show(schedule);
  trigger(schedule);
  backfill(schedule);
  hold(schedule, 'pause');
  hold(schedule, 'unpause');
  remove(schedule);
}

type Work = (session: Session) => Promise<number>;

/** With a Temporal and a worker that stay up: nights are to come. */
function scheduling(work: Work): Promise<number> {
  return inHome((reading) => withTemporal(reading, { keep: 'up', worker: 'here', report: say }, work), openLooking);
}

/** With the Temporal that knows the schedules, which is started where none is up and goes again; nobody works meanwhile. */
function looking(work: Work): Promise<number> {
  return inHome(
    (reading) => withTemporal(reading, { keep: 'run', worker: 'elsewhere', report: say }, work),
    openLooking,
  );
}

function add(schedule: Command): void {
  schedule
    .command('add')
    .argument('<config>', 'a nightly, or a sweep to make one of')
    .summary('put an experiment on a schedule')
    .description(
      'Plans the experiment once, to find what is wrong with it, and puts it on a schedule. Services stay up. The files are taken as they are\n' +
        'now; data and templates are read anew each night.',
    )
    .option('--cron <fields>', 'when to start, as five cron fields')
    .option('--every <span>', 'or how often: 30m, 6h, 1d')
    .option('--timezone <zone>', 'of the cron fields (default: UTC)')
    .option('--name <name>', 'name of the schedule (default: the config’s name)', runName)
    .option('--json', 'print one JSON object on stdout')
    .action(async (file: string, opts: Given & Json) => {
      process.exitCode = await inHome(async (reading) => {
        const { order, when } = await orderFrom(reading, file, opts);
        return withTemporal(reading, { keep: 'up', worker: 'here', report: say }, async ({ client }) => {
          await createSchedule(client, order, when);
          const next = (await findSchedule(client, order.schedule)).is.info.nextActionTimes[0] ?? null;
          if (opts.json)
            process.stdout.write(`${jsonLine({ schedule: order.schedule, next: next?.toISOString() ?? null })}\n`);
          else say(`${order.schedule} is on its schedule; it starts next at ${next?.toISOString() ?? 'no time'}.`);
          return exit.ok;
        });
      });
    });
}

function list(schedule: Command): void {
  schedule
    .command('list')
    .summary('list the schedules')
    .option('--json', 'print one JSON object per schedule and line')
    .action(async (opts: Json) => {
      process.exitCode = await looking(async (session) => {
        const rows = await listed(session);
        if (opts.json) await printAll(rows.map((row) => `${jsonLine(row)}\n`));
        else if (rows.length === 0) say('There is no schedule yet: uturn schedule add <config>');
        else
          await printAll([
            columns(
              ['schedule', 'state', 'next', 'last night', 'verdict'],
              rows.map((row) => [row.schedule, row.state, row.next ?? '–', row.last ?? '–', row.verdict ?? '–']),
            ),
          ]);
        return exit.ok;
      });
    });
}

function show(schedule: Command): void {
  schedule
    .command('show')
    .argument('<schedule>', 'its name')
    .summary('show its nights: verdicts, and which were missed')
    .option('--night <run>', 'the verdict of one night, as Markdown')
    .option('--html <file>', 'write its nights there as a page, with how each cell went')
    .option('--json', 'print one JSON object on stdout')
    .action(async (name: string, opts: Json & { night?: string; html?: string }) => {
      process.exitCode = await looking(async (session) => {
        if (opts.night !== undefined) return showNight(session, { schedule: name, run: opts.night }, opts);
        const found = await shown(session, name);
        if (opts.html !== undefined) {
          const verdicts = new Map((await nightsOf(session.store, name)).map(({ run, verdict }) => [run, verdict]));
          const rows = found.nights.map((one) => ({ ...one, verdict: verdicts.get(one.run ?? '') ?? null }));
          say(`Page: ${await writeOutput(opts.html, await nightsPage(name, rows))}`);
        }
        if (opts.json) process.stdout.write(`${jsonLine(found)}\n`);
        else {
          process.stdout.write(`${found.schedule}: ${found.state}, next at ${found.next ?? 'no time'}\n\n`);
          const rows = found.nights.map(({ nominal, state, run, why, self_test: tried }) => [
            nominal,
            state,
            tried === null ? '–' : `${tried.agreed} of ${tried.of}`,
            run ?? '–',
            why ?? '',
          ]);
          process.stdout.write(columns(['night', 'verdict', 'self-test', 'run', 'why'], rows));
        }
        return exit.ok;
      });
    });
}

async function showNight(
  { store }: Session,
  { schedule, run }: { schedule: string; run: string },
  opts: Json,
): Promise<number> {
  const night = await readVerdict(store, { schedule, run });
  if (night === null)
    throw new ConfigProblem(`there is no verdict on ${run}`, {
      advice: 'uturn schedule show <schedule> lists its nights.',
    });
  process.stdout.write(opts.json ? `${jsonLine(night)}\n` : nightMarkdown(night));
  return exit.ok;
}

function trigger(schedule: Command): void {
  schedule
    .command('trigger')
    .argument('<schedule>', 'its name')
    .summary('start a night now')
    .description(
      'Starts a night of its own, beside the schedule’s. With --wait the exit code is its verdict: 0 pass, 1 fail or broken, 3 inconclusive.',
    )
    .option('--wait', 'wait for its verdict')
    .option('--json', 'print one JSON object on stdout')
    .action(async (name: string, opts: Json & { wait?: true }) => {
      process.exitCode = await scheduling(async (session) => {
        const { handle } = await findSchedule(session.client, name);
        const before = new Date();
        await handle.trigger(ScheduleOverlapPolicy.BUFFER_ALL);
        if (!opts.wait) {
          if (opts.json) process.stdout.write(`${jsonLine({ schedule: name, triggered: before.toISOString() })}\n`);
          else say(`A night of ${name} begins. Its verdict: uturn schedule show ${name}`);
          return exit.ok;
        }
        const night = await waitForNight(session, { name, before });
        process.stdout.write(opts.json ? `${jsonLine(night)}\n` : nightMarkdown(night));
        if (night.verdict === 'pass') return exit.ok;
        return night.verdict === 'inconclusive' ? exit.unfinished : exit.failed;
      });
    });
}

function backfill(schedule: Command): void {
  schedule
    .command('backfill')
    .argument('<schedule>', 'its name')
    .requiredOption('--from <time>', 'first time to make up for, such as 2026-11-01T00:00Z', moment)
    .requiredOption('--to <time>', 'last time', moment)
    .summary('make up for nights that were missed')
    .description(
      'Starts the nights of that time one after another. A night that is there already is not measured again.',
    )
    .action(async (name: string, { from, to }: { from: Date; to: Date }) => {
      if (from > to) throw new ConfigProblem('--from lies after --to', { advice: 'Give the earlier time first.' });
      process.exitCode = await scheduling(async ({ client }) => {
        const { handle } = await findSchedule(client, name);
        // Temporal leaves out a night at the very start.
        const start = new Date(from.getTime() - 1);
        await handle.backfill({ start, end: to, overlap: ScheduleOverlapPolicy.BUFFER_ALL });
        say(
          `The nights of ${name} from ${from.toISOString()} to ${to.toISOString()} begin: uturn schedule show ${name}`,
        );
        return exit.ok;
      });
    });
}

function hold(schedule: Command, how: 'pause' | 'unpause'): void {
  schedule
    .command(how)
    .argument('<schedule>', 'its name')
    .summary(how === 'pause' ? 'begin no further nights until it is unpaused' : 'begin nights again')
    .action(async (name: string) => {
      process.exitCode = await (how === 'pause' ? looking : scheduling)(async ({ client }) => {
        const { handle } = await findSchedule(client, name);
        await handle[how](`uturn schedule ${how}`);
        say(how === 'pause' ? `${name} is paused. Go on with: uturn schedule unpause ${name}` : `${name} goes on.`);
        return exit.ok;
      });
    });
}

function remove(schedule: Command): void {
  schedule
    .command('remove')
    .argument('<schedule>', 'its name')
    .summary('take it off its schedule; its nights stay in the store')
    .action(async (name: string) => {
      process.exitCode = await looking(async ({ client, store }) => {
        const { handle } = await findSchedule(client, name);
        await handle.delete();
        say(
          `${name} is off its schedule; ${counted((await nightsOf(store, name)).length, 'night')} of it stay in the store.`,
        );
        return exit.ok;
      });
    });
}

function moment(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(at.getTime()))
    throw new ConfigProblem(`${JSON.stringify(text)} is no time`, {
      advice: 'Write it as 2026-11-01 or 2026-11-01T02:00Z.',
    });
  return at;
}
