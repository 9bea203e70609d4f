// A run written straight into a store, as workers would have left it: its plan, its items, its parts and their pins.

import { itemsBlob } from '../../activities/data/items.ts';
import { pinsName } from '../../activities/run/documents.ts';
import { putBlob } from '../../activities/store/blobs.ts';
import { putPlan } from '../../activities/store/plans.ts';
import { createDoc, putVersion } from '../../activities/store/runs.ts';
import { openShard } from '../../activities/store/shard.ts';
import type { Store } from '../../activities/store/store.ts';
import { type Item, isReferenced } from '../../domain/data/item.ts';
import { defaultThresholds } from '../../domain/followup/rules.ts';
import type { PinBatch, RunEnd, Tally } from '../../domain/plan/boundary.ts';
import type { Group, Pin, StageNode } from '../../domain/plan/graph.ts';
import { outline } from '../../domain/plan/outline.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { RunDoc } from '../../domain/plan/run-doc.ts';
import type { Semantics } from '../../domain/plan/semantics.ts';
import {
  type Judgement,
  type Label,
  makeRecord,
  type Origin,
  type Score,
  type StageRecord,
  type Turn,
} from '../../domain/records/record.ts';
import { storeText } from '../../domain/records/text.ts';
import { summarise } from '../../report/summarise.ts';

export type Said = { text: string; finish?: Turn['finish'] } | { failed: string };

/** What became of one sample; what is left out has no record. */
export type Story = {
  answer?: Said;
  user?: Said;
  /** Null: undecided. */
  label?: Label | null | { failed: string };
  outcome?: Score['outcome'] | { failed: string };
  /** Of what a person said there. */
  reference?: Label | null | { failed: string };
};

export type Place = { item: string; at: number; temperature: number; sample: number };

export type Written = {
  name: string;
  items: Item[];
  temperatures?: number[];
  samples?: number;
  story(place: Place): Story;
  private?: boolean;
  /** Of the model: others than before are another model's records. */
  weights?: string;
  /** Left out: those of runs that do not say. */
  semantics?: Semantics;
  /** Nothing of it is shared with other runs. */
  anew?: true;
  /** Left out: the run has not ended. */
  ended?: RunEnd['state'];
};

export function item(id: string, over: Partial<Item> = {}): Item {
  const messages = [{ role: 'user' as const, content: `What is ${id}?` }];
  return {
    id,
    messages,
    answer: { check: 'number', expected: '7' },
    assistant: null,
    reference_user_turn: null,
    ...over,
  };
}

/** Returns the run's name. */
export async function written(store: Store, run: Written): Promise<string> {
  const plan = await planOf(store, run);
  const id = await putPlan(store, plan);
  const name = `${run.name}-${id.slice(0, 8)}`;
  const doc = docOf(run, name, id);
  await createDoc(store, name, 'run.json', doc);
  for (const { model, groups } of outline(plan, doc)) {
    const pins: Pin[] = [];
    for (const group of groups) pins.push(...(await writeGroup(store, group, run)));
    const progress: PinBatch['progress'] = {
      model,
      state: 'complete',
      trees: { done: 1, total: 1 },
      tally: tallyOf(groups, pins),
      parked: [],
    };
    const value: PinBatch = { run: name, execution: 1, model, n: 0, pins, progress };
    await putVersion(store, name, { name: pinsName(1, model), n: 0, value });
  }
  if (run.ended !== undefined) {
    const summary = await summarise(store, name);
    const end: RunEnd = {
      run: name,
      state: run.ended,
      problems: [],
      samples: summary.samples,
      errors: summary.totals.errors,
    };
    await putVersion(store, name, { name: 'ends', n: 1, value: { end, summary } });
  }
  return name;
}

async function planOf(store: Store, { items, temperatures = [0.7], samples = 1, ...run }: Written): Promise<Plan> {
  return {
    format: 1,
    kind: 'sweep',
    seed: 1,
    models: [
      {
        id: 'fake',
        identity: { weights: run.weights ?? 'f'.repeat(64) },
        dtype: null,
        engine: { name: 'fake', version: '1' },
        template: {
          sha256: 'e'.repeat(64),
          source: 'server',
          date: null,
          kwargs: {},
          bos_token: null,
          eos_token: null,
        },
        prompt_form: 'ids',
      },
    ],
    data: [
      {
        id: 'sums',
        adapter: 'jsonl',
        file: 'd'.repeat(64),
        items: await putBlob(store, itemsBlob(items)),
        count: items.length,
        scored: items.some((one) => one.answer !== null),
        held_out: items.every((one) => one.assistant !== null),
        ...(items.every((one) => one.assistant !== null) && items.some(isReferenced) && { references: true as const }),
        ...(run.private && { private: true as const }),
      },
    ],
    temperatures,
    samples,
    limit: null,
    max_tokens: { assistant: 64, user: 32 },
    sampling: { top_p: 1, top_k: 0, min_p: 0, presence_penalty: 0, frequency_penalty: 0, repetition_penalty: 1 },
    judge: { rules: defaultThresholds },
    max_error_share: 0.5,
  };
}

