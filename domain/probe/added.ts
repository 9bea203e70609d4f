// Added tokens (`<|im_end|>` and its kind), told from ordinary ones by what a tokenizer does with their neighbours.

/** Token ids of a text as it stands: nothing added, special tokens in it recognised. Null: there is no tokenizer. */
export type Tokenize = (text: string) => Promise<number[] | null>;

/** `start`: where its text stands in the text that was searched. */
export type AddedToken = { id: number; text: string; start: number };

const SEARCHED_CHARACTERS = 400;
// All of ASCII that is seen, and a line break: what ordinary tokens merge with. Each stands on both sides of a marker.
const NEIGHBOURS = ['\n', ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))];

const BEFORE = [
  '  ',
  '\n\n',
  ' \n',
  '\t',
  '\r\n',
  '\u00a0',
  'word',
  'word ',
  'Yes. ',
  '7\n',
  'é',
  'е',
  '好',
  '。',
  '\u0301',
  '😀',
  '\u200d',
  '<s>',
];

/** The first added token of a text, white space passed over; null where there is none (or no tokenizer). */
export async function findAddedToken(text: string, tokenize: Tokenize): Promise<AddedToken | null> {
  const searched = text.slice(0, SEARCHED_CHARACTERS).toWellFormed();
  if (searched.trim() === '') return null;
  const ids = await tokenize(searched);
  if (ids === null) return null;
  const starts = await idsOfStarts(searched, tokenize);
  for (const id of new Set(ids)) {
    const end = starts.findIndex((known) => known.has(id));
    const found = end < 0 ? null : await addedEndingAt(searched.slice(0, end), id, tokenize);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The ids of a text that begins with an added token, where they are the same after whatever stands before it; null
 * otherwise. Tokenizers cut a text at added tokens first: only white space before one, a character that must not stand
 * there, or half a marker could change that, so these are tried, and all of ASCII.
 */
export async function idsAfterAnything(text: string, tokenize: Tokenize): Promise<number[] | null> {
  const added = await findAddedToken(text, tokenize);
  const alone = added?.start === 0 ? await tokenize(text) : null;
  if (added === null || alone === null || alone[0] !== added.id) return null;
  const halves = [1, 2, added.text.length - 1].map((length) => added.text.slice(0, length));
  for (const before of [...NEIGHBOURS, ...BEFORE, added.text, ...halves]) {
    const [start, whole] = [await tokenize(before), await tokenize(before + text)];
    if (start === null || whole === null || !sameIds(whole, [...start, ...alone])) return null;
  }
  return alone;
}

function sameIds(one: number[], other: number[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

/** The ids of every start of the text, by its length. */
async function idsOfStarts(text: string, tokenize: Tokenize): Promise<Set<number>[]> {
  const starts: Set<number>[] = [new Set()];
  for (let length = 1; length <= text.length; length += 1) {
    starts.push(new Set((await tokenize(text.slice(0, length).toWellFormed())) ?? []));
  }
  return starts;
}

async function addedEndingAt(text: string, id: number, tokenize: Tokenize): Promise<AddedToken | null> {
  // One character may well be a token that never merges, so it is no marker.
  for (let start = text.length - 2; start >= 0; start -= 1) {
    const marker = text.slice(start);
    if (await isAddedToken(id, marker, tokenize)) return { id, text: marker, start };
  }
  return null;
}

/**
 * Whether `marker` is the one token `id` whatever stands around it, itself included. A token with a space at its
 * edge is taken for an ordinary word: tokenizers cut before a space anyway, so its neighbours prove nothing.
 */
export async function isAddedToken(id: number, marker: string, tokenize: Tokenize): Promise<boolean> {
  if (marker.trim() !== marker) return false;
  const alone = await tokenize(marker);
  if (alone?.length !== 1 || alone[0] !== id) return false;
  const ids = (await tokenize(NEIGHBOURS.map((sign) => sign + marker + sign).join('') + marker + marker)) ?? [];
  return ids.filter((one) => one === id).length === NEIGHBOURS.length + 2;
}
