import { expect, test } from 'vitest';
import type { Condition } from '../../../domain/perturbation/condition.ts';
import type { PlannedJudge } from '../../../domain/plan/judge.ts';
import { cellStages } from '../../../domain/plan/keys.ts';
import type { Plan, PlannedData, PlannedModel } from '../../../domain/plan/plan.ts';
import { type Semantics, todays } from '../../../domain/plan/semantics.ts';
import { data, judge, model, plan, rules } from './fixture.ts';

type Change = {
  plan?: Partial<Plan>;
  model?: Partial<PlannedModel>;
  data?: Partial<PlannedData>;
  temperature?: number;
  condition?: Condition;
  occasion?: string;
  anew?: true;
  semantics?: Partial<Semantics>;
};

function keys(change: Change = {}): Record<string, string> {
  const stages = cellStages({
    plan: { ...plan, ...change.plan },
    model: { ...model, ...change.model },
    data: { ...data, ...change.data },
    temperature: change.temperature ?? 0.7,
    condition: change.condition ?? { kind: 'base' },
    run: {
      occasion: change.occasion ?? 'first-run',
      ...(change.anew && { anew: true }),
      semantics: { ...todays, ...change.semantics },
    },
  });
  return Object.fromEntries(stages.map((stage) => [stage.stage, stage.key]));
}

const all = ['assistant_turn', 'user_turn', 'judgement', 'score'];
const template = (change: object) => ({ model: { template: { ...model.template, ...change } } });

test.each<[string, Change, string[]]>([
  ['another reading of templates', { semantics: { probe: 99 } }, all],
  ['another rule of scoring', { semantics: { accuracy: 99 } }, ['score']],
  ['other rules of judging', { semantics: { rules: 99 } }, ['judgement']],
  ['another checker of instructions, where there are none', { semantics: { instructions: 'x' } }, []],
  ['other weights', { model: { identity: { weights: 'e'.repeat(64) } } }, all],
  ['another number format', { model: { dtype: 'bfloat16' } }, all],
  ['another engine version', { model: { engine: { name: 'vllm', version: '0.18.0' } } }, all],
  ['an adapter', { model: { adapter: 'e'.repeat(64) } }, all],
  ['options of the engine', { model: { engine_args: ['--quantization=fp8'] } }, all],
  ['another template', template({ sha256: 'f'.repeat(64) }), all],
  ['another frozen date', template({ date: '2026-02-02' }), all],
  ['other template switches', template({ kwargs: { enable_thinking: false } }), all],
  ['prompts as text', { model: { prompt_form: 'text' } }, all],
  ['another temperature', { temperature: 0.3 }, all],
  ['another seed', { plan: { seed: 1 } }, all],
  ['other sampling', { plan: { sampling: { ...plan.sampling, top_p: 0.9 } } }, all],
  ['other items', { data: { items: 'f'.repeat(64) } }, all],
  ['a longer answer', { plan: { max_tokens: { assistant: 65, user: 32 } } }, all],
  ['a longer user turn', { plan: { max_tokens: { assistant: 64, user: 33 } } }, ['user_turn', 'judgement']],
  ['a system message', { plan: { system: 'Be brief.' } }, all],
  ['an empty system message', { plan: { system: '' } }, all],
  ['answers rendered anew', { model: { reasoning: 'strip' } }, ['user_turn', 'judgement']],
  ['other rules', { plan: { judge: { rules: { ...rules, overlap: 0.8 } } } }, ['judgement']],
  ['no rules', { plan: { judge: { rules: null, llm: judge } } }, ['judgement']],
  ['a model that judges', { plan: { judge: { rules, llm: judge } } }, ['judgement']],
  ['another limit', { plan: { limit: 41 } }, []],
  ['more samples', { plan: { samples: 9 } }, []],
  ['more temperatures', { plan: { temperatures: [0, 0.7, 1] } }, []],
  ['another name for the model', { model: { id: 'other' } }, []],
  ['another name for the data', { data: { id: 'other' } }, []],
  ['another file that holds the same items', { data: { file: 'f'.repeat(64), count: 200 } }, []],
  ['data that is private', { data: { private: true } }, []],
  ['another occasion where the weights are known', { occasion: 'second-run' }, []],
])('%s changes just the stages it decides', (_, change, expected) => {
  const before = keys();
  const after = keys(change);
  expect(all.filter((stage) => before[stage] !== after[stage])).toEqual(expected);
});

test('a model known only by its address belongs to its occasion', () => {
  const known = { model: { identity: { url: 'http://127.0.0.1:8000/v1', served: 'm' } } };
  expect(keys({ ...known, occasion: 'a' })).toEqual(keys({ ...known, occasion: 'a' }));
  expect(keys({ ...known, occasion: 'a' })['assistant_turn']).not.toBe(
    keys({ ...known, occasion: 'b' })['assistant_turn'],
  );
});

const judgedBy = (change: Partial<PlannedJudge>, occasion = 'a') =>
  keys({ plan: { judge: { rules, llm: { ...judge, ...change } } }, occasion })['judgement'];

