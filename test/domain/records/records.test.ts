import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, hashOf, sha256, shortHashOf } from '../../../domain/records/canonical.ts';
import { type Meta, makeRecord, type Result } from '../../../domain/records/record.ts';
import { exactText, storeText, wellFormed } from '../../../domain/records/text.ts';

const anyText = fc.string({ unit: 'binary' }).map((text) => text) as fc.Arbitrary<string>;
const utf16 = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

test('any string comes back exactly, and what is shown is always well-formed', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, utf16), (original) => {
      const stored = storeText(original);
      expect(stored.text.isWellFormed()).toBe(true);
      expect(exactText(stored)).toBe(original);
      expect(exactText(JSON.parse(Buffer.from(JSON.stringify(stored)).toString()))).toBe(original);
      expect('utf16' in stored).toBe(!original.isWellFormed());
    }),
  );
});

test('canonical JSON is that of RFC 8785: sorted keys, shortest numbers, plain text', () => {
  expect(canonicalJson({ b: 1.0, a: [1e21, -0, 0.1, 'ü\n\u0000'], 10: null, 9: true })).toBe(
    '{"10":null,"9":true,"a":[1e+21,0,0.1,"ü\\n\\u0000"],"b":1}',
  );
});

test('whatever the value, its canonical JSON is the library’s, and what the library refuses is refused', () => {
  const odd = fc.constantFrom<unknown>(
    undefined,
    Number.NaN,
    Infinity,
    -0,
    1e21,
    5e-324,
    2 ** 53,
    '\ud835',
    new Date(0),
    Symbol('s'),
  );
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom(
      '10',
      '9',
      '01',
      '-1',
      '1.5',
      '__proto__',
      'toJSON',
      'constructor',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
      '\udead',
    ),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.array(fc.integer(), { maxLength: 5 }),
      fc.double(),
      utf16,
      odd,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 5, noNullPrototype: false }),
    ),
  }));
  const outcome = (text: () => string | undefined) => {
    try {
      return text() ?? 'none';
    } catch {
      return 'none';
    }
  };
  fc.assert(
    fc.property(value, (any) => {
      expect(outcome(() => canonicalJson(any))).toBe(outcome(() => canonicalize(any)));
    }),
    { numRuns: 2_000 },
  );
});

test('a hash is SHA-256 over the canonical text, whatever the order of keys', () => {
  const expected = createHash('sha256').update('{"a":1,"b":[2]}').digest('hex');
  expect(hashOf({ b: [2], a: 1 })).toBe(expected);
  expect(shortHashOf({ a: 1, b: [2] })).toBe(expected.slice(0, 32));
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('what JSON cannot hold has no hash', () => {
  expect(() => hashOf(undefined)).toThrow(TypeError);
  expect(() => hashOf({ a: Number.NaN })).toThrow();
});

const meta: Meta = { attempt: 'a.1.1', at: '2026-01-01T00:00:00.000Z', ms: 5, host: 'h', requests: 1 };
const result: Result<{ text: string }> = {
  stage: 'user_turn',
  key: 'k',
  item: 'i',
  sample: 0,
  from: null,
  status: 'ok',
  body: { text: 'Why?' },
};

test('a record’s hash is of its result alone', () => {
  const one = makeRecord(result, meta);
  expect(one).toEqual({ format: 1, hash: hashOf(result), result, meta });
  expect(makeRecord(result, { ...meta, ms: 900, attempt: 'b.1.2', host: 'other' }).hash).toBe(one.hash);
  expect(makeRecord({ ...result, body: { text: 'Why not?' } }, meta).hash).not.toBe(one.hash);
});

test('a lone surrogate in an error message neither stops a record nor survives in it', () => {
  const record = makeRecord(
    { ...result, status: 'error', error: { kind: 'refused', message: 'bad \ud835 here' } },
    meta,
  );
  expect(record.result).toMatchObject({ error: { message: 'bad \ufffd here' } });
  expect(record.hash).toBe(hashOf(record.result));
});

test('making a value well-formed changes nothing else of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value).toWellFormed());
      fc.pre(JSON.stringify(value).isWellFormed());
      expect(wellFormed(plain)).toEqual(plain);
    }),
  );
});
