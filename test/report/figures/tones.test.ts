import fc from 'fast-check';
import { expect, test } from 'vitest';
import { looksOf, shortName } from '../../../report/figures/looks.ts';
import { oklch } from '../../../report/figures/oklch.ts';
import { labelTones, paper, type Tone } from '../../../report/figures/tones.ts';
import { displayWidth } from '../../../report/width.ts';

test.each<[why: string, lch: [number, number, number], hex: string]>([
  ['black', [0, 0, 0], '#000000'],
  ['white', [1, 0, 0], '#ffffff'],
  ['the red of CSS', [0.62796, 0.25768, 29.234], '#ff0000'],
  ['a middle grey', [0.5999, 0, 0], '#808080'],
])('%s', (_, [lightness, chroma, hue], hex) => {
  expect(oklch(lightness, chroma, hue)).toBe(hex);
});

test('every colour is one that a screen has', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, share, fc.double({ min: 0, max: 360, noNaN: true }), (lightness, chroma, hue) => {
      expect(oklch(lightness, chroma / 2, hue)).toMatch(/^#[0-9a-f]{6}$/);
    }),
  );
});

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
const light = (hex: string) => {
  const [r = 0, g = 0, b = 0] = channels(hex).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string) =>
  (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

const paperModels = [
  'Qwen3.5-0.8B',
  'Qwen3.5-2B',
  'Qwen3.5-4B',
  'Qwen3.5-9B',
  'Qwen3.5-27B',
  'gpt-oss-20b',
  'gpt-oss-120b',
  'GLM-4.7',
];

test('models stand off the paper, light and dark, by what WCAG asks of graphics', () => {
  const tones = [...looksOf(paperModels).values()].map(({ tone }) => tone);
  const weak = (tone: Tone) => contrast(tone.light, paper.light) < 3 || contrast(tone.dark, paper.dark) < 3;
  expect(tones.filter(weak).map(({ name }) => name)).toEqual([]);
});

test('no two models and no two labels are drawn in one colour', () => {
  const tones = [...[...looksOf(paperModels).values()].map(({ tone }) => tone), ...Object.values(labelTones)];
  expect(new Set(tones.map(({ light }) => light)).size).toBe(tones.length);
  expect(new Set(tones.map(({ dark }) => dark)).size).toBe(tones.length);
});

test('families have shapes of their own', () => {
  const shapes = [...looksOf(paperModels).values()].map(({ family, shape }) => `${family} ${shape}`);
  expect([...new Set(shapes)]).toEqual(['Qwen3.5 circle', 'gpt-oss square', 'GLM-4.7 triangle-up']);
});

test.each([
  ['GLM-4.7', 'GLM-4.7'],
  ['meta-llama/Llama-3.1-8B', 'Llama-3.1-8B'],
  ['a-very-long-name-of-a-model-27B', 'a-very-l…odel-27B'],
  ['\u001b[31mred\u0000', 'red'],
  ['', '?'],
])('%j is drawn as %j', (name, short) => {
  expect(shortName(name)).toBe(short);
});

test('short names are short, and another one for every model', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('x'.repeat(40), 'x'.repeat(41)),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name), (models) => {
      const shorts = [...looksOf(models).values()].map(({ short }) => short);
      expect(new Set(shorts).size).toBe(models.length);
      for (const short of shorts) expect(displayWidth(short)).toBeLessThanOrEqual(20);
    }),
  );
});