function tallyOf(groups: Group[], pins: Pin[]): Tally {
  const stageOf = new Map(groups.flatMap(({ stages }) => stages.map(({ key, stage }) => [key, stage])));
  const tally: Tally = {};
  for (const { key, records, errors } of pins) {
    const stage = stageOf.get(key) ?? 'score';
    const before = tally[stage] ?? { records: 0, errors: 0, made: 0, tokens: 0, requests: 0 };
    tally[stage] = { ...before, records: before.records + records, errors: before.errors + errors };
  }
  return tally;
}

function docOf({ name, semantics, anew }: Written, run: string, plan: string): RunDoc {
  const created = '2026-01-01T00:00:00.000Z';
  const config = { file: 'sweep.yaml', text: '' };
  return {
    format: 1,
    run,
    name,
    tags: [],
    plan,
    occasion: run,
    created,
    attempts: 1,
    engines: {},
    config,
    uturn: '0.1.0',
    ...(semantics !== undefined && { semantics }),
    ...(anew && { anew }),
  };
}

async function writeGroup(store: Store, group: Group, run: Written): Promise<Pin[]> {
  const pins: Pin[] = [];
  for (let sample = 0; sample < group.samples; sample += 1) {
    for (let block = 0; block < group.blocks; block += 1) {
      const hashes = new Map<string, string>();
      for (const node of group.stages) {
        const records = recordsIn(run, { group, node, block, sample, hashes });
        if (records.length > 0) pins.push(await writePart(store, { key: node.key, block, sample }, records));
      }
    }
  }
  return pins;
}

async function writePart(
  store: Store,
  where: { key: string; block: number; sample: number },
  records: StageRecord[],
): Promise<Pin> {
  const wanted = records.map(({ result }) => ({ item: result.item, sample: result.sample, from: result.from }));
  const shard = await openShard(store, where, { wanted, attempt: 'a1' });
  for (const record of records.slice(shard.adopted.length)) await shard.add(record);
  const { part } = await shard.seal();
  return {
    ...where,
    part,
    records: records.length,
    errors: records.filter(({ result }) => result.status === 'error').length,
  };
}

type At = { group: Group; node: StageNode; block: number; sample: number; hashes: Map<string, string> };

function recordsIn(run: Written, { group, node, block, sample, hashes }: At): StageRecord[] {
  const start = block * group.size;
  return run.items.slice(start, start + group.size).flatMap(({ id }, index) => {
    const body = bodyOf(run.story({ item: id, at: start + index, temperature: group.temperature, sample }), node.stage);
    if (body === undefined) return [];
    const from =
      node.stage === 'assistant_turn'
        ? null
        : (hashes.get(`${node.stage === 'judgement' ? 'user_turn' : 'assistant_turn'} ${id}`) ?? null);
    const origin: Origin = { stage: node.stage, key: node.key, item: id, sample, from };
    const meta = { attempt: 'a1', at: '2026-01-01T00:00:00.000Z', ms: 1, host: 'h', requests: 1 };
    const failed =
      'failed' in body ? { status: 'error' as const, error: { kind: 'gave_up', message: body.failed } } : null;
    const record = makeRecord({ ...origin, ...(failed ?? { status: 'ok' as const, body }) }, meta);
    hashes.set(`${node.stage} ${id}`, record.hash);
    return [record];
  });
}

type Body = Turn | Judgement | Score | { failed: string };

function bodyOf({ answer, user, label, outcome, reference }: Story, stage: StageNode['stage']): Body | undefined {
  switch (stage) {
    case 'assistant_turn':
    case 'perturbed_turn':
      return answer && turnOf(answer);
    case 'user_turn':
      return user && turnOf(user);
    case 'judgement':
      return label === undefined || isFailed(label) ? label : judgementOf(label);
    case 'reference_judgement':
      return reference === undefined || isFailed(reference) ? reference : judgementOf(reference);
    case 'score':
      return outcome === undefined || isFailed(outcome) ? outcome : scoreOf(outcome);
  }
}

function isFailed(word: string | null | { failed: string }): word is { failed: string } {
  return typeof word === 'object' && word !== null;
}

function turnOf(said: Said): Turn | { failed: string } {
  if ('failed' in said) return said;
  const { text, finish = 'stop' } = said;
  const generated = finish !== 'given';
  const prompt = { form: 'text' as const, sha256: 'c'.repeat(64), tokens: 100, ids: null };
  return {
    ...storeText(text),
    finish,
    ids: null,
    prompt: generated ? prompt : null,
    tokens: generated ? 10 : 0,
    seed: generated ? 1 : null,
  };
}

function judgementOf(label: Label | null): Judgement {
  const genuine = label === null ? null : label === 'plausible_followup';
  return {
    label,
    genuine,
    by: label === null ? null : 'rules@1',
    rationale: label === null ? 'nothing is certain' : '',
    at_odds: false,
  };
}

function scoreOf(outcome: Score['outcome']): Score {
  const extracted = { right: '7', wrong: '8', unscored: null, truncated: null }[outcome];
  return { outcome, check: 'number', extracted, expected: '7', reason: outcome === 'unscored' ? 'no marker' : null };
}
