// Texts that break things, by what they are, and items that hold them in every place an item has.
import type { LabItem } from './config.ts';

const controls = Array.from({ length: 0xa0 }, (_, code) => code)
  .filter((code) => code < 0x20 || code >= 0x7f)
  .map((code) => String.fromCharCode(code))
  .join('');

/** All of them may stand in a data file. */
export const hostileTexts: Record<string, string> = {
  empty: '',
  'white space': ' \n\t\u00a0\u3000\r\n ',
  'a NUL': 'before\u0000after',
  'every control character': `a${controls}z`,
  'line ends': 'one\ntwo\rthree\r\nfour\u0085five\u2028six\u2029seven\u000beight\u000cnine',
  'byte order marks': '\ufeffmarked\ufeff',
  'right to left': 'שלום, עולם! كم عدد الأقلام؟ 3 + 4',
  'directions left open': '\u202eexe.gnp \u2067 \u2066\u202d all of it',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇪🇺 1️⃣ \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
  'marks upon marks': `e${'\u0301\u0323\u20dd'.repeat(60)} ﷽`,
  markup: '</script><script>alert(1)</script></bdi><img src=x onerror="alert(1)"> &amp; <!-- ]]> \' "',
  'terminal escapes': '\u001b[2J\u001b[31mred\u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u009b2J\u0090q\u009c',
  'a formula': '=HYPERLINK("http://x","y")\t@SUM(1)',
  'JSON in JSON': '{"a": "b\\"}", "u": "\\u0000\\ud835", n: NaN',
  'names of prototypes': '__proto__ constructor toString',
  'no characters': '\ufffe\uffff\ufdd0\u{10ffff}\ue000\ufffd',
  'astral letters': '𝔘𝔫𝔦 𠀀 \u{1f600}',
};

/** Only a model can say these: no data file holds them, and no UTF-8. */
export const halfCharacters: Record<string, string> = {
  'a high half': 'x \ud835 y',
  'a low half at the end': 'x \udc00',
  'two halves in the wrong order': '\udc00\ud835',
  'halves around a NUL': '\ud83d\u0000\ude00',
};

/** Ids that a file may have; a control, a direction mark or half a character in one is refused. */
export const hostileIds = [
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '<b onclick="x">id</b>',
  '"; DROP TABLE items; --',
  '=1+1',
  '-rf',
  'שלום',
  '👍🏽',
  'é',
  'e\u0301',
  'two words',
  'null',
  '%s%n\\u0000',
];

/** `given`: an answer that comes with the data. `answer` and `user` are what the model is to say. */
export type HostileItem = LabItem & { given: string | null; says: { answer: string; user: string } };

/** Each text once as a question that the model repeats, and once as a given answer. Two files, since all answers are given or none. */
export function hostileItems(): { asked: HostileItem[]; given: HostileItem[] } {
  const texts = Object.entries(hostileTexts);
  const asked = texts.map(([name, text], n) => ({
    id: hostileIds[n] ?? `asked: ${name}`,
    question: text,
    answer: '7',
    given: null,
    says: { answer: `${text}\nAnswer: 7`, user: text },
  }));
  const given = texts.map(([name, text]) => ({
    id: `given: ${name}`,
    question: `What came before ${name}?`,
    answer: '7',
    given: text,
    says: { answer: '', user: text },
  }));
  const halves = Object.entries(halfCharacters).map(([name, text]) => ({
    id: `said: ${name}`,
    question: `Say ${name}.`,
    answer: '7',
    given: null,
    says: { answer: text, user: text },
  }));
  return { asked: [...asked, ...halves], given };
}

export function hostileLines(items: HostileItem[]): string {
  const rows = items.map(({ id, question, answer, given }) => ({
    id,
    messages: [{ role: 'user', content: question }],
    check: 'number',
    answer,
    assistant: given,
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
