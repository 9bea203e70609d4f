// How each stage's records are told as facts.
import {
  type JudgementFact,
  judgementFact,
  type ScoreFact,
  scoreFact,
  type TurnFact,
  turnFact,
  unspent,
} from '../domain/facts.ts';
import { type Judgement, labels, type Score, type StageRecord, type Turn } from '../domain/records/record.ts';
import type { Telling } from './scan.ts';

export const turns: Telling<TurnFact> = {
  body: 'STRUCT(finish VARCHAR, tokens DOUBLE, prompt STRUCT(tokens DOUBLE))',
  fields: ['body.finish', 'body.tokens', 'coalesce(body.prompt.tokens, 0)'],
  tell([finish, tokens, prompt], status) {
    if (status === 'error') return { said: null, spent: unspent };
    if (finish !== 'stop' && finish !== 'length' && finish !== 'given') return null;
    if (typeof tokens !== 'number' || typeof prompt !== 'number') return null;
    return { said: { finish, tokens, prompt }, spent: unspent };
  },
  fact: (record) => turnFact(record as StageRecord<Turn>),
};

export const judgements: Telling<JudgementFact> = {
  body: 'STRUCT(label VARCHAR, genuine BOOLEAN)',
  fields: ['body.label', 'body.genuine', 'meta.requests', 'meta.usage.prompt', 'meta.usage.completion'],
  tell([name, genuine, requests, prompt, completion], status) {
    if (typeof requests !== 'number') return null;
    const usage = typeof prompt === 'number' && typeof completion === 'number' ? { prompt, completion } : null;
    const spent = { usage, requests };
    if (status === 'error') return { said: null, spent };
    const label = name === null ? null : labels.find((one) => one === name);
    if (label === undefined || (genuine !== null && typeof genuine !== 'boolean')) return null;
    return { said: { label, genuine }, spent };
  },
  fact: (record) => judgementFact(record as StageRecord<Judgement>),
};

export const scores: Telling<ScoreFact> = {
  body: 'STRUCT(outcome VARCHAR, instructions STRUCT(strict BOOLEAN, loose BOOLEAN)[])',
  fields: ['body.outcome', 'len(body.instructions)', followed('strict'), followed('loose')],
  tell([outcome, instructions, strict, loose], status) {
    if (status === 'error') return { said: null, spent: unspent };
    if (outcome !== 'right' && outcome !== 'wrong' && outcome !== 'unscored' && outcome !== 'truncated') return null;
    const n = instructions === null ? null : Number(instructions);
    return { said: { outcome, instructions: n, strict: Number(strict), loose: Number(loose) }, spent: unspent };
  },
  fact: (record) => scoreFact(record as StageRecord<Score>),
};

function followed(how: 'strict' | 'loose'): string {
  return `coalesce(len(list_filter(body.instructions, lambda one: one.${how})), 0)`;
}
