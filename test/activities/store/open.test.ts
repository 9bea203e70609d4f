// What may be given as `store`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openStore } from '../../../activities/store/open.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { temporaryFolder } from './folder.ts';

test('a path and a file: URI are the same store', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'with space ä');
  const uri = pathToFileURL(path).href;
  const opened = [path, uri, uri.replace('file:', 'FILE:'), `file:${path}`].map(
    async (given) => (await openStore(given)).uri,
  );
  expect(await Promise.all(opened)).toEqual([uri, uri, uri, uri]);
});

const advice =
  '\n  A store is a path, a file: URI or an s3: URI, for example ./results, file:///data/results or s3://bucket/results.';

test.each([
  ['s3:', 'store: "s3:": this names no bucket: the name of one has 3 to 63 of a-z, 0-9, "." and "-"'],
  ['s3://', 'store: "s3://": this names no bucket: the name of one has 3 to 63 of a-z, 0-9, "." and "-"'],
  ['s3:///prefix', 'store: "s3:///prefix": this names no bucket: the name of one has 3 to 63 of a-z, 0-9, "." and "-"'],
  [
    's3:bucket/prefix',
    'store: "s3:bucket/prefix": this names no bucket: the name of one has 3 to 63 of a-z, 0-9, "." and "-"',
  ],
  ['s3://bu cket', 'store: "s3://bu cket": this names no bucket: the name of one has 3 to 63 of a-z, 0-9, "." and "-"'],
  ['s3://bucket/a//b', 'store: "s3://bucket/a//b": "a//b" is not a prefix that a store can have'],
  ['s3://bucket/../b', 'store: "s3://bucket/../b": "../b" is not a prefix that a store can have'],
  ['s3://bucket/a?b=c', 'store: "s3://bucket/a?b=c": "a?b=c" is not a prefix that a store can have'],
  ['https://example.org/x', 'store: "https://example.org/x": there is no https: store'],
  ['file://elsewhere/data', 'store: "file://elsewhere/data": this is not a local file: URI'],
  ['file:///data?x=1', 'store: "file:///data?x=1": this is not a local file: URI'],
  ['file:///data#part', 'store: "file:///data#part": this is not a local file: URI'],
  ['file:///a%2Fb', 'store: "file:///a%2Fb": this is not a local file: URI'],
  ['file:', 'store: "file:": "" is not a path'],
  ['', 'store: "": "" is not a path'],
  [' ', 'store: " ": " " is not a path'],
  ['a\0b', 'store: "a\\u0000b": "a\\u0000b" is not a path'],
  ['~/results', 'store: "~/results": only a shell knows what "~" is'],
])('%j is refused with what is allowed', async (given, said) => {
  const problem = await openStore(given).catch((error) => error);
  expect(problem).toBeInstanceOf(ConfigProblem);
  expect(sentence(problem)).toBe(said + advice);
});
