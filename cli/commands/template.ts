// `uturn template`: what a user turn's prompt looks like, token by token.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { findModel } from '../../activities/planning/model.ts';
import { templateFromFiles } from '../../activities/template/files.ts';
import { frozenDate, jinjaRenderer } from '../../activities/template/jinja.ts';
import { type SaidSoFar, type TemplateReport, templateReport } from '../../activities/template/show.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import type { ModelSpec } from '../../domain/spec/model.ts';
import { toolVenv } from '../../local/python.ts';
import { readMessages } from '../conversation.ts';
import { exit } from '../exit.ts';
import { say } from '../finish.ts';
import { inHome, openReading, type Reading } from '../session.ts';
import { templateText } from '../template-text.ts';

type Options = {
  url?: string;
  model?: string;
  templateName?: string;
  apiKeyEnv?: string;
  messages?: string;
  answer: string;
  kwargs: ModelSpec['template_kwargs'];
  date: string;
  json?: true;
};

type Asked = Options & { conversation: SaidSoFar };

export function templateCommand(program: Command): void {
  program
    .command('template')
    .argument(
      '[model]',
      'local model (smollm2-135m), .gguf or .jinja file, tokenizer_config.json, or folder of a model',
    )
    .summary('show a user turn’s prompt token by token')
    .description(
      'Prints what is sent when a model goes on as the user, and what was read off its chat template: where turns open\n' +
        'and end, what becomes of white space, of a system message and of reasoning, whether it prints the date. Exit\n' +
        'code 2 where it cannot be probed. A template file is shown as text, as there is no tokenizer with it; with\n' +
        '--url it goes to that server’s, and is compared with what the server itself renders.',
    )
    .option('--url <address>', 'a server that is up, such as http://127.0.0.1:8000/v1')
    .option('--model <name>', 'the model’s name on that server')
    .option('--template-name <name>', 'which one, where a model’s files hold several')
    .option('--api-key-env <variable>', 'environment variable that holds the server’s key')
    .option('--messages <file>', 'JSON file with the conversation to show')
    .option('--answer <text>', 'the assistant’s answer in it', 'Because most of it is empty.')
    .option('--kwargs <json>', 'switches of the template, such as \'{"enable_thinking": false}\'', switches, {})
    .option('--date <day>', 'what the template is given for today', day, '2026-01-01')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ uturn template smollm2-135m\n' +
        '  $ uturn template --url http://127.0.0.1:8000/v1 --model qwen3-4b --kwargs \'{"enable_thinking": false}\'\n' +
        '  $ uturn template ./tokenizer --messages conversation.json --answer "Seven."',
    )
    .action(async (model: string | undefined, opts: Options) => {
      const report = await reportOn(model, { ...opts, conversation: await conversationOf(opts) });
      process.stdout.write(opts.json ? `${jsonLine(report)}\n` : templateText(report));
      process.exitCode = report.probe === null ? exit.problem : exit.ok;
    });
}

async function conversationOf({ messages, answer }: Options): Promise<SaidSoFar> {
  const short: SaidSoFar['messages'] = [{ role: 'user', content: 'Why is the sky dark at night?' }];
  return { messages: messages === undefined ? short : await readMessages(messages), answer };
}

async function reportOn(model: string | undefined, opts: Asked): Promise<TemplateReport> {
  const file = model !== undefined && (await isTemplate(model)) ? model : null;
  if (opts.templateName !== undefined && (file === null || opts.url !== undefined)) {
    throw new ConfigProblem('--template-name chooses among the templates of a model’s files', {
      advice: 'Name the folder of the model or its tokenizer_config.json, and no --url.',
    });
  }
  if (opts.url !== undefined || opts.model !== undefined)
    return onServer(await openReading(), serverSpec(model, file, opts), opts);
  if (file !== null) return ofFiles(file, opts);
  if (model === undefined) {
    throw new ConfigProblem('which model?', { advice: 'Name a local model or a file, or give --url and --model.' });
  }
  return inHome((reading) => onServer(reading, localSpec(model, opts), opts));
}

async function isTemplate(path: string): Promise<boolean> {
  return /\.(jinja2?|j2|json)$/i.test(path) || ((await stat(path).catch(() => null))?.isDirectory() ?? false);
}

const common = { weights: null, dtype: null, reasoning: 'keep', concurrency: 4, timeout_s: 120, prices: null } as const;

function serverSpec(model: string | undefined, file: string | null, opts: Asked): ModelSpec {
  const { url, model: served, kwargs, apiKeyEnv = null } = opts;
  if (url === undefined || served === undefined) {
    throw new ConfigProblem('--url and --model go together', {
      advice: 'Give the address, and the model’s name there.',
    });
  }
  if (model !== undefined && file === null) {
    throw new ConfigProblem(`${model} is no template file, and --url names a model already`, {
      advice: 'Leave one of them out.',
    });
  }
  return { ...common, url, model: served, id: served, template: file, template_kwargs: kwargs, api_key_env: apiKeyEnv };
}

function localSpec(local: string, { kwargs }: Asked): ModelSpec {
  const id = basename(local).replace(/\.gguf$/i, '');
  return { ...common, local, id, template: null, template_kwargs: kwargs };
}

/** A local model's server is started for it, and stopped again by whoever leaves the home last. */
async function onServer({ home, store }: Reading, spec: ModelSpec, opts: Asked): Promise<TemplateReport> {
  const deps = { home, store, report: say, baseDir: process.cwd(), templateDate: opts.date };
  const { planned, server, renderer } = await findModel(spec, deps);
  try {
    const { template, id } = planned;
    const { conversation, kwargs } = opts;
    return await templateReport(renderer, { model: id, date: template.date, server, conversation, kwargs });
  } finally {
    await renderer.close();
  }
}

async function ofFiles(path: string, { kwargs, date, conversation, templateName }: Asked): Promise<TemplateReport> {
  const source = await templateFromFiles(path, templateName === undefined ? {} : { name: templateName });
  const { python } = await toolVenv({ report: say });
  // Where no rendering comes to an end, the report says so.
  const frozen = await frozenDate({ python, ...source, kwargs }, date).catch(() => null);
  const renderer = jinjaRenderer({ python, ...source, kwargs, date: frozen });
  const server = { tokenize: async () => null, detokenize: async () => null };
  try {
    return await templateReport(renderer, { model: path, date: frozen, server, conversation });
  } finally {
    await renderer.close();
  }
}

function switches(text: string): ModelSpec['template_kwargs'] {
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text));
  } catch {
    throw new InvalidArgumentError('It must be a JSON object, such as {"enable_thinking": false}.');
  }
}

function day(text: string): string {
  if (z.iso.date().safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be a date such as 2026-01-01.');
}
