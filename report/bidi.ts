// Direction controls in untrusted text. They stay, since they are part of what a model wrote, but none may reach
// beyond the line it stands on: unclosed ones are closed, closers of nothing are dropped.

const openers = new Map([
  ['\u202a', '\u202c'],
  ['\u202b', '\u202c'],
  ['\u202d', '\u202c'],
  ['\u202e', '\u202c'],
  ['\u2066', '\u2069'],
  ['\u2067', '\u2069'],
  ['\u2068', '\u2069'],
]);
const anyControl = /[\u202a-\u202e\u2066-\u2069]/;
const popIsolate = '\u2069';

/** The text with every embedding, override and isolate closed on its own line. */
export function containBidi(text: string): string {
  if (!anyControl.test(text)) return text;
  return text.split('\n').map(containLine).join('\n');
}

function containLine(line: string): string {
  if (!anyControl.test(line)) return line;
  const open: string[] = [];
  const kept: string[] = [];
  for (const character of line) {
    const closer = openers.get(character);
    if (closer !== undefined) {
      open.push(closer);
      kept.push(character);
    } else if (!anyControl.test(character)) {
      kept.push(character);
    } else if (closes(character, open)) {
      kept.push(character);
    }
  }
  return kept.join('') + open.reverse().join('');
}

/** Takes what a closer closes off the stack. The end of an isolate also ends the embeddings inside it. */
function closes(closer: string, open: string[]): boolean {
  const at = closer === popIsolate ? open.lastIndexOf(closer) : open.at(-1) === closer ? open.length - 1 : -1;
  if (at < 0) return false;
  open.length = at;
  return true;
}
