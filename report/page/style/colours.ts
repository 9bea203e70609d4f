// The page's colours as variables: paper and ink, two with a meaning, and those of the figures. Light, dark, and black on white in print.
import type { Looks } from '../../figures/looks.ts';
import { followUp, followUpWash, ink, labelTones, paper, rule, soft, type Tone } from '../../figures/tones.ts';

/** All that figures are drawn in, each once. */
export function tonesOf(looks: Looks): Tone[] {
  const all = [paper, ink, soft, rule, followUp, followUpWash, ...Object.values(labelTones)];
  return [...new Set([...all, ...[...looks.values()].map(({ tone }) => tone)])];
}

export function colours(tones: Tone[]): string {
  const light = tones.map((tone) => `--${tone.name}: ${tone.light};`).join(' ');
  const dark = tones.map((tone) => `--${tone.name}: ${tone.dark};`).join(' ');
  return `
:root {
  color-scheme: light dark;
  ${light}
  --wash: #f3f3ee; --shade: #0003;
  --accuracy: #1f5fa8; --accuracy-wash: #c9dbf0;
  --bad: #a61b2b; --bad-wash: #f7dcde; --link: #1f5fa8;
}
@media (prefers-color-scheme: dark) {
  :root {
    ${dark}
    --wash: #1f2226; --shade: #000a;
    --accuracy: #7fb2ec; --accuracy-wash: #24405f;
    --bad: #f2929b; --bad-wash: #4a2127; --link: #8dbbf0;
  }
}
@media print {
  :root {
    color-scheme: light;
    ${light}
    --paper: #fff; --ink: #000; --soft: #444; --rule: #bbb; --wash: #fff; --shade: transparent;
    --accuracy: #1f5fa8; --accuracy-wash: #c9dbf0;
    --bad: #a61b2b; --bad-wash: #fff; --link: #000;
  }
}
`;
}
