// How long engines were at work for a run, in GPU hours: however many of its campaigns used one at once, it counts once.

/** What a campaign says of the engine it holds: whether it is up for it now. */
export type EngineUse = { model: string; engine: string; gpus: number; up: boolean };

type Clock = { gpus: number; users: Set<string>; since: number; seconds: number };
export type Meter = Map<string, Clock>;

/** Writes down what a campaign says, at a time in milliseconds. The same again changes nothing. */
export function note(meter: Meter, { model, engine, gpus, up }: EngineUse, at: number): void {
  const clock = meter.get(engine) ?? { gpus, users: new Set(), since: at, seconds: 0 };
  const seconds = secondsOf(clock, at);
  const others = [...clock.users].filter((user) => user !== model);
  meter.set(engine, { gpus, users: new Set(up ? [...others, model] : others), since: at, seconds });
}

/** A campaign that is over uses nothing. */
export function without(meter: Meter, model: string, at: number): void {
  for (const [engine, { gpus, users }] of meter)
    if (users.has(model)) note(meter, { model, engine, gpus, up: false }, at);
}

export function hoursOf(meter: Meter, at: number): number {
  return [...meter.values()].reduce((sum, clock) => sum + (clock.gpus * secondsOf(clock, at)) / 3_600, 0);
}

/** GPUs at work now. */
export function gpusAtWork(meter: Meter): number {
  return [...meter.values()].reduce((sum, { gpus, users }) => sum + (users.size > 0 ? gpus : 0), 0);
}

function secondsOf({ users, since, seconds }: Clock, at: number): number {
  return users.size === 0 ? seconds : seconds + Math.max(0, at - since) / 1_000;
}
