// The reference checkers of IFEval and IFBench, in Python processes of their own.
import { z } from 'zod';
import type { InstructionsCheck } from '../../domain/data/item.ts';
import type { InstructionResult } from '../../domain/records/record.ts';
import { type Helper, pythonHelper } from '../python/helper.ts';

/** What `python/uturn/verify.py` takes. `seed` stands behind whatever a checker rolls a die for. */
export type VerifyRequest = Pick<InstructionsCheck, 'family' | 'instructions'> & {
  reply: string;
  seed: string;
  seconds: number;
};

/** One result per instruction, in their order; `error`: no answer within the time, or the process died of it. */
export type Verified = { results: InstructionResult[] } | { error: { kind: string; message: string } };

export type Verifier = {
  /** @throws ConfigProblem  the checkers cannot be installed or started */
  verify(request: Omit<VerifyRequest, 'seconds'>): Promise<Verified>;
  close(): Promise<void>;
};

const result = z.object({
  strict: z.boolean().nullable(),
  loose: z.boolean().nullable(),
  random: z.boolean(),
  reason: z.string().nullable(),
});
const reply = z.union([z.object({ results: z.array(result) }), z.object({ error: z.string() })]);
type Reply = z.infer<typeof reply>;

/** Computing time per item. The slowest reply of a few thousand words takes a tenth of it. */
const SECONDS = 20;
/** Wall time on top of it: a busy machine, and the start of Python with its language profiles. */
const GRACE_MS = 60_000;
const PROCESSES = 2;

/** Nothing is installed or started before the first question. `python` is asked for once, and again after a failure. */
export function instructionVerifier(
  python: () => Promise<string>,
  opts: { seconds?: number; graceMs?: number } = {},
): Verifier {
  const seconds = opts.seconds ?? SECONDS;
  const limitMs = seconds * 1000 + (opts.graceMs ?? GRACE_MS);
  let started: Promise<Slot[]> | null = null;

  function slots(): Promise<Slot[]> {
    started ??= python().then((path) => Array.from({ length: PROCESSES }, () => slotOf(path)));
    started.catch(() => {
      started = null;
    });
    return started;
  }

  return {
    async verify(request) {
      const slot = (await slots()).reduce((a, b) => (b.waiting < a.waiting ? b : a));
      slot.waiting += 1;
      try {
        const asked = await slot.helper.ask({ ...request, seconds }, limitMs);
        if (asked === 'late') return failed('check_timeout', `not finished after ${limitMs / 1000} s`);
        if (asked === 'died') return failed('check_died', 'the process that checks it died of it twice');
        if ('error' in asked.reply) return failed('check_timeout', asked.reply.error);
        const { results } = asked.reply;
        return { results: request.instructions.map(({ id }, place) => named(id, results[place])) };
      } finally {
        slot.waiting -= 1;
      }
    },
    async close() {
      await Promise.all((await started)?.map(({ helper }) => helper.close()) ?? []);
    },
  };
}

type Slot = { helper: Helper<VerifyRequest, Reply>; waiting: number };

function slotOf(python: string): Slot {
  return { helper: pythonHelper({ python, script: 'verify.py', reply, work: 'checks answers' }), waiting: 0 };
}

function failed(kind: string, what: string): Verified {
  return { error: { kind, message: `checking the instructions: ${what}` } };
}

function named(id: string, one: z.infer<typeof result> | undefined): InstructionResult {
  if (one === undefined) throw new RangeError(`no result for ${id}`);
  const { strict, loose, random, reason } = one;
  return { id, strict, loose, ...(random && { random }), ...(reason !== null && { reason }) };
}
