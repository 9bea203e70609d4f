// A judge model's reply, read as a whole: one JSON object with a verdict, or what is wrong with it.
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { type Label, labels } from '../records/record.ts';
import { isCopied } from './copied.ts';

/** What a judge says of a user turn. `genuine` as it was said: whether the label allows it is another question. */
export type Verdict = { rationale: string; label: Label; genuine: boolean };

/** `fault`: what is wrong, in few words that end a sentence beginning with "the reply …". */
export type ReadReply = { verdict: Verdict } | { fault: string };

/** Raised when the same reply would be read otherwise, or another shape is asked for: part of a judgement's key. */
export const replySemantics = 2;

/** Characters of a rationale that are kept, which is more than a reason needs. */
export const mostRationale = 4_000;

const verdict = z.object({ rationale: z.string(), label: z.enum(labels), genuine: z.boolean() });

/** JSON Schema of a verdict, for servers that hold a reply to one. The reason stands first: it is to come first. */
export function verdictSchema(): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      rationale: { type: 'string' },
      label: { type: 'string', enum: [...labels] },
      genuine: { type: 'boolean' },
    },
    required: ['rationale', 'label', 'genuine'],
    additionalProperties: false,
  };
}

/**
 * The verdict in a reply that is one JSON object: alone, in one fence, or after one reasoning block. Further keys are
 * ignored, and of a long rationale only the beginning is kept. Anything else has a fault, and so has a verdict that
 * stands in `judged`, the texts that the reply is about: it is theirs and not the judge's.
 */
export function readReply(text: string, { judged }: { judged: string[] }): ReadReply {
  if (text.trim() === '') return { fault: 'is empty' };
  const bare = parsed(text.trim()) === undefined ? withoutReasoning(text.trim()) : text.trim();
  if (bare === null) return { fault: 'has more than one reasoning block, or one that does not end' };
  if (bare === '') return { fault: 'ends after its reasoning' };
  const json = parsed(bare) === undefined ? unfenced(bare) : bare;
  const value = parsed(json);
  if (value === undefined) return { fault: notJson(json) };
  const read = verdict.safeParse(value);
  if (!read.success) return { fault: notVerdict(read.error, value) };
  if (repeatsKey(json)) return { fault: 'says one thing twice' };
  if (isCopied(read.data, judged)) return { fault: 'is copied from what it judges' };
  return { verdict: { ...read.data, rationale: kept(read.data.rationale) } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What follows one `<think>…</think>` at the start; its opening may have stood in the prompt. Null where it is unclear. */
function withoutReasoning(text: string): string | null {
  const opens = text.startsWith('<think>');
  const [before = '', after, ...more] = text.slice(opens ? '<think>'.length : 0).split('</think>');
  if (after === undefined) return opens ? null : text;
  return more.length > 0 || before.includes('<think>') ? null : after.trim();
}

function unfenced(text: string): string {
  return /^```(?:json|JSON)?[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```$/.exec(text)?.[1]?.trim() ?? text;
}

/** JSON takes the last of two equal keys; a verdict that is said twice is none. */
function repeatsKey(json: string): boolean {
  return parseDocument(json, { schema: 'json', version: '1.2' }).errors.some(({ code }) => code === 'DUPLICATE_KEY');
}

/** No character is cut in half. */
function kept(rationale: string): string {
  if (rationale.length <= mostRationale) return rationale;
  const begin = rationale.slice(0, mostRationale).replace(/[\ud800-\udbff]$/, '');
  return `${begin}… [cut: ${rationale.length} characters]`;
}

function notVerdict(error: z.ZodError, value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no JSON object';
  const field = String(error.issues[0]?.path[0]);
  const said = (value as Record<string, unknown>)[field];
  if (said === undefined) return `has no ${field}`;
  return `has ${short(JSON.stringify(said))} as its ${field}`;
}

/** The likeliest reason, for a person; no reply is read by it. */
function notJson(text: string): string {
  if (/^\{[\s\S]*\}[\s,;]*\{[\s\S]*\}$/.test(text)) return 'holds more than one JSON object';
  if (/^\{\s*'/.test(text)) return 'has single quotes in the place of JSON’s double ones';
  if (/^(?:```\w*\s*)?\{[^}]*$/.test(text)) return 'breaks off inside its JSON';
  return text.includes('{') && text.includes('}') ? 'is more than its JSON object' : 'holds no JSON object';
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text;
}
