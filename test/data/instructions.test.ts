// IFEval and IFBench as published: every instruction has a checker that takes its arguments and can be followed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instructionVerifier, type Verifier } from '../../activities/scoring/verifier.ts';
import type { InstructionFamily } from '../../domain/accuracy/instructions.ts';
import type { InstructionsCheck, Item } from '../../domain/data/item.ts';
import type { InstructionResult } from '../../domain/records/record.ts';
import { checkerVenv } from '../../local/python.ts';
import { repliesFor } from '../instructions/replies.ts';
import { published } from './folder.ts';

const files = { ifeval: 'input_data.jsonl', ifbench: 'IFBench_test.jsonl' };
let verifier: Verifier;
let python: string;
beforeAll(async () => {
  python = (await checkerVenv({ report: console.error })).python;
  verifier = instructionVerifier(async () => python);
});
afterAll(() => verifier.close());

test.each<[InstructionFamily, items: number, kinds: number, instructions: number, first: string]>([
  ['ifeval', 541, 25, 834, 'ifeval-1000'],
  ['ifbench', 300, 58, 344, 'ifbench-0'],
])('%s: %i items with %i kinds of instructions, %i in all', async (family, items, kinds, instructions, first) => {
  const data = await published(family, family, files[family]);
  const all = data.items.flatMap(instructionsOf);
  const ids = new Set(all.map(({ id }) => id));
  expect([data.items.length, data.items[0]?.id, data.scored, data.notes]).toEqual([items, first, true, []]);
  expect([all.length, ids.size, all.flatMap(({ kwargs }) => Object.values(kwargs)).includes(null)]).toEqual([
    instructions,
    kinds,
    false,
  ]);
});

test.each<InstructionFamily>(['ifeval', 'ifbench'])(
  '%s: an empty reply follows nothing, and no checker refuses its arguments',
  async (family) => {
    const { items } = await published(family, family, files[family]);
    const results = (await verifiedEach(items, () => '\n ')).flat();
    expect(results.filter(({ strict, loose }) => strict !== false || loose !== false)).toEqual([]);
  },
);

/** Instructions for which no reply can be made: a die is rolled for them, or NLTK's tagger is missing. */
const notMade = {
  ifeval: ['ifeval-1122 keywords:letter_frequency', 'ifeval-1129 keywords:letter_frequency'],
  ifbench: [
    ...['257', '258', '259', '260', '261', '262'].map((key) => `ifbench-${key} words:start_verb`),
    'ifbench-286 repeat:repeat_span',
  ],
};

/** Without asterisks, one of the loose forms, a reply has no bullet that lacks a sub-bullet. */
const neverFailsLoosely = 'format:sub-bullets';

test.each<InstructionFamily>(['ifeval', 'ifbench'])(
  '%s: every instruction is followed by a reply made for it, and not by another one',
  async (family) => {
    const { items } = await published(family, family, files[family]);
    const single = items.flatMap((item) =>
      instructionsOf(item).map((instruction) => ({ item, instruction, replies: repliesFor(family, instruction) })),
    );
    const begun = performance.now();
    const came = await Promise.all(
      single.map(async ({ item, instruction, replies }) => {
        const { id } = instruction;
        const check = { family, instructions: [instruction], seed: item.id };
        const [follows, fails] = await Promise.all([
          verifier.verify({ ...check, reply: replies.follows }),
          verifier.verify({ ...check, reply: replies.fails }),
        ]);
        const failed = only(fails).strict === false && (only(fails).loose === false || id === neverFailsLoosely);
        const made = only(follows).strict === true && failed;
        return made ? [] : [`${item.id} ${id}`];
      }),
    );
    console.log(`${family}: ${2 * single.length} checks in ${Math.round(performance.now() - begun)} ms`);
    expect(came.flat()).toEqual(notMade[family]);
  },
);

const prohibitions = /no_comma|forbidden_words|frequency|number_words/;

test('ifeval: five prompts are to be repeated although that breaks another of their instructions', async () => {
  const { items } = await published('ifeval', 'ifeval', files.ifeval);
  const repeating = items.filter((item) => instructionsOf(item).some(({ id }) => id === 'combination:repeat_prompt'));
  const came = await verifiedEach(repeating, (item) => {
    const repeat = instructionsOf(item).find(({ id }) => id === 'combination:repeat_prompt');
    return String(repeat?.kwargs['prompt_to_repeat']);
  });
  const broken = (at: number) => came[at]?.some(({ id, strict }) => prohibitions.test(id) && strict === false);
  const lessThan = (item: Item) =>
    !/"(?:let_|capital_)?relation":"at least"/.test(JSON.stringify(instructionsOf(item)));
  expect(repeating.filter((item, at) => broken(at) && lessThan(item)).map(({ id }) => id)).toEqual([
    'ifeval-1627',
    'ifeval-3369',
    'ifeval-3371',
    'ifeval-3718',
    'ifeval-374',
  ]);
});

test('ifbench: a prompt wants two words as its only answer, and each word on a line of its own', async () => {
  const { items } = await published('ifbench', 'ifbench', files.ifbench);
  const both = items.filter(({ id }) => id === 'ifbench-105');
  const strict = async (reply: string) => (await verifiedEach(both, () => reply)).flat().map((one) => one.strict);
  expect([await strict('I know'), await strict('I\nknow')]).toEqual([
    [true, false],
    [false, true],
  ]);
});

test.each<InstructionFamily>(['ifeval', 'ifbench'])(
  '%s: a second process comes to the same, dice and languages included',
  async (family) => {
    const { items } = await published(family, family, files[family]);
    const reply = (item: Item) =>
      instructionsOf(item)
        .map((instruction) => repliesFor(family, instruction).follows)
        .join('\n');
    const first = await verifiedEach(items, reply);
    const other = instructionVerifier(async () => python);
    const second = await verifiedEach(items, reply, other);
    await other.close();
    expect(second).toEqual(first);
    expect(items.flatMap((item, at) => (first[at]?.some(({ random }) => random) ? [item.id] : []))).toEqual(
      family === 'ifeval' ? ['ifeval-1122', 'ifeval-1129'] : ['ifbench-286'],
    );
  },
);

async function verifiedEach(items: Item[], replyOf: (item: Item) => string, by = verifier) {
  return Promise.all(
    items.map(async (item) => results(await by.verify({ ...checkOf(item), reply: replyOf(item), seed: item.id }))),
  );
}

function results(verified: Awaited<ReturnType<Verifier['verify']>>): InstructionResult[] {
  if ('error' in verified) throw new Error(verified.error.message);
  return verified.results;
}

function only(verified: Awaited<ReturnType<Verifier['verify']>>): InstructionResult {
  const [one, ...others] = results(verified);
  if (one === undefined || others.length > 0) throw new Error('not one result');
  return one;
}

function checkOf({ id, answer }: Item): Pick<InstructionsCheck, 'family' | 'instructions'> {
  if (answer?.check !== 'instructions') throw new Error(`${id} has no instructions`);
  return { family: answer.family, instructions: answer.instructions };
}

function instructionsOf(item: Item): InstructionsCheck['instructions'] {
  return checkOf(item).instructions;
}