test.each<[string, Partial<PlannedJudge>]>([
  ['other weights', { identity: { weights: 'e'.repeat(64) } }],
  ['another prompt file', { prompt: 'e'.repeat(64) }],
  ['another reading of replies', { replies: judge.replies + 1 }],
  ['another temperature', { temperature: 1 }],
  ['none', { temperature: null }],
  ['another seed', { seed: 1 }],
  ['longer replies', { max_tokens: 2_000 }],
  ['more reasoning', { reasoning_effort: 'high' }],
  ['replies without a schema', { response_format: 'none' }],
  ['further fields', { extra_body: { chat_template_kwargs: { enable_thinking: false } } }],
])('a judge with %s judges anew', (_, change) => {
  expect(judgedBy(change)).not.toBe(judgedBy({}));
});

test('a judge with known weights is shared whatever it is called; one known by its address belongs to its occasion', () => {
  expect(judgedBy({ model: 'other' }, 'b')).toBe(judgedBy({}));
  const known = { identity: { url: 'http://127.0.0.1:9000/v1', served: 'm' } };
  expect(judgedBy(known, 'a')).toBe(judgedBy(known, 'a'));
  expect(judgedBy(known, 'b')).not.toBe(judgedBy(known, 'a'));
});

test('answers that come with the data are shared by all models and temperatures, and so are their scores', () => {
  const one = keys({ data: { held_out: true } });
  const other = keys({ data: { held_out: true }, model: { identity: { weights: 'e'.repeat(64) } }, temperature: 0 });
  expect(one['assistant_turn']).toBe(other['assistant_turn']);
  expect(one['score']).toBe(other['score']);
  expect(one['user_turn']).not.toBe(other['user_turn']);
});

const talks: Change = { data: { held_out: true, references: true } };
const elsewhere: Change = { ...talks, model: { identity: { weights: 'e'.repeat(64) } }, temperature: 0 };

test('what people said is judged once for all models and temperatures, and no other key knows of it', () => {
  const { reference_judgement: reference, ...others } = keys(talks);
  expect(reference).toMatch(/^[0-9a-f]{32}$/);
  expect(keys(elsewhere)['reference_judgement']).toBe(reference);
  expect(others).toEqual(keys({ data: { held_out: true } }));
  expect(Object.values(others)).not.toContain(reference);
});

test.each<[string, Change, boolean]>([
  ['other rules', { plan: { judge: { rules: { ...rules, overlap: 0.8 } } } }, true],
  ['a model that judges', { plan: { judge: { rules, llm: judge } } }, true],
  ['a system message, which the judge reads', { plan: { system: 'Be brief.' } }, true],
  ['other items', { data: { ...talks.data, items: 'f'.repeat(64) } }, true],
  [
    'other sampling, another seed and other limits',
    { plan: { seed: 1, max_tokens: { assistant: 9, user: 9 } } },
    false,
  ],
  ['another occasion', { occasion: 'second-run' }, false],
])('people’s turns and %s', (_, change, anew) => {
  const [before, after] = [keys(talks), keys({ ...talks, ...change })];
  expect(before['reference_judgement'] !== after['reference_judgement']).toBe(anew);
});

test('what is measured anew shares with no other occasion anything that a model said, and with its own all', () => {
  const night = keys({ occasion: 'monday', anew: true });
  expect(keys({ occasion: 'monday', anew: true })).toEqual(night);
  for (const other of [keys(), keys({ occasion: 'monday' }), keys({ occasion: 'tuesday', anew: true })])
    for (const stage of all) expect(other[stage]).not.toBe(night[stage]);
  const given = keys({ ...talks, occasion: 'monday', anew: true });
  expect(given['assistant_turn']).toBe(keys(talks)['assistant_turn']);
});

test('a stage comes after the one it is made from, and data without answers is not scored', () => {
  const stages = cellStages({
    plan,
    model,
    data: { ...data, scored: false },
    temperature: 0,
    run: { occasion: 'x' },
    condition: { kind: 'base' },
  });
  const nameOf = (place: number | null) => (place === null ? null : stages[place]?.stage);
  expect(stages.map((stage) => [stage.stage, nameOf(stage.after)])).toEqual([
    ['assistant_turn', null],
    ['user_turn', 'assistant_turn'],
    ['judgement', 'user_turn'],
  ]);
  const held = cellStages({
    plan,
    model,
    data: { ...data, ...talks.data },
    temperature: 0,
    run: { occasion: 'x' },
    condition: { kind: 'base' },
  });
  expect(held.filter(({ after }) => after === 0).map(({ stage }) => stage)).toEqual([
    'user_turn',
    'reference_judgement',
    'score',
  ]);
});

test('conditions share an answer and its score, and each has user turns of its own', () => {
  const conditions: Condition[] = [
    { kind: 'base' },
    { kind: 'again' },
    { kind: 'truncated' },
    { kind: 'question' },
    { kind: 'cut', percent: 25 },
  ];
  const all = conditions.map((condition) => keys({ condition }));
  const different = (stage: string) => new Set(all.map((one) => one[stage])).size;
  expect(['assistant_turn', 'score', 'user_turn', 'judgement'].map(different)).toEqual([1, 1, 5, 5]);
  expect(all.map((one) => 'perturbed_turn' in one)).toEqual([false, false, true, true, true]);
  expect(all[0]).toEqual(keys());
});

test('keys are the same on every machine: a recorded one', () => {
  expect(keys()).toMatchInlineSnapshot(`
    {
      "assistant_turn": "6b750557cdd0c125e34c157db43ad1e7",
      "judgement": "b92c287d513d0141f89fda37579eb97f",
      "score": "b36dca888041b1ec1354cc419fad7bc8",
      "user_turn": "3b39f138a8b32e9f2f72fdadc239e8d9",
    }
  `);
});
