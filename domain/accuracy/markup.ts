// Takes the dress off an answer line: Markdown, LaTeX, invisible characters, currency and percent signs.
// Every pattern runs in linear time: the text is a model's, and may be a megabyte of anything.

/** U+00A0, figure space, thin space, narrow no-break space: the spaces that group digits. */
export const groupingSpaces = '\u00a0\u2007\u2009\u202f';

/** The line with its words and numbers left and the markup around them gone. Parentheses stay. */
export function unwrapped(line: string): string {
  return emphasis(latex(characters(line)));
}

/** `unwrapped`, and signs that stand at a number without changing it: `$ € £ ¥ ₹ % ° #`. */
export function withoutSigns(line: string): string {
  return unwrapped(line)
    .replace(/\p{L}{1,3}\$/gu, '')
    .replace(/\^?[$€£¥₹₩¢%‰°º#]/g, '');
}

/** The text outside round brackets; what an open bracket never closes is inside, a stray closing one is dropped. */
export function outsideParentheses(line: string): string {
  let depth = 0;
  let kept = '';
  for (const piece of line.split(/([()（）])/)) {
    if (piece === '(' || piece === '（') depth += 1;
    else if (piece === ')' || piece === '）') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += `${piece} `;
  }
  return kept.trim();
}

/** Invisible characters out; full-width digits, vulgar fractions and the many dashes to their plain forms. */
function characters(line: string): string {
  return line
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/(\d)?([¼½¾\u2150-\u215e])/g, (_, digit: string | undefined, sign: string) => {
      return `${digit === undefined ? '' : `${digit} `}${sign.normalize('NFKC')}`;
    })
    .replace(/[\u2044\u2215]/g, '/')
    .replace(/[\u2010-\u2013\u2212\ufe63]/g, '-');
}

const signs: Record<string, string> = {
  times: '×',
  cdot: '×',
  div: '÷',
  pm: '±',
  approx: '≈',
  circ: '°',
  sqrt: '√',
  pi: 'π',
};
const dress = new Set(
  'boxed fbox text textbf textit mathrm mathbf mathsf mathit mathbb bf rm bm boldsymbol displaystyle left right'.split(
    ' ',
  ),
);

/** A command is its sign, or dress around its argument, or else a space between words. */
function latex(line: string): string {
  if (!/[\\{}]/.test(line)) return line;
  return line
    .replace(/\\[()[\]]/g, '')
    .replace(/\\,|\{,\}/g, (space) => (space === '\\,' ? '\u2009' : ','))
    .replace(/\\!/g, '')
    .replace(/\\[;: ]/g, ' ')
    .replace(/(\d)?\\[dtc]?frac(?:\{([^{}]{1,60})\}\{([^{}]{1,60})\}|(\d)(\d))/g, fraction)
    .replace(/\\([A-Za-z]+) ?/g, (_, word: string) => signs[word] ?? (dress.has(word) ? '' : ' '))
    .replace(/[\\{}]/g, '');
}

function fraction(_: string, digit?: string, n?: string, d?: string, shortN?: string, shortD?: string): string {
  return `${digit === undefined ? '' : `${digit} `}${n ?? shortN}/${d ?? shortD}`;
}

/** A star between two digits multiplies; every other star, outer underscores, backticks and `~~` are emphasis. */
function emphasis(line: string): string {
  return line
    .replace(/(?<=\d) ?\*{1,2} ?(?=\d)/g, ' × ')
    .replace(/<sup>/gi, '^')
    .replace(/<sub>/gi, '_')
    .replace(/\*|`|~~|<\/?[a-z]{1,8}>/gi, '')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '');
}
