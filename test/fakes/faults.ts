// Faults of the fake server: which requests meet one, and what it does to the reply.
import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * A status; `hang`: no answer ever; `cut`: the connection is destroyed half-way through the body; `truncated`: a whole
 * HTTP reply holding half the JSON; `garbage`: a page of HTML; `empty`: no body; `binary`: JSON with bytes that are no
 * UTF-8; `huge`: a completion of 50 million characters; `foreign`: JSON that is no completion.
 */
const fault = z.union([
  z.int().min(400).max(599),
  z.enum(['hang', 'cut', 'truncated', 'garbage', 'empty', 'binary', 'huge', 'foreign']),
]);

/**
 * `at` numbers completion requests from 1, in order of arrival; `rate` is a share of them, the same ones each time;
 * `asks`: those whose question holds this text; `over`: those that come while so many are in flight, at once.
 */
const when = z.union([
  z.strictObject({ rate: z.number().min(0).max(1) }),
  z.strictObject({ at: z.array(z.int().positive()) }),
  z.strictObject({ asks: z.string() }),
  z.strictObject({ over: z.int().positive() }),
]);

export const faultRule = z.strictObject({ fault, when, headers: z.record(z.string(), z.string()).default({}) });

export type Fault = z.infer<typeof fault>;
export type FaultRule = z.infer<typeof faultRule>;
export type FaultRuleInput = z.input<typeof faultRule>;

export type Arrival = { number: number; question: string; inFlight: number };

/** The first rule that hits a request, or null. */
export function faultOf(arrival: Arrival, rules: FaultRule[], seed: number): FaultRule | null {
  return rules.find((rule, index) => hits(arrival, rule, `${seed}/${index}/${rule.fault}`)) ?? null;
}

function hits({ number, question, inFlight }: Arrival, { when }: FaultRule, stream: string): boolean {
  if ('over' in when) return inFlight > when.over;
  if ('asks' in when) return question.includes(when.asks);
  return 'at' in when ? when.at.includes(number) : uniform(`${stream}/${number}`) < when.rate;
}

/** 0 ≤ x < 1, by hash. */
export function uniform(of: string): number {
  return createHash('sha256').update(of).digest().readUInt32BE() / 2 ** 32;
}
