// Files as people have them: zipped, marked, from Windows, cut off, the wrong one.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adapt } from '../../../activities/data/adapt.ts';
import { readLines } from '../../../activities/data/lines.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { sha256 } from '../../../domain/records/canonical.ts';
import { folder } from './folder.ts';

async function said(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'fine',
    (error: unknown) => (error instanceof ConfigProblem ? sentence(error) : `not ours: ${String(error)}`),
  );
}

const textOnly = 'Give the data as a text file, as docs/data.md describes it.';
const two = '{"id": "a", "question": "Why?"}\n{"id": "b", "question": "How?"}\n';

test.each<[name: string, content: string | Uint8Array]>([
  ['plain', two],
  ['without a last line end', two.trimEnd()],
  ['with Windows line ends', two.replaceAll('\n', '\r\n')],
  ['with a byte order mark', `\ufeff${two}`],
  ['with blank lines', `\n\n${two.replace('\n', '\n \t\r\n\n')}\n`],
  ['gzip', gzipSync(two)],
  ['gzip in two members', Buffer.concat([gzipSync(two.slice(0, 40)), gzipSync(two.slice(40))])],
  ['gzip with a byte order mark inside', gzipSync(`\ufeff${two}`)],
])('the same items from a file %s', async (_, content) => {
  await using files = await folder();
  const data = await adapt(await files.source('q.jsonl', content));
  expect(data.items.map((item) => [item.id, item.messages[0]?.content])).toEqual([
    ['a', 'Why?'],
    ['b', 'How?'],
  ]);
  expect(data.file).toBe(sha256(typeof content === 'string' ? Buffer.from(content) : content));
});

test('the digest of the items does not depend on how the file is packed', async () => {
  await using files = await folder();
  const plain = await adapt(await files.source('a.jsonl', two));
  const packed = await adapt(await files.source('b.jsonl.gz', gzipSync(`\ufeff${two.replaceAll('\n', '\r\n\r\n')}`)));
  expect([packed.digest, packed.blob]).toEqual([plain.digest, plain.blob]);
  expect(packed.file).not.toBe(plain.file);
});

test('lines keep their numbers through blank ones', async () => {
  await using files = await folder();
  const { lines } = await readLines(await files.source('a', Buffer.from('\n\r\nx\n\n\xff\n', 'latin1')));
  expect(lines).toEqual([
    { number: 3, text: 'x' },
    { number: 5, text: null },
  ]);
});

test('whatever the bytes, the lines of a file are its lines', async () => {
  await using files = await folder();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 8 }),
      fc.boolean(),
      async (written, packed) => {
        const text = written.join('\n').toWellFormed();
        fc.pre(!text.startsWith('\ufeff'));
        const { lines } = await readLines(await files.source('any', packed ? gzipSync(text) : text));
        const expected = text
          .split('\n')
          .flatMap((line, index) => (line.trim() === '' ? [] : [{ number: index + 1, text: line }]));
        expect(lines).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

const zipped = gzipSync(two);
test.each<[name: string, content: string | Uint8Array, sentences: string]>([
  [
    'cut-off gzip',
    zipped.subarray(0, -9),
    'q is gzip that cannot be unpacked to its end.\n  It is cut off or damaged. Get it again.',
  ],
  [
    'the first bytes of gzip alone',
    zipped.subarray(0, 2),
    'q is gzip that cannot be unpacked to its end.\n  It is cut off or damaged. Get it again.',
  ],
  ['UTF-16', Buffer.from(`\ufeff${two}`, 'utf16le'), 'q is UTF-16 text.\n  Save it as UTF-8.'],
  ['nothing', '', 'q holds no items.\n  Is this the right file?'],
  ['blank lines', '\n \n\r\n', 'q holds no items.\n  Is this the right file?'],
  ['a byte order mark alone', '\ufeff', 'q holds no items.\n  Is this the right file?'],
  ['Latin-1', Buffer.from('{"id": "é"}\n', 'latin1'), 'q:1 holds bytes that are no UTF-8.\n  Save the file as UTF-8.'],
  [
    'raw NULs',
    '{"id": "a\0", "question": "b"}\n',
    'q:1 is no JSON at column 10.\n  Every line holds one whole object, { … }.',
  ],
  [
    'half a line',
    `${two}{"id": "c", "ques`,
    'q:3 is no JSON at column 18.\n  Every line holds one whole object, { … }.',
  ],
  [
    'two objects on a line',
    '{"id": "a", "question": "b"} {}\n',
    'q:1 is no JSON at column 30.\n  Every line holds one whole object, { … }.',
  ],
  ['a JSON list', '[{"id": "a", "question": "b"}]', 'q:1 is no JSON object.\n  Every line holds one object, { … }.'],
  ['null', 'null', 'q:1 is no JSON object.\n  Every line holds one object, { … }.'],
  ['a table', 'id,question\n1,Why?\n', 'q:1 is a line of CSV.\n  This set is read from JSON: one object a line.'],
  ['a PDF', '%PDF-1.7\nx\ny\nz\n', `q is a PDF, no text.\n  ${textOnly}`],
  ['a spreadsheet', 'PK\u0003\u0004x\ny\n', `q is a ZIP archive or a spreadsheet, no text.\n  ${textOnly}`],
  ['a binary file', Buffer.from([7, 0, 255, 10, 10, 9, 10]), `q is a binary file, no text.\n  ${textOnly}`],
  [
    'an escape sequence for the terminal',
    '\u001b[31mred',
    'q:1 is no JSON.\n  Every line holds one whole object, { … }.',
  ],
])('%s', async (_, content, sentences) => {
  await using files = await folder();
  expect(await said(adapt(await files.source('q', content)))).toBe(sentences);
});

test('a pretty-printed list is called what it is', async () => {
  await using files = await folder();
  const text = JSON.stringify([{ id: 'a', question: 'b' }], null, 2);
  expect((await said(adapt(await files.source('q', text)))).split('\n').slice(0, 3)).toEqual([
    'q has 6 faults.',
    '  q:1 begins a JSON list.',
    '    Write one object a line, without the list around them.',
  ]);
});

test('another checksum than stated', async () => {
  await using files = await folder();
  const source = await files.source('q', two);
  expect(await said(adapt({ ...source, sha256: sha256(two) }))).toBe('fine');
  expect(await said(adapt({ ...source, sha256: 'a'.repeat(64) }))).toBe(
    `q has the SHA-256 ${sha256(two)}, but ${'a'.repeat(64)} is stated.\n  The file is another one, or was changed. Get the stated one, or state the new checksum.`,
  );
});

test('files that are not there, or no files', async () => {
  await using files = await folder();
  const source = await files.source('q', two);
  await mkdir(join(files.dir, 'sub'));
  await symlink('loop', join(files.dir, 'loop'));
  const missing =
    'does not exist.\n  Give the path of the data file; a relative one counts from the folder of the config.';
  const at = (path: string) => said(adapt({ ...source, shown: path.slice(0, 10), path: join(files.dir, path) }));
  expect(await at('none')).toBe(`none ${missing}`);
  expect(await at('sub')).toBe('sub is a folder.\n  Name the file in it.');
  expect(await at('q/x')).toBe('q/x does not exist.\n  A part of its path is a file, not a folder.');
  expect(await at('loop')).toBe(
    'loop cannot be read: its symbolic links run in a circle.\n  Give the path of the data file itself.',
  );
  expect(await at('n'.repeat(5000))).toBe('nnnnnnnnnn does not exist.\n  Its name is too long for this file system.');
  expect(await at('a\0b')).toBe('a\0b does not exist.\n  Its path holds a NUL character.');
});
