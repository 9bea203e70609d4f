// A model server as far as templates need one: renders with one of the test templates, tokenises with the toy.
import type { ModelServer } from '../../../activities/inference/completion.ts';
import { jinjaRenderer } from '../../../activities/template/jinja.ts';
import { python, templateOf, toyTokenizer } from '../../domain/probe/shapes.ts';

export type TemplateServer = ModelServer & { close(): Promise<void> };

/** `can: 'nothing'`: neither renders nor tokenises. `date`: the day on its clock. */
export function templateServer(
  shape: string,
  opts: { can?: 'everything' | 'nothing'; date?: string; added?: string[] } = {},
): TemplateServer {
  const able = opts.can !== 'nothing';
  const toy = toyTokenizer(opts.added ?? []);
  const rendererWith = (kwargs: Record<string, unknown>) =>
    jinjaRenderer({
      python,
      template: templateOf(shape),
      date: opts.date ?? '2026-11-30',
      bos_token: '<s>',
      eos_token: '</s>',
      kwargs,
    });
  const keeper = rendererWith({});
  return {
    url: 'http://127.0.0.1:8000',
    complete: () => Promise.reject(new Error('nothing is generated here')),
    tokenize: async (text) => (able ? toy.tokenize(text) : null),
    detokenize: async (ids) => (able ? toy.detokenize(ids) : null),
    renderChat: async (messages, { generation, kwargs }) =>
      able ? rendererWith(kwargs).render(messages, { generation }) : null,
    describe: async () => ({ id: shape, max_model_len: null, engine: null, uturn: null }),
    batchInvariant: async () => null,
    close: () => keeper.close(),
  };
}
