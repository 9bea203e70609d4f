// The bench's arithmetic: medians over rounds, ratios between contestants, gates, and the exit code. Pure.

/** One contestant's one round at one setting. `null`: it does not tell, or there is no such thing with it. */
export type Measured = {
  contestant: string;
  latency_ms: number;
  in_flight: number;
  round: number;
  items: number;
  /** From starting its command to its end. */
  whole_s: number;
  /** From the first request's arrival to the last reply, as the server saw it. */
  requests_s: number;
  /** By its own clock, without start-up: of uturn its workflow, from start to end. */
  work_s: number | null;
  cpu_s: number;
  /** By program, of uturn the worker (`main.ts`), Temporal and the command. */
  cpu_s_of: Record<string, number>;
  peak_mb: number;
  /** Cores that others kept busy meanwhile: what makes a round not worth much. */
  others_cores: number;
  events: { total: number; most: number } | null;
  store_bytes: number | null;
  /** Generations that the server served. */
  served: number;
  /** What else was asked of it: tokenising, listing. */
  other_requests: number;
};

/** What did not come to its end. */
export type Failed = { what: string; error: string };

/** A run whose worker was killed in its middle: seconds until a new sample was asked for, samples asked for once more. */
export type Resumed = { store: string; seconds: number; again: number };

/** Medians over the rounds of one contestant at one setting. */
export type Row = {
  contestant: string;
  latency_ms: number;
  in_flight: number;
  rounds: number;
  items: number;
  /** What ratios and gates are made of: items over the request phase, of everybody alike. */
  samples_per_s: number;
  slowest: number;
  fastest: number;
  /** Items over the whole workflow, its start and its end included; null of everybody else. */
  workflow_samples_per_s: number | null;
  whole_samples_per_s: number;
  cpu_s_per_1000: number;
  peak_mb: number;
  /** Of the worst round. */
  others_cores: number;
  events: { total: number; most: number } | null;
  bytes_per_sample: number | null;
  /** The count of the round that was furthest from `items`. */
  served: number;
  other_requests: number;
};

export type Verdict = 'passed' | 'failed' | 'not measured';
export type Gate = { name: string; wanted: string; got: string; verdict: Verdict };
/** By setting (`50 ms, 64 in flight`), then by pair (`uturn-file / openai-node`). */
export type Ratios = Record<string, Record<string, number>>;

/** @throws RangeError  there are none */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('no values have no median');
  return (low + high) / 2;
}

export function isUturn(contestant: string): boolean {
  return contestant.startsWith('uturn');
}

export function rateOf(one: Measured): number {
  return one.items / one.requests_s;
}

export function rowsOf(measured: Measured[]): Row[] {
  const groups = Map.groupBy(measured, (one) => `${settingOf(one)} ${one.contestant}`);
  return [...groups.values()].flatMap((rounds) => {
    const [first] = rounds;
    return first === undefined ? [] : [rowOf(first, rounds)];
  });
}

function rowOf({ contestant, latency_ms, in_flight, items }: Measured, rounds: Measured[]): Row {
  const middle = (of: (one: Measured) => number) => median(rounds.map(of));
  const known = <T>(of: (one: Measured) => T | null) => rounds.map(of).filter((one) => one !== null);
  const rates = rounds.map(rateOf);
  const events = known((one) => one.events);
  const bytes = known((one) => one.store_bytes);
  const works = known((one) => one.work_s);
  const worst = rounds.map((one) => one.served).toSorted((a, b) => Math.abs(b - items) - Math.abs(a - items));
  return {
    contestant,
    latency_ms,
    in_flight,
    rounds: rounds.length,
    items,
    samples_per_s: median(rates),
    slowest: Math.min(...rates),
    fastest: Math.max(...rates),
    workflow_samples_per_s: isUturn(contestant) && works.length > 0 ? items / median(works) : null,
    whole_samples_per_s: middle((one) => one.items / one.whole_s),
    cpu_s_per_1000: middle((one) => (one.cpu_s / one.items) * 1_000),
    peak_mb: middle((one) => one.peak_mb),
    others_cores: Math.max(...rounds.map((one) => one.others_cores)),
    events:
      events.length === 0
        ? null
        : { total: median(events.map((one) => one.total)), most: Math.max(...events.map((one) => one.most)) },
    bytes_per_sample: bytes.length === 0 ? null : median(bytes) / items,
    served: worst[0] ?? 0,
    other_requests: middle((one) => one.other_requests),
  };
}

export function settingOf({ latency_ms, in_flight }: { latency_ms: number; in_flight: number }): string {
  return `${latency_ms} ms, ${in_flight} in flight`;
}

/** Each uturn against each other contestant; `of` says by which of its rates. */
export function ratiosOf(rows: Row[], of: (row: Row) => number | null = (row) => row.samples_per_s): Ratios {
  const ratios: Ratios = {};
  for (const ours of rows.filter((row) => isUturn(row.contestant))) {
    for (const theirs of rows) {
      if (isUturn(theirs.contestant) || settingOf(theirs) !== settingOf(ours)) continue;
      const rate = of(ours);
      if (rate === null) continue;
      const setting = (ratios[settingOf(ours)] ??= {});
      setting[`${ours.contestant} / ${theirs.contestant}`] = rate / theirs.samples_per_s;
    }
  }
  return ratios;
}
