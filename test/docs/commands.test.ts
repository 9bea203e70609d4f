// What pages say to type can be typed: commands, options, scripts, exit codes, variables.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { usage as benchUsage } from '../../bench/options.ts';
import { exit } from '../../cli/exit.ts';
import { runCommand } from '../../local/command.ts';
import type { Described } from './describe-cli.ts';
import { blocks, type Page, page, pages, root, spans, tableRows } from './pages.ts';

const described: z.ZodType<Described> = z.object({
  name: z.string(),
  options: z.array(z.string()),
  get commands() {
    return z.array(described);
  },
});
let uturn: Described;

beforeAll(async () => {
  const end = await runCommand(process.execPath, [join(import.meta.dirname, 'describe-cli.ts')]);
  uturn = described.parse(JSON.parse(end.stdout));
});

/** Options of programs that are not ours, or of single files of ours. */
const foreign = [
  '--chat-template-content-format',
  '--data-parallel-size',
  '--default-chat-template-kwargs',
  '--dtype',
  '--enable-lora',
  '--enable-prefix-caching',
  '--generation-config',
  '--max-num-batched-tokens',
  '--no-enable-chunked-prefill',
  '--lora-modules',
  '--max-model-len',
  '--model',
  '--override-generation-config',
  '--port',
  '--reasoning-parser',
  '--seed',
  '--tensor-parallel-size',
];

/** `uturn …` as it stands in blocks and between backticks, without what it is piped to. */
function calls(of: Page): string[] {
  const lines = blocks(of).flatMap((block) => block.text.split('\n'));
  const typed = [...lines, ...spans(of)].flatMap(
    (line) => /^\s*(?:\$ )?(?:\w+=\S+ )*(?:npx )?uturn (.+)$/.exec(line)?.[1] ?? [],
  );
  return typed.map((rest) => (rest.split(/ [|>;#&]/)[0] ?? '').trim());
}

/** What is wrong with a call, or null. */
function fault(call: string): string | null {
  const words = call.split(/\s+/).filter((word) => word !== '');
  let at = uturn;
  const options = [...uturn.options];
  for (const word of words) {
    const next = at.commands.find((command) => command.name === word);
    if (next === undefined && at === uturn && !/^[-<]/.test(word)) return `no command ${word}`;
    if (next !== undefined) at = next;
    options.push(...(next?.options ?? []));
    const option = /^--[a-z-]+/.exec(word)?.[0];
    if (option !== undefined && !options.includes(option)) return `${at.name} has no ${option}`;
  }
  return at.commands.length > 0 && at !== uturn && words.length > 1 ? `${at.name} has no ${words[1]}` : null;
}

test('every command in a page exists, with its options', () => {
  const all = pages.flatMap((one) => calls(one).map((call) => ({ page: one.path, call })));
  expect(all.length).toBeGreaterThan(40);
  expect(
    all.flatMap(({ page: where, call }) => (fault(call) === null ? [] : [`${where}: uturn ${call}: ${fault(call)}`])),
  ).toEqual([]);
});

test('every option between backticks is one of ours', () => {
  const ofBench = benchUsage.match(/--[a-z-]+/g) ?? [];
  const ofCommands = everyCommand(uturn).flatMap((command) => command.options);
  const known = new Set([...foreign, ...ofBench, ...uturn.options, ...ofCommands]);
  const named = pages.flatMap((one) => spans(one).flatMap((span) => /^--[a-z-]+/.exec(span)?.[0] ?? []));
  expect(named.filter((option) => !known.has(option))).toEqual([]);
});

test('docs/cli.md has a section for each command that names each of its options', () => {
  const sections = new Map(
    page('docs/cli.md')
      .text.split(/^## /m)
      .flatMap((section) =>
        [...(section.split('\n')[0] ?? '').matchAll(/`uturn ([a-z]+)/g)].map(
          ([, name = '']) => [name, section] as const,
        ),
      ),
  );
  expect([...sections.keys()].sort()).toEqual(uturn.commands.map(({ name }) => name).sort());
  const missing = uturn.commands.flatMap((command) =>
    everyCommand(command)
      .flatMap(({ options }) => options)
      .filter((option) => option !== '--help' && !sections.get(command.name)?.includes(`\`${option}`))
      .map((option) => `${command.name} ${option}`),
  );
  expect(missing).toEqual([]);
});

test('docs/cli.md gives the exit codes there are', () => {
  const codes = tableRows(page('docs/cli.md'), 'exit code').map(([code]) => Number(code));
  expect(codes).toEqual(Object.values(exit));
});

test('every npm script in a page exists', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const named = pages.flatMap((one) =>
    [...one.text.matchAll(/\bnpm (?:run ([a-z0-9:-]+)|(test)\b)/g)].map((match) => match[1] ?? match[2] ?? ''),
  );
  expect(named).toContain('quickstart');
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

test('docs/config.md lists the variables the code reads', () => {
  const code = globSync('{activities,cli,local,workers}/**/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const read = code.flatMap((text) => [...text.matchAll(/\bUTURN_[A-Z_]+\b/g)].map(([name]) => name));
  const listed = tableRows(page('docs/config.md'), 'variable').flatMap(([names = '']) =>
    [...names.matchAll(/UTURN_[A-Z_]+/g)].map(([name]) => name),
  );
  expect(listed.sort()).toEqual([...new Set(read)].sort());
});

function everyCommand(at: Described): Described[] {
  return [at, ...at.commands.flatMap(everyCommand)];
}
