// Stage keys: what a stage's records are filed under. Two runs whose keys agree share the records.
// In a key: everything that decides a result. Never: address, concurrency, price, limit, number of samples.

import { isInstructionFamily } from '../accuracy/instructions.ts';
import { type Condition, conditionName, perturbationSemantics, perturbs } from '../perturbation/condition.ts';
import { shortHashOf } from '../records/canonical.ts';
import type { StageNode } from './graph.ts';
import type { PlannedJudge } from './judge.ts';
import type { Plan, PlannedData, PlannedModel } from './plan.ts';
import type { Occasion } from './run-doc.ts';
import { semanticsOf } from './semantics.ts';

type Where = {
  plan: Plan;
  model: PlannedModel;
  data: PlannedData;
  temperature: number;
  run: Occasion;
  /** What is done to the answer. */
  condition: Condition;
};

/** The stages of one model on one data set at one temperature under one condition, each after the one it needs. */
export function cellStages(at: Where): StageNode[] {
  const { accuracy, instructions } = semanticsOf(at.run);
  const assistant = shortHashOf({
    stage: 'assistant_turn',
    data: at.data.items,
    ...(at.data.held_out ? { given: true } : generation(at, 'assistant')),
  });
  const score = shortHashOf({
    stage: 'score',
    after: assistant,
    version: accuracy,
    ...(isInstructionFamily(at.data.adapter) && { instructions }),
  });
  return [
    { stage: 'assistant_turn', key: assistant, after: null },
    ...(at.condition.kind === 'base' ? following(at, assistant) : followingUnder(at, assistant)),
    ...(at.data.references && at.condition.kind === 'base'
      ? [{ stage: 'reference_judgement', key: referenceKey(at, assistant), after: 0 } as const]
      : []),
    ...(at.data.scored ? [{ stage: 'score', key: score, after: 0 } as const] : []),
  ];
}

function following(at: Where, assistant: string): StageNode[] {
  const user = shortHashOf({ stage: 'user_turn', after: assistant, ...generation(at, 'user') });
  const judgement = shortHashOf({ stage: 'judgement', after: user, ...judges(at) });
  return [
    { stage: 'user_turn', key: user, after: 0 },
    { stage: 'judgement', key: judgement, after: 1 },
  ];
}

/** Where something is done to the answer that is a stage of its own: what comes after is made from what it left. */
function followingUnder(at: Where, assistant: string): StageNode[] {
  const condition = conditionName(at.condition);
  const perturbed = perturbs(at.condition)
    ? shortHashOf({
        stage: 'perturbed_turn',
        after: assistant,
        version: perturbationSemantics,
        condition,
        ...(at.condition.kind === 'question' ? { seed: at.plan.seed } : tokenizerOf(at)),
      })
    : null;
  const user = shortHashOf({ stage: 'user_turn', after: perturbed ?? assistant, ...generation(at, 'user') });
  const judgement = shortHashOf({ stage: 'judgement', after: user, ...judges(at) });
  const first = perturbed === null ? [] : [{ stage: 'perturbed_turn', key: perturbed, after: 0, condition } as const];
  return [
    ...first,
    { stage: 'user_turn', key: user, after: first.length, condition },
    { stage: 'judgement', key: judgement, after: first.length + 1, condition },
  ];
}

/** Given answers are no model's, but are counted as a model counts them. */
function tokenizerOf({ model, run }: Where) {
  return {
    tokenizer: 'weights' in model.identity ? model.identity.weights : { ...model.identity, occasion: run.occasion },
  };
}

/** Of no model and no temperature, as the given answer before it: what a person said is judged once for all of them. */
function referenceKey(at: Where, assistant: string): string {
  // A given answer's own key does not say what was put before the conversation that its judge reads.
  const system = at.plan.system === undefined ? {} : { system: at.plan.system };
  return shortHashOf({ stage: 'reference_judgement', after: assistant, ...judges(at), ...system });
}

function judges({ plan: { judge }, run }: Where) {
  return {
    rules: judge.rules,
    version: semanticsOf(run).rules,
    // Only where a model judges: whoever has none shares what the rules judged before there could be.
    ...(judge.llm !== undefined && { llm: judging(judge.llm, run.occasion) }),
    ...anew(run),
  };
}

function judging({ model: _, identity, ...decides }: PlannedJudge, occasion: string) {
  return { ...decides, weights: 'weights' in identity ? identity.weights : { ...identity, occasion } };
}

/** Only where something is measured anew: whoever does not shares what was measured before that could be. */
function anew({ occasion, anew }: Occasion) {
  return anew === undefined ? {} : { measured: occasion };
}

/** Condition label that enters seeds and keys: what is done to the answer, at this temperature. Of an answer itself nothing is. */
export function conditionAt(temperature: number, condition = 'base'): string {
  return `${condition}@${temperature}`;
}

function generation(at: Where, role: 'assistant' | 'user') {
  const { model, plan, temperature } = at;
  return {
    version: semanticsOf(at.run).probe,
    weights: 'weights' in model.identity ? model.identity.weights : { ...model.identity, occasion: at.run.occasion },
    dtype: model.dtype,
    engine: model.engine,
    // Only where there are any: whoever has none shares what was measured before there could be.
    ...(model.adapter !== undefined && { adapter: model.adapter }),
    ...(model.engine_args !== undefined && { engine_args: model.engine_args }),
    template: model.template,
    form: model.prompt_form,
    condition: conditionAt(temperature, role === 'user' ? conditionName(at.condition) : 'base'),
    temperature,
    sampling: plan.sampling,
    seed: plan.seed,
    max_tokens: plan.max_tokens[role],
    ...anew(at.run),
    ...(plan.system !== undefined && { system: plan.system }),
    ...(role === 'user' && model.reasoning !== undefined && { reasoning: model.reasoning }),
  };
}
