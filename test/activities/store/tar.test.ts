import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TarEntry, tarEntries, tarOf } from '../../../activities/store/tar.ts';
import { runCommand } from '../../../local/command.ts';
import { temporaryFolder } from './folder.ts';

async function* each<T>(things: T[]): AsyncGenerator<T> {
  yield* things;
}

async function all<T>(things: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const thing of things) found.push(thing);
  return found;
}

const tarred = async (entries: TarEntry[]) => Buffer.concat(await all(tarOf(each(entries))));

/** Cut into pieces, as streams do. */
function pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const starts = Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, n) => n * size);
  return each(starts.map((start) => bytes.subarray(start, start + size)));
}

const name = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.'), minLength: 1, maxLength: 120 });
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

test('what goes into an archive comes out of it, whatever the lengths and however it is cut', async () => {
  const entry = fc.record({ path, bytes: fc.uint8Array({ maxLength: 1_500 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 6 }), fc.integer({ min: 1, max: 2_000 }), async (entries, size) => {
      const back = await all(tarEntries(pieces(await tarred(entries), size)));
      expect(back.map((one) => [one.path, Buffer.from(one.bytes)])).toEqual(
        entries.map((one) => [one.path, Buffer.from(one.bytes)]),
      );
    }),
    { numRuns: 60 },
  );
});

test('another program reads it: names of every length, and what is in them', async () => {
  const long = 'n'.repeat(90);
  const paths = [
    'a',
    `${long}/${long}`,
    `${'d/'.repeat(70)}${long}`,
    'x'.repeat(101),
    `${long}/${long}/${long}/${long}`,
  ];
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'a.tar');
  await writeFile(file, await tarred(paths.map((path, n) => ({ path, bytes: Buffer.from(`bytes ${n}`) }))));
  const read =
    'import sys,tarfile,json\nt=tarfile.open(sys.argv[1])\nprint(json.dumps([[m.name,t.extractfile(m).read().decode(),m.mtime,m.mode] for m in t]))';
  const { stdout } = await runCommand('python3', ['-c', read, file]);
  expect(JSON.parse(stdout)).toEqual(paths.map((path, n) => [path, `bytes ${n}`, 0, 0o644]));
});

test('an archive that is cut off anywhere is refused, and so is one that is none', async () => {
  const whole = await tarred([{ path: 'a', bytes: Buffer.from('some bytes') }]);
  for (const length of [0, 100, 512, 600, 1_023]) {
    await expect(all(tarEntries(pieces(whole.subarray(0, length), 512)))).rejects.toThrow('is cut off');
  }
  await expect(all(tarEntries(each([Buffer.alloc(1_024, 'x')])))).rejects.toThrow('no tar archive');
});
