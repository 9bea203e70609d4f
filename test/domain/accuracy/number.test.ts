import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberAfterMarker, readNumber, sameNumber } from '../../../domain/accuracy/number.ts';

describe('the number of an answer line', () => {
  test.each([
    ['72, in total', '72'],
    ['$1,234.50', '1234.5'],
    ['-3', '-3'],
    ['−3', '-3'],
    ['–3', '-3'],
    ['-$3', '-3'],
    ['$-3', '-3'],
    ['- 3', '-3'],
    ['+3', '3'],
    ['1/2', '0.5'],
    ['1/3', '1/3'],
    ['2/6', '1/3'],
    ['1/-2', '-0.5'],
    ['100.00', '100'],
    ['0.10', '0.1'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['-0', '0'],
    ['007', '7'],
    ['1.5e3', '1500'],
    ['2E-2', '0.02'],
    ['1.5 × 10^3', '1500'],
    ['$1.5 \\times 10^{-3}$', '0.0015'],
    ['60%', '60'],
    ['60 %', '60'],
    ['25°C', '25'],
    ['\\$20', '20'],
    ['18.', '18'],
    ['18!', '18'],
    ['\\boxed{42}', '42'],
    ['$\\boxed{\\text{42 apples}}$', '42'],
    ['\\(\\frac{3}{4}\\)', '0.75'],
    ['\\dfrac12', '0.5'],
    ['$2\\frac{1}{2}$', '2.5'],
    ['-\\frac{3}{4}', '-0.75'],
    ['**42**', '42'],
    ['_42_', '42'],
    ['`42`', '42'],
    ['~~41~~ is gone, **42**', '42'],
    ['<b>42</b>', '42'],
    ['"42"', '42'],
    ['[42]', '42'],
    ['４２', '42'],
    ['\u200b42\u200b', '42'],
    ['10\u2009000', '10000'],
    ['1\u202f234\u202f567.5', '1234567.5'],
    ['10\\,000', '10000'],
    ['10{,}000', '10000'],
    ['Rs 1,00,000', '100000'],
    ['1,234,567.', '1234567'],
    ['1 1/2', '1.5'],
    ['-1 1/2', '-1.5'],
    ['1 and 1/2 cups', '1.5'],
    ['2½', '2.5'],
    ['½', '0.5'],
    ['1⁄4', '0.25'],
    ['3 x 4 = 12', '12'],
    ['3 x 4', '4'],
    ['3*4', '4'],
    ['7/4 = 1.75 (= 1 3/4)', '1.75'],
    ['16 - 3 - 4 = <<16-3-4=9>>9', '9'],
    ['= -3', '-3'],
    ['42 (about 40)', '42'],
    ['42 (about 40', '42'],
    ['a) 42', '42'],
    ['f(3) is 42', '42'],
    ['5 km/h', '5'],
    ['USD 5', '5'],
    ['USD5', '5'],
    ['US$5', '5'],
    ['Rs.500', '500'],
    ['€12', '12'],
    ['12 €', '12'],
    ['12 cm^2', '12'],
    ['12 cm<sup>2</sup>', '12'],
    ['12 m²', '12'],
    ['12 m/s^{-2}', '12'],
    ['3 litres of H2O', '3'],
    ['the 5-year plan', '5'],
    ['1st', '1'],
    ['8 PM', '8'],
    ['Step 2: 42', '42'],
    ['Total - 42', '42'],
    ['Total -42', '-42'],
    ['5 and 6 make -11', '-11'],
    ['#### 7', '7'],
    ['4 or more', '4'],
    ['42<|im_end|>', '42'],
  ])('%j is %s', (line, value) => expect(readNumber(line)).toEqual({ value }));

  test.each([
    ['', 'no number'],
    ['none', 'no number'],
    ['seventy-two', 'no number'],
    ['<number>', 'no number'],
    ['(42)', 'no number'],
    ['x = ', 'no number'],
    ['42 apples = good', 'no number'],
    ['H2O', 'no number'],
    ['x_2', 'no number'],
    ['3:30', 'a time'],
    ['12:00:00', 'a time'],
    ['3:30 pm', 'a time'],
    ['2 hours and 30 minutes', 'a time'],
    ['3 : 4', 'a ratio'],
    ['3-4', 'a range'],
    ['3–4', 'a range'],
    ['$3 - $5', 'a range'],
    ['3 to 5', 'a range'],
    ['3 km to 5 km', 'a range'],
    ['3 km - 5 km', 'a range'],
    ['3km-5km', 'a range'],
    ['5 -3', 'a range'],
    ['20-25%', 'a range'],
    ['1/2 - 3/4', 'a range'],
    ['between 3 and 5', 'a range'],
    ['5 ± 1', 'a range'],
    ['3...5', 'a range'],
    ['4 or 5', 'two numbers joined by "or"'],
    ['4 apples OR 5 apples', 'two numbers joined by "or"'],
    ['4 (four) or 5 (five)', 'two numbers joined by "or"'],
    ['1/2 or 3/4', 'two numbers joined by "or"'],
    ['1/2/2024', 'a date'],
    ['2^10', 'a power'],
    ['10²', 'a power'],
    ['10<sup>2</sup>', 'a power'],
    ['2\\sqrt{3}', 'an expression'],
    ['5π', 'an expression'],
    ['5 million', 'a number with a scale word'],
    ['10k', 'a number with a scale word'],
    ['10 000', 'unclear digits'],
    ['1,23', 'unclear digits'],
    ['1,234,56', 'unclear digits'],
    ['1.234,50', 'unclear digits'],
    ['1.2.3', 'unclear digits'],
    ['1/0', 'not a number one can compute'],
    ['1e999999999', 'not a number one can compute'],
    ['9'.repeat(201), 'not a number one can compute'],
  ])('%j is unscored: %s', (line, unscored) => expect(readNumber(line)).toEqual({ unscored }));
});

describe('the number after the marker', () => {
  test.each([
    ['Steps: 3 + 4.\nAnswer: 7', '7'],
    ['Answer: 7\nAnswer: 9', '9'],
    ['Answer: 7 Answer: 9', '9'],
    ['Answer: 7\n\nQuestion: 12?', '7'],
    ['Answer:\n\n42\n43', '42'],
    ['**Answer:**\n\n$$\n\\boxed{42}\n$$', '42'],
    ['Answer:\n```text\n42\n```', '42'],
    ['Answer:\n- 42', '42'],
    ['Answer:\n-42', '-42'],
    ['**Answer:** 42', '42'],
    ['**Answer**: 42', '42'],
    ['**Answer: 42**', '42'],
    ['### Answer: 42', '42'],
    ['ANSWER : 42', '42'],
    ['final answer: 42', '42'],
    ['Answer：42', '42'],
    ['\\textbf{Answer:} 42', '42'],
    ['\\boxed{Answer: 42}', '42'],
    ['<b>Answer</b>: 42', '42'],
    ['Answer: 42\r\nAnswers: 5', '42'],
    ['Answer: 42\u20285', '42'],
  ])('%j is %s', (text, value) => expect(numberAfterMarker(text)).toEqual({ value }));

  test.each([
    ['', 'no marker'],
    ['42', 'no marker'],
    ['#### 7', 'no marker'],
    ['The answer is 42.', 'no marker'],
    ['Answers: 42', 'no marker'],
    ['Reanswer: 42', 'no marker'],
    ['Answer:', 'no number'],
    ['Answer: 42\nAnswer:', 'no number'],
    ['Answer: 42\nAnswer: none', 'no number'],
  ])('%j is unscored: %s', (text, unscored) => expect(numberAfterMarker(text)).toEqual({ unscored }));
});

describe('laws', () => {
  const grouped = (digits: string, by: string) => digits.replace(/\B(?=(\d{3})+$)/g, by);
  const decimal = fc.record({
    negative: fc.boolean(),
    whole: fc.bigInt(0n, 10n ** 15n).map(String),
    decimals: fc.stringMatching(/^\d{0,6}$/),
  });
  const dress = fc.constantFrom<(number: string) => string>(
    (n) => n,
    (n) => `${n}.`,
    (n) => `$${n}`,
    (n) => `${n}%`,
    (n) => `**${n}**`,
    (n) => `\\boxed{${n}}`,
    (n) => `\\(${n}\\)`,
    (n) => `${n} apples`,
    (n) => `so it is ${n}`,
    (n) => `x = ${n}`,
    (n) => `5 and 6 make ${n} (or 8)`,
  );

  test('a decimal keeps its value in every accepted dress', () => {
    const by = fc.constantFrom('', ',', '\u2009', '\u202f', '{,}', '\\,');
    const minus = fc.constantFrom('-', '−', '–');
    fc.assert(
      fc.property(decimal, by, minus, dress, ({ negative, whole, decimals }, separator, sign, dressed) => {
        const plain = decimals.replace(/0+$/, '');
        const value = `${whole}${plain === '' ? '' : `.${plain}`}`;
        const expected = negative && value !== '0' ? `-${value}` : value;
        const written = `${negative ? sign : ''}${grouped(whole, separator)}${decimals === '' ? '' : `.${decimals}`}`;
        expect(numberAfterMarker(`Answer: ${dressed(written)}`)).toEqual({ value: expected });
      }),
    );
  });

  test('a fraction or mixed number keeps its value in every accepted form', () => {
    const parts = fc.record({
      sign: fc.constantFrom('', '-'),
      whole: fc.nat(999),
      n: fc.nat(999),
      d: fc.integer({ min: 1, max: 999 }),
    });
    const forms = [
      (n: number, d: number) => `${n}/${d}`,
      (n: number, d: number) => `${n} / ${d}`,
      (n: number, d: number) => `\\frac{${n}}{${d}}`,
      (n: number, d: number) => `${n}⁄${d}`,
    ];
    fc.assert(
      fc.property(parts, fc.constantFrom(...forms), dress, ({ sign, whole, n, d }, form, dressed) => {
        fc.pre(n < d);
        const fraction = sign + form(n, d);
        const mixed = `${sign}${whole} ${form(n, d)}`;
        const improper = `${sign}${whole * d + n}/${d}`;
        expect(sameNumber(dressed(fraction), `${sign}${n * 7}/${d * 7}`)).toBe(true);
        expect(sameNumber(dressed(mixed), improper)).toBe(true);
        expect(sameNumber(dressed(mixed), `${sign}${whole * d + n + 1}/${d}`)).toBe(false);
      }),
    );
  });

  test('a read value reads as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,-/=() e$%') }), (line) => {
        const read = readNumber(line);
        if ('value' in read) expect(readNumber(read.value)).toEqual(read);
      }),
      { numRuns: 1000 },
    );
  });

  test('having one value is an equivalence', () => {
    const written = fc.constantFrom(
      '18',
      '18.0',
      '18.',
      '36/2',
      '$18',
      '1,800%',
      '1800',
      '0.5',
      '1/2',
      '.50',
      '-1/2',
      '−0.5',
      '3:30',
    );
    fc.assert(
      fc.property(written, written, written, (a, b, c) => {
        expect(sameNumber(a, a)).toBe(a !== '3:30');
        expect(sameNumber(a, b)).toBe(sameNumber(b, a));
        if (sameNumber(a, b) && sameNumber(b, c)) expect(sameNumber(a, c)).toBe(true);
      }),
    );
  });

  test('doubles that floating point confuses stay apart', () => {
    expect(sameNumber('9007199254740993', '9007199254740992')).toBe(false);
    expect(sameNumber('0.1', '0.1000000000000000055')).toBe(false);
    expect(sameNumber('1/3', '0.3333333333333333')).toBe(false);
  });
});
