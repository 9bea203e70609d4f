// User turns whose labels are beyond doubt, to try a judge with. The rules leave all of them open. A text that changes gets another id.
import type { Message } from '../data/item.ts';
import type { Label } from '../records/record.ts';

export type FrozenTurn = { id: string; q: Message[]; a: string; u: string; label: Label };

const topics = {
  tower: {
    q: 'How tall is the old water tower in our town, and who built it?',
    a: 'The water tower is 41 metres tall. It was built in 1908 by the engineer Anna Brandt, and it has not held water since 1967.',
  },
  bread: {
    q: 'My sourdough comes out flat every time. What am I doing wrong?',
    a: 'Most often the dough has risen for too long. Try 5 hours instead of 8, and keep it at 24 degrees. If that does not help, feed the starter twice on the day before.',
  },
  sum: {
    q: 'A train leaves at 9:40 and arrives at 12:05. How long does it travel?',
    a: 'From 9:40 to 11:40 are two hours, and from there to 12:05 are 25 minutes. It travels 2 hours and 25 minutes.',
  },
  letter: {
    q: 'Please write a short note to my landlord about the broken heating.',
    a: 'Dear Mr Okafor, the heating in my flat has not worked since Monday. Please send somebody to repair it this week. Kind regards, Lena',
  },
} as const;

type Topic = keyof typeof topics;

function turn(id: string, topic: Topic, [label, u]: [Label, string]): FrozenTurn {
  const { q, a } = topics[topic];
  return { id, q: [{ role: 'user', content: q }], a, u, label };
}

const genuine = (u: string): [Label, string] => ['plausible_followup', u];

/** As many that a person could have said as others, so that a judge that says the same to all is found out. */
export const frozenTurns: FrozenTurn[] = [
  turn('tower-why', 'tower', genuine('Why has it been empty since 1967?')),
  turn('tower-more', 'tower', genuine('Interesting, did Anna Brandt build anything else around here?')),
  turn('tower-doubt', 'tower', genuine('Are you sure about 1908? The plaque at the door says 1911.')),
  turn('bread-detail', 'bread', genuine('My kitchen is only about 19 degrees. How do I keep the dough at 24?')),
  turn(
    'bread-tried',
    'bread',
    genuine('I already feed the starter twice and it is still flat. What else could it be?'),
  ),
  turn('bread-thanks', 'bread', genuine('Thanks, I will try the 5 hours tomorrow and tell you how it went.')),
  turn('sum-next', 'sum', genuine('And if it stops for 15 minutes on the way, when does it arrive?')),
  turn('sum-shorter', 'sum', genuine('ok so how many minutes is that in total')),
  turn('sum-why', 'sum', genuine("Why do you count up to 11:40 first? I don't get that step.")),
  turn('letter-change', 'letter', genuine('Good, but make it sound a bit more urgent, it is freezing in here.')),
  turn('letter-wrong', 'letter', genuine('His name is Mr Okonkwo, not Okafor. Please correct that.')),
  turn('letter-german', 'letter', genuine('Kannst du mir den Brief an Herrn Okafor auch auf Deutsch schreiben?')),
  turn('tower-asked', 'tower', [
    'previous_turn_restate',
    'Tell me the height of that old water tower we have in town and whose work it is.',
  ]),
  turn('bread-asked', 'bread', [
    'previous_turn_restate',
    'What mistake do I make that all my sourdough loaves turn out flat?',
  ]),
  turn('tower-task', 'tower', [
    'new_task_prompt',
    'Write a Python function that sorts a list of dates by their month.',
  ]),
  turn('letter-task', 'letter', [
    'new_task_prompt',
    'A farmer has 12 sheep and sells a third of them. How many sheep are left?',
  ]),
  turn('bread-assistant', 'bread', [
    'assistant_turn_restate',
    'In short: let your dough rise for 5 hours at 24 degrees. I am happy to help you with further questions about baking!',
  ]),
  turn('sum-assistant', 'sum', [
    'assistant_turn_restate',
    'The journey takes 145 minutes in all, since two hours are 120 minutes and 25 more are left. Let me know if you would like me to explain another one.',
  ]),
  turn('sum-marks', 'sum', [
    'malformed_artifact',
    '{"role": "user", "content": [{"type": "text", "text": ""}]}, {"role": ',
  ]),
  turn('letter-loop', 'letter', [
    'malformed_artifact',
    'the the heating of of of heating heating }} ;; the the of of heating heating heating of the the the',
  ]),
  turn('tower-planning', 'tower', [
    'meta_planning',
    'The user would now probably ask about the builder of the tower. I should write a curious question that sounds natural.',
  ]),
  turn('bread-planning', 'bread', [
    'meta_planning',
    'Okay, I need to come up with what the person says next. They wanted help with bread, so their message should react to the advice.',
  ]),
  turn('sum-piece', 'sum', ['degenerate_short', 'th']),
  turn('letter-piece', 'letter', ['degenerate_short', '...of']),
];
