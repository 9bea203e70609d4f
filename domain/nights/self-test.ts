// What measures is measured first: frozen turns and answers, whose labels and outcomes are known, go through rules and checks.
import { type OwnCheck, scoreTurn } from '../accuracy/score.ts';
import { judgeByRules } from '../followup/rules.ts';
import type { RulesThresholds } from '../plan/plan.ts';
import type { Label, Outcome, Turn } from '../records/record.ts';

type FrozenTurn = { question: string; answer: string; turn: string; label: Label | null };
type FrozenAnswer = { answer: string; check: OwnCheck; outcome: Outcome };

const turns: FrozenTurn[] = [
  { question: 'How tall is the tower?', answer: 'It is 90 metres tall.', turn: '', label: 'degenerate_short' },
  { question: 'How tall is the tower?', answer: 'It is 90 metres tall.', turn: '?', label: 'degenerate_short' },
  {
    question: 'How tall is the tower?',
    answer: 'It is 90 metres tall.',
    turn: 'How tall is the tower?',
    label: 'previous_turn_restate',
  },
  {
    question: 'Name three rivers of Portugal, please.',
    answer: 'Tejo, Douro and Minho are three of them.',
    turn: 'Tejo, Douro and Minho are three of them.',
    label: 'assistant_turn_restate',
  },
  {
    question: 'How tall is the tower?',
    answer: 'It is 90 metres tall.',
    turn: '<|im_start|>assistant\nSure.',
    label: 'malformed_artifact',
  },
  { question: 'How tall is the tower?', answer: 'It is 90 metres tall.', turn: 'And when was it built?', label: null },
  {
    question: 'Wie hoch ist der Turm?',
    answer: 'Er ist 90 Meter hoch.',
    turn: 'Und wann wurde er gebaut?',
    label: null,
  },
];

const number = (expected: string): OwnCheck => ({ check: 'number', expected });
const choice = (expected: string): OwnCheck => ({ check: 'choice', expected });
const answers: FrozenAnswer[] = [
  { answer: 'First 3, then 4 more.\nAnswer: 7', check: number('7'), outcome: 'right' },
  { answer: 'Answer: 1,250.00', check: number('1250'), outcome: 'right' },
  { answer: 'Answer: 8', check: number('7'), outcome: 'wrong' },
  { answer: 'I would rather not say.', check: number('7'), outcome: 'unscored' },
  { answer: 'Answer: B', check: choice('B'), outcome: 'right' },
  { answer: 'Answer: C', check: choice('B'), outcome: 'wrong' },
];

/** What comes out otherwise than it should, in a sentence each; none where the harness is what it was. */
export function selfTest(thresholds?: RulesThresholds): string[] {
  const labelled = turns.flatMap(({ question, answer, turn, label }) => {
    const found = judgeByRules([{ role: 'user', content: question }], answer, turn, thresholds);
    return found.label === label
      ? []
      : [
          `the rules call ${JSON.stringify(turn)} ${found.label ?? 'undecided'}, and it is ${label ?? 'for others to decide'}`,
        ];
  });
  const scored = answers.flatMap(({ answer, check, outcome }) => {
    const found = scoreTurn(frozen(answer), check);
    return found.outcome === outcome
      ? []
      : [`the answer ${JSON.stringify(answer)} counts as ${found.outcome}, and it is ${outcome}`];
  });
  return [...labelled, ...scored];
}

function frozen(text: string): Turn {
  return { text, finish: 'stop', ids: null, prompt: null, tokens: 0, seed: null };
}
