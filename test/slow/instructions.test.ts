// The reference checkers themselves, in their own Python: installed once, asked through the helper and directly.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { instructionVerifier } from '../../activities/scoring/verifier.ts';
import { instructionIds } from '../../domain/accuracy/instruction-ids.ts';
import { instructionSemantics } from '../../domain/accuracy/instructions.ts';
import type { InstructionResult, Score } from '../../domain/records/record.ts';
import { checkerVenv } from '../../local/python.ts';
import { until } from '../../local/until.ts';
import { type Example, examples } from '../instructions/examples.ts';
import { repliesFor } from '../instructions/replies.ts';
import { Lab } from '../lab.ts';

const { python } = await checkerVenv({ report: console.error });
const verifier = instructionVerifier(async () => python);
afterAll(() => verifier.close());

const root = join(import.meta.dirname, '..', '..');

async function verified({ family, id, kwargs }: Example, reply: string, by = verifier): Promise<InstructionResult> {
  const came = await by.verify({ family, instructions: [{ id, kwargs }], reply, seed: 'item' });
  if ('error' in came) throw new Error(came.error.message);
  const [only] = came.results;
  if (only === undefined) throw new Error('no result');
  return only;
}

/** The tagger that finds verbs is in no package. */
const withoutTagger = examples.filter(({ id }) => id !== 'words:start_verb');

test('every instruction of both families has an example', () => {
  const ids = (family: 'ifeval' | 'ifbench') => examples.filter((one) => one.family === family).map(({ id }) => id);
  expect([ids('ifeval').sort(), ids('ifbench').sort()]).toEqual([
    instructionIds('ifeval').sort(),
    instructionIds('ifbench').sort(),
  ]);
});

test('a reply made for it follows, another does not; and the package itself says the same', async () => {
  const cases = withoutTagger.flatMap((example) => {
    const { follows, fails } = repliesFor(example.family, example);
    const framed = `So be it:\n${follows}\nDone`;
    const dressed = `*${follows}*`;
    return [follows, fails, framed, dressed].map((reply) => ({ ...example, reply }));
  });
  const ours = await Promise.all(cases.map((one) => verified(one, one.reply)));
  const input = cases.map(({ family, reply, id, kwargs }) => ({ family, reply, instructions: [{ id, kwargs }] }));
  const lines = execFileSync(python, ['-I', join(root, 'test', 'instructions', 'reference.py')], {
    input: input.map((one) => `${JSON.stringify(one)}\n`).join(''),
    encoding: 'utf8',
  });
  const theirs = lines.trimEnd().split('\n');
  const seen = cases.map(({ id, reply }, at) => ({ id, reply, said: [[ours[at]?.strict, ours[at]?.loose]] }));
  expect(seen).toEqual(cases.map(({ id, reply }, at) => ({ id, reply, said: JSON.parse(theirs[at] ?? '') })));

  const wrong = withoutTagger.filter((_, at) => ours[4 * at]?.strict !== true || ours[4 * at + 1]?.strict !== false);
  expect(wrong.map(({ id }) => id)).toEqual([]);
  expect(ours.filter(({ strict, loose }) => strict !== loose).length).toBeGreaterThan(20);
});

test('an empty reply follows nothing, an id nobody knows and arguments that do not fit are not checked', async () => {
  const empty = await Promise.all(examples.map((example) => verified(example, ' \n\t')));
  expect(empty.filter(({ strict, loose }) => strict !== false || loose !== false)).toEqual([]);
  const at = { family: 'ifeval', id: 'startend:quotation' } as const;
  expect(await verified({ ...at, id: 'words:vowel', kwargs: {} }, 'x')).toMatchObject({
    strict: null,
    reason: 'there is no such instruction',
  });
  expect((await verified({ ...at, kwargs: { marks: 2 } }, 'x')).reason).toMatch(/^its arguments do not fit: TypeError/);
});

