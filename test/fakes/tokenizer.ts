// The fake server's tokenizer: no vocabulary, only arithmetic, so that any JavaScript string comes back exactly.
// Special tokens are one id each, runs of up to four ASCII letters are one, anything else one per UTF-16 code unit.

export const special = { endOfText: 0, start: 1, end: 2 };
const SPECIALS = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
const PIECES = /<\|(?:endoftext|im_start|im_end)\|>|[A-Za-z]{1,4}|[\s\S]/g;

const UNITS = SPECIALS.length;
/** Where runs of 2, 3 and 4 letters begin, and where ids end. */
const RUNS = [0, 0, UNITS + 2 ** 16];
for (const length of [2, 3, 4]) RUNS.push((RUNS[length] ?? 0) + 52 ** length);
const END = RUNS[5] ?? 0;

/** Ids of a text as it stands, special tokens in it recognised. */
export function tokenize(text: string): number[] {
  return (text.match(PIECES) ?? []).map(idOf);
}

/** @throws RangeError  an id that no text gives */
export function detokenize(ids: readonly number[], opts: { specials: 'keep' | 'skip' } = { specials: 'keep' }): string {
  const shown = opts.specials === 'keep' ? ids : ids.filter((id) => id >= SPECIALS.length);
  return shown.map(pieceOf).join('');
}

export function isToken(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && id < END;
}

function idOf(piece: string): number {
  if (piece.length === 1) return UNITS + piece.charCodeAt(0);
  if (piece.length > 4) return SPECIALS.indexOf(piece);
  let number = 0;
  for (const letter of piece) number = number * 52 + letterIndex(letter);
  return (RUNS[piece.length] ?? 0) + number;
}

function pieceOf(id: number): string {
  if (!isToken(id)) throw new RangeError(`${id} is no token`);
  if (id < UNITS) return SPECIALS[id] ?? '';
  if (id < UNITS + 2 ** 16) return String.fromCharCode(id - UNITS);
  const length = [4, 3, 2].find((candidate) => id >= (RUNS[candidate] ?? 0)) ?? 2;
  let number = id - (RUNS[length] ?? 0);
  let piece = '';
  for (let place = 0; place < length; place += 1) {
    piece = letterAt(number % 52) + piece;
    number = Math.floor(number / 52);
  }
  return piece;
}

function letterIndex(letter: string): number {
  const code = letter.charCodeAt(0);
  return code >= 97 ? code - 97 + 26 : code - 65;
}

function letterAt(index: number): string {
  return String.fromCharCode(index >= 26 ? index - 26 + 97 : index + 65);
}
