// The Python process that renders templates: one at a time, restarted when it dies or does not come back.
import { z } from 'zod';
import type { TemplateMessage } from '../../domain/probe/history.ts';
import { WorldProblem } from '../../domain/problems.ts';
import { pythonHelper } from '../python/helper.ts';

/** What `python/uturn/render.py` takes. `seconds` bounds the computing time of this rendering. */
export type RenderRequest = {
  template: string;
  messages: TemplateMessage[];
  add_generation_prompt: boolean;
  kwargs: Record<string, unknown>;
  bos_token: string | null;
  eos_token: string | null;
  date: string | null;
  seconds: number;
};

/** `limit`: it was cut off, and will be whenever it is asked. */
export type RenderReply = { text: string } | { error: string; limit?: true | undefined };

export type RenderProcess = { ask(request: RenderRequest): Promise<RenderReply>; close(): Promise<void> };

const reply = z.union([
  z.object({ text: z.string() }),
  z.object({ error: z.string(), limit: z.literal(true).optional() }),
]);
/** Wall time on top of the computing time: a busy machine, and the start of Python. */
const GRACE_MS = 30_000;

/** Starts nothing yet; the process is there from the first question on and never keeps Node alive by itself. */
export function renderProcess(python: string, opts: { graceMs?: number } = {}): RenderProcess {
  const graceMs = opts.graceMs ?? GRACE_MS;
  const helper = pythonHelper<RenderRequest, RenderReply>({
    python,
    script: 'render.py',
    reply,
    work: 'renders chat templates',
  });
  return {
    async ask(request) {
      const asked = await helper.ask(request, request.seconds * 1000 + graceMs);
      if (asked === 'late') return { error: `not finished in time (${request.seconds} s of computing)`, limit: true };
      if (asked === 'died') throw new WorldProblem('renderer', `the template renderer died twice (${python})`);
      return asked.reply;
    },
    close: () => helper.close(),
  };
}