test('a checker that raises leaves its instruction unchecked, and the loose forms it raises on are not followed', async () => {
  const quotes = { family: 'ifbench', id: 'format:quote_unquote', kwargs: {} } as const;
  const reason = 'its check fails: IndexError: string index out of range';
  expect(await verified(quotes, '42')).toEqual({ id: quotes.id, strict: null, loose: null, reason });
  expect(await verified(quotes, '"a"\n42')).toEqual({ id: quotes.id, strict: false, loose: false });
  expect((await verified({ family: 'ifbench', id: 'words:start_verb', kwargs: {} }, 'Go.')).reason).toBe(
    "its check fails: it needs NLTK's averaged_perceptron_tagger_eng, which no package brings",
  );
});

test.each<[string, Example]>([
  ['a letter that is none', { family: 'ifeval', id: 'keywords:letter_frequency', kwargs: letter('#') }],
  ['a span from the first word', { family: 'ifbench', id: 'repeat:repeat_span', kwargs: span(0) }],
])('%s makes the checker roll a die: flagged, and the same in every process', async (_, example) => {
  const other = instructionVerifier(async () => python);
  const reply = 'eeeee tttt aaa oo i n s h r d l u';
  const came = await Promise.all([verified(example, reply), verified(example, reply, other), verified(example, reply)]);
  await other.close();
  expect(came).toEqual(Array(3).fill(came[0]));
  expect(came[0]).toMatchObject({ random: true });
  const fixed = { ...example, kwargs: example.family === 'ifeval' ? letter('e') : span(1) };
  expect(await verified(fixed, reply)).not.toHaveProperty('random');
});

function letter(one: string) {
  return { letter: one, let_frequency: 3, let_relation: 'at least' };
}

function span(n_start: number) {
  return { prompt_to_repeat: 'eeeee tttt aaa oo i n s h r d l u and so on', n_start, n_end: 3 };
}

test('any text is checked by every checker, alike each time, and nothing of it kills the process', async () => {
  const before = helpers();
  const instructions = (family: 'ifeval' | 'ifbench') => examples.filter((one) => one.family === family);
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed()),
    fc.constantFrom('\0\0', '\u202eשלום עולם', '\u2028a\u2029', '"', '42', '.', '\r\n\r\n', '{"a":'.repeat(5), '🏳️‍🌈'),
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('ifeval' as const, 'ifbench' as const), async (reply, family) => {
      const ask = { family, instructions: instructions(family), reply, seed: 'item' };
      const [one, other] = await Promise.all([verifier.verify(ask), verifier.verify(ask)]);
      expect(one).toHaveProperty('results');
      expect(other).toEqual(one);
    }),
    { numRuns: 60 },
  );
  expect(helpers()).toEqual(expect.arrayContaining(before));
});

test('two megabytes are checked or given up within the limit, and the next item is checked', async () => {
  const limited = instructionVerifier(async () => python, { seconds: 2 });
  const long = ['[', 'It rains. ', '\0', '\u202eא', '"\''].map((piece) => piece.repeat(2_000_000 / piece.length));
  const quick = { family: 'ifeval', id: 'punctuation:no_comma', kwargs: {} } as const;
  for (const reply of long) {
    expect((await verified(quick, reply, limited)).strict).toBe(true);
    const instructions = [{ id: 'detectable_content:number_placeholders', kwargs: { num_placeholders: 1 } }];
    const came = await limited.verify({ family: 'ifeval', instructions, reply, seed: 'item' });
    if (!reply.startsWith('[')) expect(came).toHaveProperty('results');
    else
      expect(came).toEqual({
        error: { kind: 'check_timeout', message: 'checking the instructions: not finished after 2 s of computing' },
      });
  }
  expect((await verified(quick, 'Rain.', limited)).strict).toBe(true);
  await limited.close();
});

