import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curveSection } from '../../../report/page/curves.ts';
import { cell, decided, quick, summaryOf, withoutAnswers } from '../fixture.ts';

const svg = (page: string) => page.slice(page.indexOf('<g class'), page.indexOf('</svg>\n</figure>')).trim();

test('decided rates are two lines with whiskers', () => {
  expect(svg(curveSection(decided).markup)).toMatchInlineSnapshot(`
    "<g class="follow-up"><path class="line" d="M67 157.8L329 143.3"/><path class="whisker" d="M67 154.3V161M64 154.3h6M64 161h6"/><path class="whisker" d="M329 139.2V147.1M326 139.2h6M326 147.1h6"/><path class="dot" d="M67 152.8l5 5-5 5-5-5z"/><path class="dot" d="M329 138.3l5 5-5 5-5-5z"/></g>
    <g class="accuracy"><path class="line" d="M61 29.2L323 40.4"/><path class="whisker" d="M61 26.6V32.2M58 26.6h6M58 32.2h6"/><path class="whisker" d="M323 37.1V44M320 37.1h6M320 44h6"/><circle cx="61" cy="29.2" r="4"/><circle cx="323" cy="40.4" r="4"/></g>"
  `);
});

test('undecided turns are a band, not a line', () => {
  const drawn = svg(curveSection(quick).markup);
  const [, followUp = ''] = drawn.split('<g class="follow-up">');
  expect(followUp).toMatchInlineSnapshot(`
    "<path class="band" d="M67 184L329 176.2L329 58.9L67 76.5Z"/><path class="edge" d="M67 184L329 176.2M67 76.5L329 58.9"/><path class="whisker" d="M67 48.4V184M64 48.4h6M64 184h6"/><path class="whisker" d="M329 34.6V182.6M326 34.6h6M326 182.6h6"/></g>
    <g class="accuracy"><path class="line" d="M61 133.8L323 146.6"/><path class="whisker" d="M61 99.4V158.3M58 99.4h6M58 158.3h6"/><path class="whisker" d="M323 111.9V167.4M320 111.9h6M320 167.4h6"/><circle cx="61" cy="133.8" r="4"/><circle cx="323" cy="146.6" r="4"/></g>"
  `);
});

test('a figure says in words what it draws', () => {
  const [, text] = /<desc[^>]*>([^<]*)</.exec(curveSection(quick).markup) ?? [];
  expect(text).toMatchInlineSnapshot(
    `"Temperature 0: answers right 29 % [15, 49], genuine follow-ups 0–63 % [0, 79]. Temperature 0.7: answers right 22 % [10, 42], genuine follow-ups 5–73 % [1, 87]."`,
  );
});

test('the legend names only what is drawn', () => {
  const legend = (cells: Parameters<typeof summaryOf>[0]) =>
    (/<p class="legend">(.*)<\/p>/.exec(curveSection(summaryOf(cells)).markup)?.[1] ?? '').replace(/<[^>]*>/g, '');
  expect(legend(decided.cells)).toBe('answers right genuine follow-ups whiskers: 95 % intervals');
  expect(legend(quick.cells)).toBe(
    'answers right genuine follow-ups, from no to every undecided turn counted whiskers: 95 % intervals',
  );
  expect(legend(decided.cells.map(withoutAnswers))).toBe('genuine follow-ups whiskers: 95 % intervals');
});

test('everything is drawn inside the frame, with numbers that are numbers', () => {
  const count = fc.nat({ max: 500 });
  const counts = fc.record({ right: count, wrong: count, genuine: count, artifact: count, undecided: count });
  const temperature = fc.double({ min: 0, max: 2, noNaN: true });
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(temperature, counts), { selector: ([t]) => t, maxLength: 6 }), (rows) => {
      const drawn = curveSection(summaryOf(rows.map(([t, counts]) => cell(['m', 'd', t], counts)))).markup;
      expect(drawn).not.toMatch(/NaN|undefined|Infinity/);
      for (const [, at] of drawn.matchAll(/ (?:cx|x)="([^"]*)"/g)) {
        expect(Number(at)).toBeGreaterThanOrEqual(0);
        expect(Number(at)).toBeLessThanOrEqual(364);
      }
      for (const [, at] of drawn.matchAll(/ (?:cy|y)="([^"]*)"/g)) {
        expect(Number(at)).toBeGreaterThanOrEqual(0);
        expect(Number(at)).toBeLessThanOrEqual(226);
      }
    }),
  );
});
