// Chat templates rendered by the reference engine: Python's jinja2, in a process of its own.

import { visible } from '../../domain/probe/visible.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';
import { type RenderProcess, renderProcess } from './process.ts';
import { plainConversations, type Renderer } from './renderer.ts';

export type JinjaOptions = {
  /** A Python that has jinja2: the tool environment's. */
  python: string;
  template: string;
  bos_token: string | null;
  eos_token: string | null;
  /** What the template takes for today (ISO). With null, a template that prints the date is an error. */
  date: string | null;
  kwargs: Record<string, unknown>;
  /** Computing time one rendering may take. */
  seconds?: number;
};

const SECONDS = 2;

/** Renderers of one worker share one process per Python; the last one closed ends it. */
export function jinjaRenderer(opts: JinjaOptions): Renderer {
  const lease = leaseProcess(opts.python);
  return {
    sha256: sha256(opts.template.toWellFormed()),
    source: 'jinja',
    endTokens: opts.eos_token ? [opts.eos_token] : [],
    async render(messages, { generation }) {
      const { template, bos_token, eos_token, date, kwargs } = opts;
      const request = { template, bos_token, eos_token, date, kwargs, messages, seconds: opts.seconds ?? SECONDS };
      const reply = await lease.process.ask({ ...request, add_generation_prompt: generation === 'assistant' });
      if ('text' in reply) return reply.text;
      const roles = messages.map((message) => message.role).join(', ');
      const what = `the chat template failed on ${roles}: ${visible(reply.error)}`;
      if (reply.limit) throw new CutOff(what, { advice: 'Give a template that only prints the conversation.' });
      throw new ConfigProblem(what, {
        advice:
          'Leave out what it refuses (often a system message), or give another template or other template_kwargs.',
      });
    },
    close: () => lease.giveBack(),
  };
}

/** A rendering that used up its time, memory or room. Others of this template most likely would too. */
class CutOff extends ConfigProblem {}

/**
 * `today`, if the template prints it anywhere in plain conversations; null where another day changes nothing.
 * @throws ConfigProblem  the template does not come to an end
 */
export async function frozenDate(opts: Omit<JinjaOptions, 'date'>, today: string): Promise<string | null> {
  const days = ['1999-01-02T03:04:05', '2031-12-25T16:57:48'].map((date) => jinjaRenderer({ ...opts, date }));
  try {
    for (const messages of plainConversations) {
      for (const generation of ['none', 'assistant'] as const) {
        const [one, other] = await Promise.all(days.map((day) => textOrNull(day.render(messages, { generation }))));
        if (one !== other) return today;
      }
    }
    return null;
  } finally {
    await Promise.all(days.map((day) => day.close()));
  }
}

async function textOrNull(rendering: Promise<string>): Promise<string | null> {
  try {
    return await rendering;
  } catch (problem) {
    if (problem instanceof ConfigProblem && !(problem instanceof CutOff)) return null;
    throw problem;
  }
}

const processes = new Map<string, { process: RenderProcess; users: number }>();

function leaseProcess(python: string) {
  const shared = processes.get(python) ?? { process: renderProcess(python), users: 0 };
  shared.users += 1;
  processes.set(python, shared);
  let mine = true;
  return {
    process: shared.process,
    async giveBack() {
      if (!mine) return;
      mine = false;
      shared.users -= 1;
      if (shared.users > 0) return;
      processes.delete(python);
      await shared.process.close();
    },
  };
}
