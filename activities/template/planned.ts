// The renderer that a plan froze for a model.
import type { PlannedTemplate } from '../../domain/plan/plan.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { toolVenv } from '../../local/python.ts';
import type { ModelServer } from '../inference/completion.ts';
import { getBlob } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import { jinjaRenderer } from './jinja.ts';
import type { Renderer } from './renderer.ts';
import { servedRenderer } from './served.ts';

/** `server` is null where the text is at hand and there is no server yet. */
export type PlannedDeps = { store: Store; server: ModelServer | null; report(line: string): void };

/** @throws ConfigProblem  the server's own template is no longer the planned one */
export async function plannedRenderer(template: PlannedTemplate, deps: PlannedDeps): Promise<Renderer> {
  const { kwargs, date, bos_token, eos_token } = template;
  if (template.source === 'jinja') {
    const text = new TextDecoder().decode(await getBlob(deps.store, template.sha256));
    const { python } = await toolVenv({ report: deps.report });
    return jinjaRenderer({ python, template: text, bos_token, eos_token, date, kwargs });
  }
  const { server } = deps;
  if (server === null) throw new ConfigProblem('the plan has no template of its own, and no server is there to render');
  const renderer = await servedRenderer(server, { kwargs, today: today() });
  if (renderer.sha256 === template.sha256) return renderer;
  throw new ConfigProblem(`${server.url} renders another chat template than the one this run was planned with`, {
    advice: 'Serve the model as it was, or make a new plan: uturn run.',
  });
}

/** Only to tell a server that prints the date. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
