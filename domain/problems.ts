// The two kinds of error: ours (stop at once and say what to change) and the world's (retry, then park).

/** Where a person has to look. `line` counts from 1; `field` is a path such as `models[0].url`. */
export type Place = { file?: string; line?: number; field?: string };

/** Somebody has to change something: config, data, key, disk. Never retried. `advice` says what to do. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
  readonly place: Place;
  readonly advice: string;
  constructor(message: string, opts: { place?: Place; advice?: string; cause?: unknown } = {}) {
    super(message, opts.cause === undefined ? undefined : { cause: opts.cause });
    this.place = opts.place ?? {};
    this.advice = opts.advice ?? '';
  }
}

/** The world failed: connection, 429, 5xx, killed server, full disk. Retried with back-off. */
export class WorldProblem extends Error {
  override readonly name = 'WorldProblem';
  /** A word a script can test: `unreachable`, `overloaded`, `server_error`, `timeout`, `disk`. */
  readonly kind: string;
  /** What the server asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** Calls that reached the server before this was given up. */
  requests = 0;
  constructor(kind: string, message: string, opts: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, opts.cause === undefined ? undefined : { cause: opts.cause });
    this.kind = kind;
    this.retryAfterMs = opts.retryAfterMs ?? null;
  }
}

/** The same problem with the place filled in where it had none; other errors as they are. */
export function placed(error: unknown, place: Place): unknown {
  if (!(error instanceof ConfigProblem) || error.place.file !== undefined) return error;
  return new ConfigProblem(error.message, { place, advice: error.advice, cause: error });
}

/** `file:line  field: message`, then the advice on a line of its own. */
export function sentence(problem: ConfigProblem): string {
  const { file, line, field } = problem.place;
  const where = [file && line ? `${file}:${line}` : file, field && `${field}:`].filter(Boolean).join('  ');
  return `${where ? `${where} ` : ''}${problem.message}${problem.advice ? `\n  ${problem.advice}` : ''}`;
}
