// What is said of a text that is no plain YAML.
import { expect, test } from 'vitest';
import { sentence } from '../../../domain/problems.ts';
import { readSpec } from '../../../domain/spec/read.ts';

const plain = `kind: sweep
name: quickstart
models:
  - local: smollm2-135m
data:
  - { set: starter }
temperatures: [0, 0.7]
`;

/** Every sentence about a text, or `fine`. */
function said(text: string): string {
  const read = readSpec(text, { file: 'a.yaml' });
  return 'spec' in read ? 'fine' : read.problems.map(sentence).join('\n');
}

test.each([
  [
    'nothing',
    '',
    `a.yaml:1 is empty.
  Start from configs/quickstart.yaml.`,
  ],
  [
    'comments alone',
    '# later\n',
    `a.yaml:1 is empty.
  Start from configs/quickstart.yaml.`,
  ],
  [
    'null',
    '~\n',
    `a.yaml:1 is empty.
  Start from configs/quickstart.yaml.`,
  ],
  [
    'a list',
    '- kind: sweep\n',
    `a.yaml:1 holds no fields.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'a word',
    'sweep\n',
    `a.yaml:1 holds no fields.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'a tab',
    plain.replace('  - local', '\t- local'),
    `a.yaml:4 is indented with a tab.
  Put spaces in its place.`,
  ],
  [
    'a field twice',
    `${plain}limit: 3\nlimit: 4\n`,
    `a.yaml:9  limit: stands here a second time; the first is on line 8.
  Leave one of them out.`,
  ],
  [
    'a field twice in braces',
    plain.replace('set: starter', 'set: starter, set: gsm8k'),
    `a.yaml:6  data[0].set: stands here a second time; the first is on line 6.
  Leave one of them out.`,
  ],
  [
    'two documents',
    `${plain}---\n${plain}`,
    `a.yaml:8 holds a second document.
  Leave out what stands from the line \`---\` on, or put it into a file of its own.`,
  ],
  [
    'an alias',
    `${plain}max_tokens: { assistant: &n 96, user: *n }\n`,
    `a.yaml:8  max_tokens.user: repeats another part by *n.
  Write the part out: configs do without aliases.`,
  ],
  [
    'an alias of what is not there',
    plain.replace('quickstart', '*who'),
    `a.yaml:2  name: repeats another part by *who.
  Write the part out: configs do without aliases.`,
  ],
  [
    'an alias of what it stands in',
    plain.replace('local: smollm2-135m', 'local: a\n    template_kwargs: &a { a: *a }'),
    `a.yaml:5  models[0].template_kwargs.a: repeats another part by *a.
  Write the part out: configs do without aliases.`,
  ],
  [
    'a tag',
    plain.replace('quickstart', '!secret quickstart'),
    `a.yaml:2 cannot be read as YAML: Unresolved tag: !secret.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'a colon in a text',
    plain.replace('quickstart', 'quick: start'),
    `a.yaml:2 holds two fields, or is followed by a line that is indented too far.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'no space after the colon',
    plain.replace('name: quick', 'name:quick'),
    `a.yaml:2 is no \`name: value\`.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'an open bracket',
    plain.replace('0.7]', '0.7'),
    `a.yaml:7 is indented otherwise than what it belongs to, or a bracket before it is not closed.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'an open quote',
    plain.replace('quickstart', '"quickstart'),
    `a.yaml:7 cannot be read as YAML: Missing closing "quote.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'a wrong indent',
    plain.replace('name:', '  name:'),
    `a.yaml:1 holds two fields, or is followed by a line that is indented too far.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'a mark in front',
    plain.replace('quickstart', '@quickstart'),
    `a.yaml:2 cannot be read as YAML: Plain value cannot start with reserved character @.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'a list for a field name',
    `${plain}? [a, b]\n: 1\n`,
    `a.yaml:8 has a field without a plain name.
  A field is written \`name: value\`.`,
  ],
  [
    'not a number',
    plain.replace('0.7', '.nan'),
    `a.yaml:7  temperatures[1]: .nan is no number that can be counted with.
  Write a finite number.`,
  ],
  [
    'more than infinity',
    plain.replace('0.7', '1e999'),
    `a.yaml:7  temperatures[1]: 1e999 is no number that can be counted with.
  Write a finite number.`,
  ],
  [
    'forty levels',
    plain.replace('smollm2-135m', `a\n    template_kwargs: { a: ${'['.repeat(40)}${']'.repeat(40)} }`),
    `a.yaml:5  models[0].template_kwargs.a[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: is nested too deeply.
  A config has at most 32 levels.`,
  ],
  [
    'a hundred thousand levels',
    `a: ${'['.repeat(100_000)}`,
    `a.yaml:1 is nested too deeply.
  A field is written \`name: value\`, with a space after the colon; fields of one group are indented alike, with spaces. A text that holds ": " or " #", or begins with a mark such as @ or %, needs quotes.`,
  ],
  [
    'a megabyte',
    `# ${'x'.repeat(1_000_000)}\n${plain}`,
    `a.yaml:1 is longer than 200,000 characters.
  Is this the right file?`,
  ],
])('%s', (_, text, sentences) => {
  expect(said(text)).toBe(sentences);
});

test.each([
  ['a byte order mark', `\ufeff${plain}`],
  ['Windows line ends', plain.replaceAll('\n', '\r\n')],
  ['an end mark', `---\n${plain}...\n`],
  ['a directive', `%YAML 1.2\n---\n${plain}`],
  ['an anchor that nothing repeats', plain.replace('[0, 0.7]', '&t [0, 0.7]')],
  [
    'JSON',
    '{"kind": "sweep", "name": "j", "models": [{"local": "a"}], "data": [{"set": "starter"}], "temperatures": [0]}',
  ],
])('%s does no harm', (_, text) => {
  expect(said(text)).toBe('fine');
});

test('lines are counted through Windows line ends', () => {
  expect(said(plain.replace('0.7', '3').replaceAll('\n', '\r\n'))).toBe(
    'a.yaml:7  temperatures[1]: 3 is above the largest allowed, 2.\n  Temperatures are sampling temperatures; did you mean 0.3?',
  );
});
