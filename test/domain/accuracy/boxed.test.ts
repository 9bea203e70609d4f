// Final answers of written solutions, and which of them are plain numbers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastBoxed, plainNumber } from '../../../domain/accuracy/boxed.ts';

test.each<[latex: string, inside: string | null]>([
  ['so $x = \\boxed{5}$.', '5'],
  ['\\boxed{1}, no: $\\boxed{\\frac{1}{2}}$', '\\frac{1}{2}'],
  ['\\boxed{\\left\\{ x \\mid x_{1}^{2} \\right\\}}', '\\left\\{ x \\mid x_{1}^{2} \\right\\}'],
  ['\\fbox{ 7 }', '7'],
  ['\\boxed 7$ and more', '7'],
  ['\\boxed7', '7'],
  ['\\boxed{}', ''],
  ['\\boxed{1', null],
  ['\\boxed{a\\}', null],
  ['\\boxed', null],
  ['\\boxedsomething{3}', null],
  ['the answer is 5', null],
])('of %j the answer is %j', (latex, inside) => {
  expect(lastBoxed(latex)).toBe(inside);
});

test('whatever stands in the braces comes back, as long as it closes what it opens', () => {
  const { latex } = fc.letrec<{ latex: string }>((tie) => ({
    latex: fc
      .array(
        fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom('x', '\\}', '\\{', '\\\\', '$', '^2'),
          tie('latex').map((inner) => `{${inner}}`),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join('')),
  }));
  fc.assert(
    fc.property(latex, fc.string(), (inside, before) => {
      expect(lastBoxed(`${before} \\boxed{${inside}} and {some} \\{more`)).toBe(inside.trim());
    }),
  );
});

test.each<[latex: string, number: string]>([
  ['5', '5'],
  ['-12', '-12'],
  ['0.25', '0.25'],
  ['.5', '.5'],
  ['1,000,000', '1000000'],
  ['32{,}348', '32348'],
  ['10,\\!236', '10236'],
  ['\\$18.90', '18.90'],
  ['\\$32,\\!348', '32348'],
  ['50\\%', '50'],
  ['90^\\circ', '90'],
  ['45^{\\circ}', '45'],
  ['5\\text{ cm}', '5'],
  ['12 \\text{ cm}^2', '12'],
  ['9 \\mbox{ inches}', '9'],
  ['\\frac{3}{4}', '3/4'],
  ['-\\dfrac{11}{2}', '-11/2'],
  ['\\frac34', '3/4'],
  ['\\tfrac{1}6', '1/6'],
  ['2\\frac{1}{3}', '2 1/3'],
  ['7/8', '7/8'],
  ['x=5', '5'],
])('%s is the number %s', (latex, number) => {
  expect(plainNumber(latex)).toBe(number);
});

test.each([
  '',
  'x',
  '2x+3',
  '5\\sqrt{2}',
  '2\\pi',
  '(3,4)',
  '[2,5)',
  '1,2,3',
  '12,34',
  '1+2i',
  '3+\\frac{1}{2}',
  '\\frac{x}{2}',
  '\\frac{1}{0}',
  '\\frac{\\sqrt{3}}{2}',
  '11_2',
  '10^{5}',
  '2^8',
  'x \\le 5',
  'y=2x+1',
  '5 \\text{ or } 7',
  '6\\text{ and }7\\text{ cm}',
  '\\text{(B)}',
  '\\begin{pmatrix} 1 \\end{pmatrix}',
  '\\infty',
  '1:2',
  '3!',
  '--4',
  '4.',
  '\\pm 3',
])('%s is no plain number', (latex) => {
  expect(plainNumber(latex)).toBeNull();
});

test('any text is answered at once', () => {
  fc.assert(fc.property(fc.string(), (text) => void [lastBoxed(text), plainNumber(text)]));
  const begun = performance.now();
  for (const text of ['\\boxed{', '{', '\\text{', ' ', ',', '1', '~', '\\boxed '])
    for (const read of [lastBoxed, plainNumber]) read(text.repeat(200_000 / text.length));
  expect(performance.now() - begun).toBeLessThan(20_000);
});
