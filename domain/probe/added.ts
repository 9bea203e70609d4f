// Added tokens (`<|im_end|>` and its kind), told from ordinary ones by what a tokenizer does with their neighbours.

/** Token ids of a text as it stands: nothing added, special tokens in it recognised. Null: there is no tokenizer. */
export type Tokenize = (text: string) => Promise<number[] | null>;

/** `start`: where its text stands in the text that was searched. */
export type AddedToken = { id: number; text: string; start: number };

const SEARCHED_CHARACTERS = 400;
// Letters, digits, signs and spaces that ordinary tokens merge with; each stands on both sides of the marker.
const NEIGHBOURS = [...'aeinorstxyAEINORSTXY019.,:;-_/|#*=!?<>[](){} \n'];

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
    if (found !== null && found.text.trim() !== '') return found;
  }
  return null;
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

/** Whether `marker` is the one token `id` whatever stands around it, itself included. */
export async function isAddedToken(id: number, marker: string, tokenize: Tokenize): Promise<boolean> {
  const own = [marker[0] ?? '', marker.at(-1) ?? ''];
  const around = [...NEIGHBOURS, ...own];
  const ids = (await tokenize(around.map((sign) => sign + marker + sign).join('') + marker)) ?? [];
  return ids.filter((one) => one === id).length === around.length + 1 && (await tokenize(marker))?.includes(id) === true;
}
