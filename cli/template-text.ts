// A template's report for a terminal. Nothing in it can move the cursor or hide: control characters are escapes.
import type { Habits } from '../activities/template/habits.ts';
import type { Probe, TemplateReport } from '../activities/template/show.ts';
import type { Stops } from '../domain/probe/stops.ts';
import { visible } from '../domain/probe/visible.ts';
import { displayWidth } from '../report/width.ts';

const WIDTH = 80;
const NAMES = 18;

export function templateText(report: TemplateReport): string {
  const { probe, template, date } = report;
  const rendered = template.source === 'jinja' ? 'jinja2' : 'the model’s server';
  const lines = [
    ...sentenceUnder(
      '',
      `${visible(report.model)}: chat template ${template.sha256.slice(0, 12)}, rendered by ${rendered}`,
      2,
    ),
    ...named('date', date === null ? 'prints none' : `printed; frozen at ${date}`),
    ...(probe === null ? [] : probeLines(probe)),
    ...serverLines(report.server),
    ...report.problems.flatMap(problemLines),
    ...(probe === null ? [] : ['', ...prompt(probe)]),
  ];
  return `${lines.join('\n')}\n`;
}

function probeLines({ stops, bridge, ...habits }: Probe): string[] {
  const { opening, generationPrompt } = habits;
  return [
    ...named('white space', habits.trims ? 'taken away around what is said' : 'kept around what is said'),
    ...(habits.earlier === 'lost' ? named('earlier turns', 'left out') : []),
    ...named('system message', systemWords[habits.system]),
    ...named('reasoning', reasoningWords(habits.reasoning)),
    ...(opening === '' ? named('begins with', 'the question itself') : printed('begins with', opening)),
    ...(generationPrompt === null
      ? named('answer opens with', 'no header that can be told')
      : printed('answer opens with', generationPrompt)),
    ...named('answer ends at', stopWords(stops.assistant)),
    ...printed('bridge', bridge),
    ...named('user turn ends at', stopWords(stops.user)),
  ];
}

const systemWords: Record<Habits['system'], string> = {
  'own turn': 'stands in a turn of its own',
  'first user turn': 'is put into the first user turn',
  'last user turn': 'is put into the last user turn, so into the bridge',
  dropped: 'is left out',
  refused: 'is refused',
};

function reasoningWords({ field, history, opens }: Habits['reasoning']): string {
  const where = field === null ? 'known from the text alone' : `looked for in ${field}`;
  const later = history === 'kept' ? 'kept in the history' : 'left out of the history';
  const opened = opens === '' ? '' : `; the prompt opens it: ${visible(opens)}`;
  return `${where}, ${later}${opened}`;
}

function serverLines(server: TemplateReport['server']): string[] {
  if (server === null) return [];
  if (server.same) return named('its server', 'renders plain conversations the same');
  const side = (text: string | null) => (text === null ? named('', 'refused') : printed('', text));
  return [
    ...named('its server', 'renders otherwise; ours, then the server’s:'),
    ...side(server.ours),
    ...side(server.theirs),
  ];
}

function prompt({ pieces }: Probe): string[] {
  const tokens = pieces.some((piece) => piece.id !== null);
  return [
    tokens ? 'Prompt of a user turn:' : 'Prompt of a user turn, as text (there is no tokenizer here):',
    ...pieces.flatMap(({ what, id, text }) =>
      textUnder(`  ${what.padEnd(8)}${tokens ? String(id ?? '-').padStart(8) : ''}  `, visible(text)),
    ),
  ];
}

function problemLines(problem: string): string[] {
  const [first = '', ...advice] = problem.split('\n').map((line) => line.trim());
  return [...sentenceUnder('Problem: ', first, 2), ...advice.flatMap((line) => sentenceUnder('  ', line))];
}

function stopWords({ ids, markers }: Stops): string {
  const shown = markers.map(visible).join('  ');
  return ids.length > 0 ? `${shown}  (token ids ${ids.join(', ')})` : `${shown}  (as text)`;
}

function named(name: string, value: string): string[] {
  return sentenceUnder(head(name), value);
}

function printed(name: string, text: string): string[] {
  return textUnder(head(name), visible(text));
}

function head(name: string): string {
  return `  ${name.padEnd(NAMES)}  `;
}

/** A sentence behind its head, broken between words. */
function sentenceUnder(head: string, text: string, indent = head.length): string[] {
  const lines: string[] = [];
  let line = head;
  for (const word of text.split(' ')) {
    const longer = line === head ? head + word : `${line} ${word}`;
    if (displayWidth(longer) <= WIDTH || line === head) {
      line = longer;
    } else {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    }
  }
  return [...lines, line];
}

/** What a template prints, behind its head: every character counts, so a line is full before the next begins. */
function textUnder(head: string, text: string): string[] {
  const lines: string[] = [];
  let line = head;
  // An escape stays in one piece.
  for (const sign of text.match(/\\u\{[0-9a-f]+\}|\\.|./gu) ?? []) {
    if (displayWidth(line + sign) > WIDTH) {
      lines.push(line);
      line = ' '.repeat(head.length);
    }
    line += sign;
  }
  return [...lines, line];
}
