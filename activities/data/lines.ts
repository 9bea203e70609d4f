// A data file's bytes as lines of text: plain or gzip, checked, nothing guessed.
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { sha256 } from '../../domain/records/canonical.ts';

/**
 * `text` is null where the bytes are no UTF-8. `number` counts from 1, blank lines included. `column`: only of an element
 * of a list, which may begin inside a line and go on over more: characters before it.
 */
export type Line = { number: number; text: string | null; column?: number };

/** `file`: SHA-256 of the bytes as they lie on the disk. `content`: of the bytes after gunzip. */
export type DataFile = { file: string; content: string; lines: Line[] };

/** With the bytes after gunzip, for formats that are not read line by line. */
export type WholeFile = DataFile & { bytes: Uint8Array };

/** `shown` is how sentences name the file; `sha256` what its bytes must hash to, if that is stated. */
export type FilePlace = { path: string; shown: string; sha256: string | null };

const largest = 512 * 1024 * 1024;

/**
 * The lines of a file that are not blank.
 * @throws ConfigProblem  no such file, a folder, not readable, another checksum than stated, broken gzip, too large
 * @throws WorldProblem `disk`
 */
export async function readLines(at: FilePlace): Promise<WholeFile> {
  const bytes = await readWhole(at);
  const file = sha256(bytes);
  if (at.sha256 !== null && at.sha256 !== file) {
    throw problem(
      at,
      `has the SHA-256 ${file}, but ${at.sha256} is stated.`,
      'The file is another one, or was changed. Get the stated one, or state the new checksum.',
    );
  }
  const content = isGzip(bytes) ? await unzipped(bytes, at) : bytes;
  if (isUtf16(content)) throw problem(at, 'is UTF-16 text.', 'Save it as UTF-8.');
  const kind = binaryKind(content);
  if (kind !== null)
    throw problem(at, `is ${kind}, no text.`, 'Give the data as a text file, as docs/data.md describes it.');
  return { file, content: content === bytes ? file : sha256(content), lines: linesOf(content), bytes: content };
}

async function readWhole(at: FilePlace): Promise<Uint8Array> {
  try {
    return await readFile(at.path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const known: Record<string, [message: string, advice: string]> = {
      ENOENT: [
        'does not exist.',
        'Give the path of the data file; a relative one counts from the folder of the config.',
      ],
      ENOTDIR: ['does not exist.', 'A part of its path is a file, not a folder.'],
      EISDIR: ['is a folder.', 'Name the file in it.'],
      EACCES: ['may not be read by this user.', 'Give this user the right to read it.'],
      EPERM: ['may not be read by this user.', 'Give this user the right to read it.'],
      ENAMETOOLONG: ['does not exist.', 'Its name is too long for this file system.'],
      ELOOP: ['cannot be read: its symbolic links run in a circle.', 'Give the path of the data file itself.'],
      ERR_INVALID_ARG_VALUE: ['does not exist.', 'Its path holds a NUL character.'],
      ERR_FS_FILE_TOO_LARGE: ['is larger than uturn reads.', 'Split it into several files, each its own data set.'],
    };
    const [message, advice] = known[code] ?? [];
    if (message === undefined) throw new WorldProblem('disk', `${at.shown}: ${String(cause)}`, { cause });
    throw problem(at, message, advice ?? '', cause);
  }
}

async function unzipped(bytes: Uint8Array, at: FilePlace): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: largest });
  } catch (cause) {
    const tooLarge = cause instanceof RangeError;
    throw tooLarge
      ? problem(
          at,
          'is larger than 512 MiB when unpacked.',
          'Split it into several files, each its own data set.',
          cause,
        )
      : problem(at, 'is gzip that cannot be unpacked to its end.', 'It is cut off or damaged. Get it again.', cause);
  }
}

function problem(at: FilePlace, message: string, advice: string, cause?: unknown): ConfigProblem {
  return new ConfigProblem(message, { place: { file: at.shown }, advice, ...(cause !== undefined && { cause }) });
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** What the bytes are where they are no text at all; a NUL inside of JSON is that line's fault. */
function binaryKind(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1_000)).toString('latin1');
  if (head.startsWith('%PDF-')) return 'a PDF';
  if (head.startsWith('PK\u0003\u0004')) return 'a ZIP archive or a spreadsheet';
  if (head.startsWith('PAR1')) return 'a Parquet file';
  return head.includes('\0') && !/^(?:\u00ef\u00bb\u00bf)?\s*[{[]/.test(head) ? 'a binary file' : null;
}

/**
 * Decoded line by line, so that one bad byte has a line number. A line feed is never part of a longer character in
 * UTF-8.
 */
function linesOf(bytes: Uint8Array): Line[] {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const lines: Line[] = [];
  let start = hasMark ? 3 : 0;
  for (let number = 1; start < bytes.length; number++) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    const text = decoded(decoder, bytes.subarray(start, end));
    if (text === null || text.trim() !== '') lines.push({ number, text });
    start = end + 1;
  }
  return lines;
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
