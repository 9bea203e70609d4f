// `npm run bench`: contestants beside each other on one model server. Exit code 1 where a gate fails, 2 where it is asked wrongly.
import { contestants, resumes } from './contestants/all.ts';
import { exitCodeOf, gatesOf, goalsOf } from './gates.ts';
import { endJobs } from './job.ts';
import { type Options, optionsOf, usage } from './options.ts';
import { ratiosOf, rowsOf } from './results.ts';
import { measureResumes } from './resume.ts';
import { measureRounds } from './rounds.ts';
import { startServer } from './server/server.ts';
import { gatesText, resumedText, summaryLine, tableOf } from './table.ts';

async function bench(opts: Options): Promise<number> {
  const wanted = wantedOf(opts);
  const absent: { name: string; why: string }[] = [];
  for (const { name, prepare } of [...wanted.contestants, ...wanted.resumes]) {
    const why = await prepare();
    if (why === null) continue;
    absent.push({ name, why });
    report(`${name} cannot take part: ${why}`);
  }
  const present = <T extends { name: string }>(all: T[]) =>
    all.filter((one) => !absent.some(({ name }) => name === one.name));

  await using server = await startServer();
  const rounds = await measureRounds(server, {
    contestants: present(wanted.contestants),
    settings: wanted.settings,
    rounds: opts.rounds,
    itemsAt: (latencyMs) => opts.items ?? (latencyMs >= 1_000 ? 1_000 : 10_000),
    profile: opts.profile,
    report,
  });
  const kills = await measureResumes(server, present(wanted.resumes), report);

  const rows = rowsOf(rounds.measured);
  const outcome = { rows, resumed: kills.resumed, failed: [...rounds.failed, ...kills.failed] };
  const gates = gatesOf(outcome, { ...wanted, contestants: wanted.contestants.map(({ name }) => name) });
  const goals = goalsOf(outcome, { ...wanted, contestants: wanted.contestants.map(({ name }) => name) });
  if (opts.json) {
    const { measured } = rounds;
    const workflow_ratios = ratiosOf(rows, (row) => row.workflow_samples_per_s);
    const told = { ...outcome, measured, absent, gates, goals, workflow_ratios, ratios: ratiosOf(rows) };
    console.log(JSON.stringify(told, null, 2));
  } else {
    const parts = [tableOf(rows), resumedText(outcome.resumed), gatesText('Gates', gates), gatesText('Goals', goals)];
    console.log(parts.filter((part) => part !== '').join('\n\n'));
  }
  if (opts.profile !== null) report(`CPU profiles are in ${opts.profile}`);
  report(summaryLine(gates, goals));
  return exitCodeOf(gates);
}

/** @throws Error  `--only` names nobody that there is */
function wantedOf({ only, latencies, inFlight }: Options) {
  const known = [...contestants, ...resumes].map(({ name }) => name);
  const unknown = only?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`--only: there is no ${JSON.stringify(unknown)}; there are ${known.join(', ')}`);
  const isWanted = ({ name }: { name: string }) => only === null || only.includes(name);
  return {
    contestants: contestants.filter(isWanted),
    resumes: resumes.filter(isWanted),
    settings: latencies.flatMap((latency_ms) => inFlight.map((in_flight) => ({ latency_ms, in_flight }))),
  };
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

function asked(): Options | null {
  try {
    const opts = optionsOf(process.argv.slice(2));
    wantedOf(opts);
    return opts;
  } catch (problem) {
    report(`${problem instanceof Error ? problem.message : String(problem)}\n\n${usage}`);
    return null;
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endJobs().finally(() => process.exit(130)));
}
const opts = asked();
if (opts === null) process.exitCode = 2;
else if (opts.show === 'help') console.log(usage);
else if (opts.show === 'list') console.log([...contestants, ...resumes].map(({ name }) => name).join('\n'));
else process.exitCode = await bench(opts);
