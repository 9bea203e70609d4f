// Untrusted text (prompts, model output, names) made fit to be shown. It is never interpreted where it is shown.
import { containBidi } from './bidi.ts';

/**
 * Text for a terminal: escape sequences and control characters are gone, line ends are `\n`, tabs stay,
 * lone surrogates show as U+FFFD, direction overrides end with their line.
 */
export function terminalSafe(text: string): string {
  return containBidi(withLineFeeds(text).replace(sequence, '').replace(control, ''));
}

/** What a model wrote, or the data holds, for a terminal: as `terminalSafe`, but controls show as their pictures (␀, ␛). */
export function pictured(text: string): string {
  return containBidi(withLineFeeds(text).replace(control, pictureOf));
}

/** `terminalSafe` on one line: for names, table cells and previews. */
export function oneLine(text: string): string {
  return terminalSafe(text.replace(/[\s\u0085\u2028\u2029]+/g, ' ')).trim();
}

/** Text for HTML, in content or in a quoted attribute. Control characters show as their pictures (␀, ␛). */
export function html(text: string): string {
  return pictured(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Well-formed, and broken into lines as its readers would break it. */
function withLineFeeds(text: string): string {
  return text.toWellFormed().replace(/\r\n|[\u0085\u2028\u2029]/g, '\n');
}

// Sequences a terminal acts on: strings (titles, links, device control) up to their terminator, CSI, and the rest
// of ESC. No class holds a character that another sequence starts with, so matching takes linear time; a string
// without a terminator loses only its introducer.
const sequence = new RegExp(
  [
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\n\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** C0 without tab and line feed, DEL, C1. */
const control = new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`, 'g');

/** U+2400 … U+241F picture the C0 controls, U+2421 DEL; C1 has no pictures. */
function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
