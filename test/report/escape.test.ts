import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, oneLine, pictured, terminalSafe } from '../../report/escape.ts';

test.each<[name: string, given: string, shown: string]>([
  ['plain text', 'She has 7 pears.\n\tAnswer: 7', 'She has 7 pears.\n\tAnswer: 7'],
  ['colours', '\x1b[1;31mred\x1b[0m and \x9b32mgreen', 'red and green'],
  ['a window title', 'a\x1b]0;owned\x07b\x1b]2;owned\x1b\\c\x9d0;owned\x9cd', 'abcd'],
  ['a link', '\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['device control', 'a\x1bP+q544e\x1b\\b\x1b_hidden\x1b\\c', 'abc'],
  ['an unfinished title keeps its text', 'a\x1b]0;rest of the answer', 'a0;rest of the answer'],
  ['an unfinished colour', 'a\x1b[31', 'a31'],
  ['a sequence inside a sequence', '\x1b\x1b[31m[31mx', '[31mx'],
  ['reset and charset switches', 'a\x1bcb\x1b(0c', 'abc'],
  ['NUL, backspace, bell, DEL', 'a\0b\bc\x07d\x7fe', 'abcde'],
  ['a carriage return that would overwrite the line', 'true\rfalse\r\nnext', 'truefalse\nnext'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['an override is closed on its line', 'a\u202eb\nc', 'a\u202eb\u202c\nc'],
  ['line and paragraph separators', 'a\u2028\u202eb\u2029c', 'a\n\u202eb\u202c\nc'],
])('for the terminal: %s', (_, given, shown) => {
  expect(terminalSafe(given)).toBe(shown);
});

test.each<[name: string, given: string, shown: string]>([
  [
    'markup',
    `</script><img src=x onerror='a("b")'>&amp;`,
    '&lt;/script&gt;&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;amp;',
  ],
  ['control characters have pictures', 'a\0b\x1b[31mc\x7f\x85\r', 'a␀b␛[31mc␡\n␍'],
  ['line ends and tabs stay', 'a\r\nb\n\tc', 'a\nb\n\tc'],
  ['a lone surrogate', '\udc00<', '\ufffd&lt;'],
  ['an isolate and an override', '\u2067a\u202eb', '\u2067a\u202eb\u202c\u2069'],
])('for HTML: %s', (_, given, shown) => {
  expect(html(given)).toBe(shown);
});

test('in a terminal, what a model wrote shows its controls, and none of them acts', () => {
  expect(pictured('a\0b\x1b[31mc\x7f\x9b2J\r\nd\u2028e\t\ud800')).toBe('a␀b␛[31mc␡\ufffd2J\nd\ne\t\ufffd');
});

test('a name is one line', () => {
  expect(oneLine('  a\n\tb\u2028c\x1b[2Kd  ')).toBe('a b cd');
});

/** Strings rich in what sequences, markup and direction controls are made of. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\x1b', '[', ']', '0', ';', 'm', '\x07', '\x9b', '\x9d', '\x9c', '\\', 'P', '\r', '\n', '\0'),
      fc.constantFrom('<', '>', '"', "'", '&', '</script>', '\u202e', '\u202c', '\u2067', '\u2069', '\ud800', '\udc00'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const controls = new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`);

test('nothing a terminal acts on is left, and cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = terminalSafe(text);
      expect(shown).not.toMatch(controls);
      expect(shown.isWellFormed()).toBe(true);
      expect(terminalSafe(shown)).toBe(shown);
    }),
  );
});

test('no markup is left, and undoing the entities gives the text back', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = html(text);
      expect(shown).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(shown).not.toMatch(controls);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const back = html(text)
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      // Line separators are shown as line ends.
      expect(back).toBe(text.replace(/[\u2028\u2029]/g, '\n'));
    }),
    { examples: [['\u2028']] },
  );
});

test('every direction control opened on a line is closed on it', () => {
  const inits = '\u202a\u202b\u202d\u202e\u2066\u2067\u2068';
  fc.assert(
    fc.property(hostile, (text) => {
      for (const line of html(text).split('\n')) {
        const opened = [...line].filter((character) => inits.includes(character)).length;
        const isolates = [...line].filter((character) => '\u2066\u2067\u2068'.includes(character)).length;
        const popped = [...line].filter((character) => '\u202c\u2069'.includes(character)).length;
        const popIsolates = [...line].filter((character) => character === '\u2069').length;
        expect(popIsolates).toBe(isolates);
        // The end of an isolate ends the embeddings inside it too, so there may be fewer closers, never more.
        expect(popped).toBeLessThanOrEqual(opened);
      }
    }),
  );
});

test.each(['\x9d', '\x1b]', '\x1b[', '\x9b0;', '\u202e', '\x1b', 'a\r\n', '<'])(
  '200 kB of %j take no time to clean',
  (piece) => {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const start = performance.now();
    terminalSafe(text);
    html(text);
    expect(performance.now() - start).toBeLessThan(1000);
  },
);
