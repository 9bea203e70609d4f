// `npm run bench`: contestants beside each other on one model server. Exit code 1 where a gate fails, 2 where it is asked wrongly.
import { contestants } from './contestants/all.ts';
import { exitCodeOf, gatesOf, goalsOf } from './gates.ts';
import { type Options, optionsOf, usage } from './options.ts';
import { ratiosOf, rowsOf } from './results.ts';
import { measureRounds } from './rounds.ts';
import { gatesText, summaryLine, tableOf } from './table.ts';

async function bench(opts: Options): Promise<number> {
  const chosen = chosenFrom(opts.only);
  const settings = opts.latencies.flatMap((latency_ms) =>
    opts.inFlight.map((in_flight) => ({ latency_ms, in_flight })),
  );
  const absent: { contestant: string; why: string }[] = [];
  for (const { name, prepare } of chosen) {
    const why = await prepare();
    if (why !== null) absent.push({ contestant: name, why });
    if (why !== null) report(`${name} cannot take part: ${why}`);
  }
  const present = chosen.filter(({ name }) => !absent.some(({ contestant }) => contestant === name));
  const { measured, failed } = await measureRounds({
    contestants: present,
    settings,
    rounds: opts.rounds,
    itemsAt: (latencyMs) => opts.items ?? (latencyMs >= 1_000 ? 1_000 : 10_000),
    profile: opts.profile,
    report,
  });

  const rows = rowsOf(measured);
  const wanted = { contestants: chosen.map(({ name }) => name), settings };
  const gates = gatesOf({ rows, failed }, wanted);
  const goals = goalsOf({ rows, failed }, wanted);
  if (opts.json) {
    const ratios = ratiosOf(rows);
    console.log(JSON.stringify({ rows, measured, failed, absent, gates, goals, ratios }, null, 2));
  } else {
    console.log([tableOf(rows), gatesText('Gates', gates), gatesText('Goals', goals)].join('\n\n'));
  }
  if (opts.profile !== null) report(`CPU profiles are in ${opts.profile}`);
  report(summaryLine(gates, goals));
  return exitCodeOf(gates);
}

function chosenFrom(only: string[] | null) {
  const unknown = only?.find((name) => !contestants.some((one) => one.name === name));
  if (unknown !== undefined) throw new Error(`--only: there is no contestant ${JSON.stringify(unknown)}; see --list`);
  return contestants.filter(({ name }) => only === null || only.includes(name));
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

function asked(): Options | null {
  try {
    const opts = optionsOf(process.argv.slice(2));
    chosenFrom(opts.only);
    return opts;
  } catch (problem) {
    report(`${problem instanceof Error ? problem.message : String(problem)}\n\n${usage}`);
    return null;
  }
}

const opts = asked();
if (opts === null) process.exitCode = 2;
else if (opts.show === 'help') console.log(usage);
else if (opts.show === 'list') console.log(contestants.map(({ name }) => name).join('\n'));
else process.exitCode = await bench(opts);
