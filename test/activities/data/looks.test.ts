// One set's file taken for another: said once.
import { expect, test } from 'vitest';
import { adapt } from '../../../activities/data/adapt.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import type { AdapterName } from '../../../domain/spec/data.ts';
import { folder } from './folder.ts';

const header = 'Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3';
const csv = `${header}\nWhich floats?,Cork,Iron,Lead,Glass\nWhich sinks?,Iron,Cork,Wood,Wax\n`;
const asked = (id: string) =>
  `${JSON.stringify({ key: 1, prompt: 'Go.', instruction_id_list: [id], kwargs: [{}] })}\n`.repeat(300);

const files = {
  ifeval: asked('punctuation:no_comma'),
  ifbench: asked('count:numbers'),
  gsm8k: '{"question": "What is 1 + 1?", "answer": "2\\n#### 2"}\n'.repeat(300),
  math: '{"problem": "What is 1 + 1?", "solution": "$\\\\boxed{2}$"}\n'.repeat(300),
  gpqa: csv,
};

async function said(text: string, adapter: AdapterName): Promise<string[]> {
  await using own = await folder();
  const source = await own.source('x', text, { adapter });
  const problem = await adapt(source).catch((error: unknown) => error);
  return problem instanceof ConfigProblem ? sentence(problem).split('\n') : [`not ours: ${String(problem)}`];
}

test.each<[file: keyof typeof files, taken: AdapterName, looks: string]>([
  ['ifbench', 'ifeval', 'ifbench'],
  ['ifeval', 'ifbench', 'ifeval'],
  ['gsm8k', 'math', 'gsm8k'],
  ['math', 'gsm8k', 'math'],
  ['gsm8k', 'ifeval', 'gsm8k'],
  ['math', 'gpqa-main', 'math'],
  ['gpqa', 'jsonl', 'gpqa-main or gpqa-diamond'],
  ['gpqa', 'gsm8k', 'gpqa-main or gpqa-diamond'],
])('%s, taken for %s', async (file, taken, looks) => {
  const lines = await said(files[file], taken);
  expect(lines.at(-1)).toBe(`  This file looks like ${looks}.`);
  // How many faults, the first of them with what to do, how many more.
  expect(lines.length).toBeLessThanOrEqual(5);
});

test('a row that mixes two families, or knows neither, may be of both', async () => {
  expect((await said(asked('count:nobody'), 'math')).at(-1)).toBe('  This file looks like ifeval or ifbench.');
});

test.each<[name: string, text: string, sentences: string[]]>([
  [
    'carriage returns alone',
    csv.replaceAll('\n', '\r'),
    [
      'x:1 ends its lines with carriage returns alone.',
      '  Save the file with line feeds (LF or CRLF), as any spreadsheet can.',
    ],
  ],
  [
    'semicolons',
    csv.replaceAll(',', ';'),
    ['x:1 separates its columns with semicolons.', '  Save the file with commas.'],
  ],
  [
    'semicolons and quotes',
    csv.replace(/[^,\n?]+\??/g, '"$&"').replaceAll(',', ';'),
    ['x:1 separates its columns with semicolons.', '  Save the file with commas.'],
  ],
  ['tabs', csv.replaceAll(',', '\t'), ['x:1 separates its columns with tabs.', '  Save the file with commas.']],
])('a CSV with %s', async (_, text, sentences) => {
  expect(await said(text, 'gpqa-diamond')).toEqual(sentences);
});

test.each(['\r', '\n'])('a CSV of semicolons whose lines end in %j is told where JSON is wanted', async (end) => {
  const lines = await said(csv.replaceAll(',', ';').replaceAll('\n', end), 'jsonl');
  expect(lines.at(-1)).toBe('  This file looks like gpqa-main or gpqa-diamond.');
});
