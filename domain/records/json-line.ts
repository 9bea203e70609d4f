// JSON for files and pipes: one line for every reader, and nothing in it that a terminal would obey.

/** DEL and C1, marks of direction, line and paragraph separators, byte order marks. JSON itself escapes the rest. */
const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A value's JSON without a line break. Some readers (Python's `splitlines`) take U+0085 and U+2028 for line ends, and
 * terminals C1 for the start of a command: they are escaped, as half characters and C0 are. It reads back the same.
 */
export function jsonLine(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? 'null');
}

/** The same of JSON's text. */
export function oneLine(json: string): string {
  return json.replace(obeyed, escaped);
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
