// What workers say: one line for each event, for people or for machines, and never a text of a prompt, an answer or a key.
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, type LogEntry, type Logger } from '@temporalio/worker';
import { hideSecrets, keysOf } from '../domain/spec/secrets.ts';
import type { LogSettings } from '../local/telemetry.ts';

export type Fields = Record<string, unknown>;

type Writing = LogSettings & { env: NodeJS.ProcessEnv; write(line: string): void };

/**
 * A logger for us and for Temporal's SDK. Fields are words and numbers. Of an error it says what it is and where it came
 * from, and not its message: a server's words may repeat what it was asked.
 */
export function logger({ level, format, env, write }: Writing): Logger {
  const hide = hider(env);
  const line = format === 'json' ? jsonLine : textLine;
  return new DefaultLogger(level.toUpperCase() as Uppercase<typeof level>, (entry) => {
    if (level === 'debug' || !isUsual(entry)) write(`${line(entry, hide)}\n`);
  });
}

/** What the SDK says of every worker that starts or stops, and what is so by intent: queues without workflows. */
function isUsual({ level, message, meta }: LogEntry): boolean {
  const theirs = ['worker', 'core'].includes(String(meta?.['sdkComponent']));
  return theirs && (level === 'INFO' || /^No .* registered, not polling/.test(message));
}

type Hide = (text: string) => string;

function jsonLine({ level, timestampNanos, message, meta }: LogEntry, hide: Hide): string {
  const fields = said(meta, hide);
  return JSON.stringify({
    time: isoTime(timestampNanos),
    level: level.toLowerCase(),
    message: hide(message),
    ...fields,
  });
}

function textLine({ level, timestampNanos, message, meta }: LogEntry, hide: Hide): string {
  const fields = Object.entries(said(meta, hide)).map(([name, value]) => ` ${name}=${word(value)}`);
  const loud = level === 'INFO' ? '' : `${level} `;
  return `${isoTime(timestampNanos)} ${loud}${hide(message)}${fields.join('')}`;
}

function isoTime(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}

function word(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/** What the SDK says of every activity and workflow, and nobody looks for. */
const dull = new Set(['sdkComponent', 'namespace', 'isLocal', 'workflowType', 'taskToken']);

function said(meta: Fields | undefined, hide: Hide): Fields {
  const fields: Fields = {};
  for (const [name, value] of Object.entries(meta ?? {})) {
    if (value === undefined || dull.has(name)) continue;
    if (value instanceof Error) Object.assign(fields, ofError(value, hide));
    else fields[name] = typeof value === 'number' || typeof value === 'boolean' ? value : hide(plain(value));
  }
  return fields;
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  // Of the SDK's own objects only that they are there.
  return value === null ? 'null' : typeof value;
}

/** `at`: the first places of the code that it came through. */
function ofError(error: Error, hide: Hide): Fields {
  const at = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .map((line) => line.trim().replace(/^at /, ''));
  const { kind, unexpected } = kindOf(error);
  return { error: kind, ...(unexpected && at.length > 0 && { at: hide(at.join(' < ')) }) };
}

/** The short word by which a failure of ours is known; any other goes by its class, and somebody will want to know where. */
export function kindOf(error: unknown): { kind: string; unexpected: boolean } {
  if (!(error instanceof Error)) return { kind: 'unknown', unexpected: true };
  if (!(error instanceof ApplicationFailure) || !error.type) return { kind: error.name, unexpected: true };
  const [word]: unknown[] = error.details ?? [];
  const ours = ['ConfigProblem', 'EngineGone', 'WorldProblem'].includes(error.type);
  return { kind: error.type === 'WorldProblem' && typeof word === 'string' ? word : error.type, unexpected: !ours };
}

const longest = 300;

/** Leaves out what looks like a key or is one of this environment's, whatever a terminal would obey, and what goes on for long. */
function hider(env: NodeJS.ProcessEnv): Hide {
  const keys = keysOf(env);
  return (text) => {
    const hidden = keys.reduce((rest, key) => rest.replaceAll(key, '…'), hideSecrets(text.slice(0, 20 * longest)));
    const clean = hidden.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ').trim();
    return clean.length <= longest ? clean : `${clean.slice(0, longest).toWellFormed()}…`;
  };
}