test('killed in the middle of an item, the helper comes back and the item gets its result', async () => {
  const fresh = instructionVerifier(async () => python);
  const before = helpers();
  const slow = { family: 'ifeval', id: 'length_constraints:number_sentences' } as const;
  const asked = verified(
    { ...slow, kwargs: { num_sentences: 9, relation: 'at least' } },
    'It rains. '.repeat(9_000),
    fresh,
  );
  await until(async () => helpers().length > before.length, 30_000, { everyMs: 5 });
  for (const pid of helpers().filter((one) => !before.includes(one))) process.kill(pid, 'SIGKILL');
  expect(await asked).toEqual({ id: slow.id, strict: true, loose: true });
  await fresh.close();
});

test('the helper can open no connection and start no program', () => {
  const tries = [
    'import sys, os, socket, subprocess, urllib.request',
    `sys.path.insert(0, ${JSON.stringify(join(root, 'python', 'uturn'))})`,
    'import verify',
    'sys.addaudithook(verify.no_connections)',
    'def tried(what):',
    '    try: what()',
    '    except Exception as error: return type(getattr(error, "reason", error)).__name__',
    '    return "done"',
    'print(tried(lambda: socket.create_connection(("127.0.0.1", 9))))',
    'print(tried(lambda: urllib.request.urlopen("http://127.0.0.1:9/")))',
    'print(tried(lambda: subprocess.run(["true"])))',
    'print(tried(lambda: os.system("true")))',
  ];
  const said = execFileSync(python, ['-I', '-c', tries.join('\n')], { encoding: 'utf8' });
  expect(said.trimEnd().split('\n')).toEqual(Array(4).fill('PermissionError'));
});

test('the version in stage keys is the one that is installed', () => {
  const version = execFileSync(
    python,
    ['-I', '-c', 'from importlib.metadata import version; print(version("if-verifiable"))'],
    {
      encoding: 'utf8',
    },
  );
  expect(instructionSemantics).toMatch(`if-verifiable ${version.trim()}, `);
});

test('a run over instructions: records with every result, and four figures in its table', async () => {
  await using lab = await Lab.start({ fake: { latencyMs: 2 } });
  const rows = [
    ['Say something about rain without a comma.', 'punctuation:no_comma', {}],
    [
      'Say something about snow in at least 300 words.',
      'length_constraints:number_words',
      { num_words: 300, relation: 'at least' },
    ],
    ['Say something about fog with a title.', 'detectable_format:title', {}],
  ] as const;
  const text = rows.map(([prompt, id, kwargs], key) =>
    JSON.stringify({ key, prompt, instruction_id_list: [id, 'startend:quotation'], kwargs: [kwargs, {}] }),
  );
  await lab.write('mine.jsonl', text.join('\n'));
  await lab.config({ data: [{ set: 'ifeval', id: 'mine', path: 'mine.jsonl' }], temperatures: [0] });
  const { code, json } = await lab.run(['run', 'sweep.yaml', '--json']);
  const [cell] = json.cells;
  expect([code, cell?.accuracy?.n, cell?.accuracy_loose?.n, cell?.instructions_strict?.n]).toEqual([0, 3, 3, 6]);

  const scores = await lab.records<Score>(json.run, 'score');
  const bodies = scores.flatMap(({ result }) => (result.status === 'ok' ? [result.body] : []));
  expect(bodies.map(({ check, instructions }) => [check, instructions?.length])).toEqual(
    Array(3).fill(['instructions', 2]),
  );
  const table = await lab.run(['report', json.run]);
  expect(table.stdout).toMatch(/answers right +loose +instructions/);

  const again = await lab.fresh();
  await again.run(['run', 'sweep.yaml', '--json']);
  expect(await again.hashes(json.run)).toEqual(await lab.hashes(json.run));
  await again[Symbol.asyncDispose]();
});

/** Pids of the helpers that this process started. */
function helpers(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return Number(parent) === process.pid && line.includes('verify.py') ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
