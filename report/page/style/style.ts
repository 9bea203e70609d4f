// The page's looks: system fonts, few colours, light and dark, narrow and wide, screen and print.
import type { Tone } from '../../figures/tones.ts';
import { colours } from './colours.ts';
import { conversations } from './conversations.ts';
import { figures } from './figures.ts';
import { media } from './media.ts';
import { tables } from './tables.ts';
import { text } from './text.ts';

export function style(tones: Tone[]): string {
  return [colours(tones), text, tables, figures, conversations, media].join('');
}
