// How many terminal columns a text takes. Terminals agree on this much: East Asian wide characters and emoji take
// two, combining marks and format characters none, everything else one.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ascii = /^[ -~]*$/;
const nothingVisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Cf}]*$/u;
const emoji = /\p{Emoji_Presentation}|\ufe0f/u;
/** Voicing marks of halfwidth katakana belong to the letter before them, but have a column of their own. */
const halfwidthVoicing = /[\uff9e\uff9f]$/;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

export function displayWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text if it fits, else as much of its start as leaves room for an ellipsis. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let taken = 1;
  for (const { segment } of graphemes.segment(text)) {
    taken += graphemeWidth(segment);
    if (taken > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The text filled with spaces up to a width; longer texts stay as they are. `align` says where the text goes. */
export function pad(text: string, width: number, align: 'left' | 'right'): string {
  const spaces = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + spaces : spaces + text;
}

function graphemeWidth(grapheme: string): number {
  if (nothingVisible.test(grapheme)) return 0;
  if (emoji.test(grapheme) || wide.test(grapheme)) return 2;
  return grapheme.length > 1 && halfwidthVoicing.test(grapheme) ? 2 : 1;
}
