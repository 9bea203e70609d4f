import { expect, test } from 'vitest';
import { failedRules, ruleName } from '../../../domain/accuracy/format.ts';
import type { FormatRule } from '../../../domain/data/item.ts';

const cases: [FormatRule, string[], string[]][] = [
  [{ rule: 'max_words', n: 3 }, ['one', 'one two three', 'one - two -- three'], ['one two three four']],
  [{ rule: 'min_words', n: 3 }, ['one two three', 'a\nb\nc d'], ['one two', 'one two --']],
  [{ rule: 'lines', n: 2 }, ['a\nb', '\n\na\r\n\r\nb\n'], ['a', 'a\nb\nc']],
  [
    { rule: 'bullets', n: 2 },
    ['- a\n- b', 'So:\n  * a\n  • b\nend'],
    ['- a', '- a\n- b\n- c', '-a\n-b', '**a**\n**b**'],
  ],
  [{ rule: 'contains', text: 'Nile' }, ['The Nile', 'NILE', 'Niles'], ['The Rhine', 'N ile']],
  [{ rule: 'excludes', text: 'Nile' }, ['The Rhine'], ['The Nile', 'the nile']],
  [{ rule: 'lowercase' }, ['all small, 3 é ß'], ['One', '123', '你好']],
  [{ rule: 'uppercase' }, ['ALL LARGE, 3 É'], ['Large', '123']],
  [
    { rule: 'ends_with', text: 'Any questions?' },
    ['So. Any questions?', 'any questions?\n '],
    ['Any questions? No.', '?'],
  ],
  [
    { rule: 'json' },
    ['{"a": [1]}', ' "x" ', '```json\n{"a": 1}\n```', '```\n[]\n```'],
    ['{a: 1}', 'Here: {}', '{} {}', '```json\n{}\n```\nDone'],
  ],
];

test.each(cases)('%j', (rule, met, failed) => {
  for (const text of met) expect([text, failedRules(text, [rule])]).toEqual([text, []]);
  for (const text of failed) expect([text, failedRules(text, [rule])]).toEqual([text, [rule]]);
});

test.each(['', ' ', '\n\t\u00a0'])('an empty answer (%j) fails every rule, also those it would meet', (text) => {
  const rules: FormatRule[] = [...cases.map(([rule]) => rule), { rule: 'max_words', n: 0 }, { rule: 'lines', n: 0 }];
  expect(failedRules(text, rules)).toEqual(rules);
});

test('failed rules come in the order they were given', () => {
  const rules: FormatRule[] = [{ rule: 'uppercase' }, { rule: 'max_words', n: 9 }, { rule: 'contains', text: '"x"' }];
  expect(failedRules('small', rules).map(ruleName)).toEqual(['uppercase', 'contains "\\"x\\""']);
});
