// A chat template whose text is at hand, frozen for a plan.
import { readFile, stat } from 'node:fs/promises';
import type { PlannedTemplate } from '../../domain/plan/plan.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { toolVenv } from '../../local/python.ts';
import { putBlob } from '../store/blobs.ts';
import type { Store } from '../store/store.ts';
import { type TemplateSource, templateFromFiles } from '../template/files.ts';
import { frozenDate } from '../template/jinja.ts';

type Text = Pick<PlannedTemplate, 'bos_token' | 'eos_token' | 'kwargs'> & { text: string };
type Deps = { store: Store; templateDate: string; report(line: string): void };

/** Puts the text into the store, and finds out whether it prints the date. */
export async function jinjaTemplate({ text, ...tokens }: Text, deps: Deps): Promise<PlannedTemplate> {
  const { python } = await toolVenv({ report: deps.report });
  const date = await frozenDate({ python, template: text, ...tokens }, deps.templateDate);
  return { sha256: await putBlob(deps.store, text), source: 'jinja', date, ...tokens };
}

/**
 * What `template:` names: a file with the template's text, or the files of a model, which know its tokens as well.
 * @throws ConfigProblem  it cannot be read, or holds no template
 */
export async function templateFile(path: string): Promise<TemplateSource> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  if (isFolder || /\.json$/i.test(path)) return templateFromFiles(path);
  return { template: await templateText(path), bos_token: null, eos_token: null };
}

async function templateText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigProblem(
      `the chat template ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        advice: 'Check the path (it is relative to the config).',
        cause,
      },
    );
  });
}
