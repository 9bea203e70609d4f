// Finds the line that gives the answer: the one of the last `Answer:`.

/**
 * `line`: what follows the marker, or the next line that holds anything where the marker is bare.
 * `whole`: a line break follows, so that nothing cut this line short.
 */
export type AnswerLine = { line: string; whole: boolean };

/**
 * In any case, bold or not (`**Answer:**`, `**Answer**:`, `\textbf{Answer:}`, `Final answer:`), anywhere in a line.
 * The colon is needed ("the answer is 5" is no marker), `####` is none. Repetitions are bounded to stay linear.
 */
const marker = /(?<![\p{L}\p{N}])answer[ \t*_`~})\]"'”]{0,12}(?:<\/[a-z]{1,8}>)?[ \t*_`]{0,12}[:：]/giu;
const lineBreak = /\r\n|[\n\r\u2028\u2029]/g;

/** The last marker wins, also over an earlier one that is easier to read. Null where there is none. */
export function answerLine(text: string): AnswerLine | null {
  let start = -1;
  for (const found of text.matchAll(marker)) start = found.index + found[0].length;
  if (start < 0) return null;

  const { line, whole, next } = lineFrom(text, start);
  return isBare(line) ? firstFilled(text, next) : { line, whole };
}

function firstFilled(text: string, from: number): AnswerLine {
  let at = from;
  while (at < text.length) {
    const { line, whole, next } = lineFrom(text, at);
    if (!isBare(line)) return { line: line.replace(/^\s*[-*+•]\s+/, ''), whole }; // a list's bullet is no minus
    at = next;
  }
  return { line: '', whole: false };
}

function lineFrom(text: string, start: number) {
  lineBreak.lastIndex = start;
  const end = lineBreak.exec(text);
  if (end === null) return { line: text.slice(start), whole: false, next: text.length };
  return { line: text.slice(start, end.index), whole: true, next: end.index + end[0].length };
}

/** Nothing but white space and markup, such as `**`, `$$`, `\[` or the start of a fence. */
function isBare(line: string): boolean {
  return /^[\s*_~`$#>\\[\]{}()|]*$/.test(line) || /^\s*```\w*\s*$/.test(line);
}
