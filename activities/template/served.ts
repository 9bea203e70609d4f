// Chat templates rendered by the model's own server, where only the server has them.
import { ConfigProblem } from '../../domain/problems.ts';
import { hashOf } from '../../domain/records/canonical.ts';
import type { ModelServer } from '../inference/completion.ts';
import { plainConversations, type Renderer } from './renderer.ts';

/** `today` as YYYY-MM-DD, on the server's clock as near as anybody knows. */
export type ServedOptions = { kwargs: Record<string, unknown>; today: string };

/**
 * A renderer over the server's own template, known by what it prints for fixed conversations.
 * @throws ConfigProblem  the server cannot render, prints today's date, which nobody can freeze there, or decodes a text
 *                        into another one
 */
export async function servedRenderer(server: ModelServer, opts: ServedOptions): Promise<Renderer> {
  const render: Renderer['render'] = async (messages, { generation }) => {
    const text = await server.renderChat(messages, { generation, kwargs: opts.kwargs });
    if (text !== null) return text;
    throw new ConfigProblem(`${server.url} cannot render its chat template`, {
      advice: 'Give the template as a file in the model entry (`template:`), or serve the model with vLLM.',
    });
  };
  const seen: (string | null)[] = [];
  for (const [index, messages] of plainConversations.entries()) {
    for (const generation of ['assistant', 'none'] as const) {
      // A template may refuse a system message, but one that does not print a question is of no use.
      seen.push(await (index === 0 ? render(messages, { generation }) : orNull(render(messages, { generation }))));
    }
  }
  const dated = seen.find((text) => text !== null && datesOf(opts.today).some((date) => text.includes(date)));
  if (dated !== undefined) {
    throw new ConfigProblem(
      `the chat template of ${server.url} prints today's date, so its prompts would change every day`,
      {
        advice:
          'Give the template as a file (`template:`), or fix the date with template_kwargs (often `date_string`).',
      },
    );
  }
  await checkSpaces(server);
  return { sha256: hashOf(seen), source: 'server', endTokens: [], render, close: async () => {} };
}

/** Spaces that a tokenizer set to tidy up takes out when it decodes. */
const spaced = "It 's here , is n't it ? Yes .";

/** A rendering comes back as ids and is decoded: what decoding changes would be changed in every prompt. */
async function checkSpaces(server: ModelServer): Promise<void> {
  const ids = await server.tokenize(spaced);
  const back = ids === null ? null : await server.detokenize(ids);
  if (back === null || back.trim() === spaced) return;
  throw new ConfigProblem(
    `the tokenizer of ${server.url} loses spaces when it decodes, and they would be lost in prompts`,
    {
      advice: 'Give the template as a file in the model entry (`template:`): what is rendered here is never decoded.',
    },
  );
}

async function orNull(rendering: Promise<string>): Promise<string | null> {
  try {
    return await rendering;
  } catch (problem) {
    if (problem instanceof ConfigProblem) return null;
    throw problem;
  }
}

/** The day in the forms templates write it. */
function datesOf(day: string): string[] {
  const date = new Date(`${day}T00:00:00Z`);
  const part = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...form, timeZone: 'UTC' }).format(date);
  const dayOfMonth = String(date.getUTCDate());
  const year = String(date.getUTCFullYear());
  const months = [part({ month: 'short' }), part({ month: 'long' })];
  const days = [dayOfMonth, dayOfMonth.padStart(2, '0')];
  const written = months.flatMap((month) => days.flatMap((d) => [`${d} ${month} ${year}`, `${month} ${d}, ${year}`]));
  return [day, ...written];
}
