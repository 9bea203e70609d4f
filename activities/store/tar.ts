// Tar archives (POSIX ustar, with pax headers for long paths): as plain as they can be, so that any tar reads them.
import { ConfigProblem } from '../../domain/problems.ts';

export type TarEntry = { path: string; bytes: Uint8Array };

const blockSize = 512;
/** What a header holds in octal. */
const mostBytes = 8 ** 11 - 1;

/** The archive's bytes, piece by piece. No clock and no user stands in it: the same entries give the same archive. */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const { path, bytes } of entries) {
    if (namesOf(path) === null) yield* entry('pax', paxPath(path), 'x');
    yield* entry(namesOf(path) === null ? 'long' : path, bytes, '0');
  }
  yield Buffer.alloc(2 * blockSize);
}

function* entry(path: string, bytes: Uint8Array, type: '0' | 'x'): Generator<Uint8Array> {
  yield header(path, bytes.byteLength, type);
  yield bytes;
  yield Buffer.alloc(-bytes.byteLength & (blockSize - 1));
}

function header(path: string, size: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(blockSize);
  const { name, prefix } = namesOf(path) ?? { name: path, prefix: '' };
  if (size > mostBytes) throw new RangeError(`${path} is too large for a tar archive`);
  block.write(name, 0);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  block.write(prefix, 345);
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** Of a header, its own field counted as spaces. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

/** A path in the two fields that a header has for it; null where it does not fit. Paths in a store are ASCII. */
function namesOf(path: string): { name: string; prefix: string } | null {
  if (path.length <= 100) return { name: path, prefix: '' };
  const slash = path.indexOf('/', path.length - 101);
  if (slash < 1 || slash > 155) return null;
  return { name: path.slice(slash + 1), prefix: path.slice(0, slash) };
}

/** A record says its own length, which counts its own digits. */
function paxPath(path: string): Uint8Array {
  const rest = ` path=${path}\n`;
  const digits = String(rest.length + String(rest.length).length).length;
  return Buffer.from(`${rest.length + digits}${rest}`);
}

/** The files of an archive, one in memory at a time. @throws ConfigProblem  it is cut off, or no tar archive */
export async function* tarEntries(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const { take, drain } = taker(pieces);
  let long: string | null = null;
  for (let block = await take(blockSize); block.some((byte) => byte !== 0); block = await take(blockSize)) {
    const size = Number.parseInt(field(block, 124, 12), 8);
    if (checksum(block) !== Number.parseInt(field(block, 148, 8), 8) || !Number.isSafeInteger(size)) throw noArchive();
    const padded = await take(size + (-size & (blockSize - 1)));
    const bytes = padded.subarray(0, size);
    const type = field(block, 156, 1);
    if (type === 'x') long = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(bytes.toString('utf8'))?.[1] ?? null;
    else if (type === '0' || type === '') {
      const prefix = field(block, 345, 155);
      yield { path: long ?? `${prefix === '' ? '' : `${prefix}/`}${field(block, 0, 100)}`, bytes };
      long = null;
    }
  }
  await drain();
}

function field(block: Buffer, start: number, length: number): string {
  const bytes = block.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? length : end).trim();
}

type Taker = { take(n: number): Promise<Buffer>; drain(): Promise<void> };

/** Takes just so many bytes of what comes in pieces. To the end: only there a packer says whether all was right. */
function taker(pieces: AsyncIterable<Uint8Array>): Taker {
  const coming = pieces[Symbol.asyncIterator]();
  let held: Uint8Array[] = [];
  let there = 0;
  const take = async (n: number) => {
    while (there < n) {
      const next = await coming.next();
      if (next.done) throw noArchive();
      held.push(next.value);
      there += next.value.byteLength;
    }
    const all = Buffer.concat(held);
    held = [all.subarray(n)];
    there = all.byteLength - n;
    return all.subarray(0, n);
  };
  const drain = async () => {
    for (let next = await coming.next(); !next.done; next = await coming.next());
  };
  return { take, drain };
}

function noArchive(): ConfigProblem {
  return new ConfigProblem('this is no tar archive, or it is cut off', {
    advice: 'Give a file that uturn export has written, or copy it again.',
  });
}
