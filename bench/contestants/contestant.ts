// What the bench asks of a contestant, and what it is told.

export type Job = {
  /** Address of the model server, `/v1` not included. */
  url: string;
  items: number;
  inFlight: number;
  /** A folder of its own, empty. */
  dir: string;
  /** Carries the mark by which its processes are known; all that it starts must inherit it. */
  env: NodeJS.ProcessEnv;
  /** To be called when what is to be measured begins: CPU before it does not count. */
  begin(): void;
  /** And when it has ended, where the contestant goes on to clean up. */
  end(): void;
  /** Folder for CPU profiles; null where none are wanted. */
  profile: string | null;
};

/** `null`: there is no such thing with this contestant, or it does not tell. */
export type Told = {
  /** From the beginning of the work to its end by its own clock, without start-up of the programs. */
  work_ms: number | null;
  /** Over all workflow executions of the run, and the most in one. */
  events: { total: number; most: number } | null;
  store_bytes: number | null;
};

export type Contestant = {
  name: string;
  /** Fewer items than asked for, where it would take too long. */
  most?: number;
  /** Why it cannot take part here; null where it can. May install what it needs, once. */
  prepare(): Promise<string | null>;
  /** @throws Error  it failed, with what it said */
  run(job: Job): Promise<Told>;
};

/** What `install` says where it fails; null where it does not. */
export async function absentWhere(install: () => Promise<unknown>): Promise<string | null> {
  try {
    await install();
    return null;
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  }
}
