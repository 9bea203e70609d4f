// Conversations to read. Every text here was written by a model or came with the data: escaped, contained, cut at a limit.
import type { Conversation, Summary } from '../../domain/summary.ts';
import type { Chosen } from '../conversations.ts';
import { grouped } from '../numbers.ts';
import { withheldConversation } from '../withheld.ts';
import { filterBar } from './filters.ts';
import { words } from './labels.ts';
import { type Markup, markup, type Piece } from './markup.ts';

export function conversationSection({ run, provenance }: Summary, { shown, among, of }: Chosen): Markup {
  // Most likely they are withheld already; no page depends on it.
  const withheld = new Set(provenance.data.flatMap((data) => (data.private ? [data.id] : [])));
  const conversations = shown.map((one) => (withheld.has(one.data) && !one.withheld ? withheldConversation(one) : one));
  const samples = conversations.some(({ sample }) => sample > 0) ? 'numbered' : 'single';
  const longest = longestFor(conversations);
  return markup`<section id="conversations" aria-labelledby="conversations-title">
<h2 id="conversations-title">Conversations</h2>
${
  conversations.length < of
    ? markup`<p>Here are ${grouped(conversations.length)} of ${grouped(of)}${
        among < of ? `, chosen among the ${grouped(among)} in blocks that the plan’s seed drew` : ''
      }: what failed first, then a spread over answers and labels in every cell. They are to be read, not counted.
All of them are in the records: <code>uturn records ${run} --text</code>.</p>
`
    : null
}${
  conversations.length === 0
    ? markup`<p>None were put into this report.</p>`
    : markup`${filters(conversations)}
${conversations.length > 60 ? markup`<p class="note printed-only">In print stand the first 40 of those that were on the screen.</p>` : null}
<div class="conversations${conversations.length > 60 ? ' many' : null}">
${conversations.map((one, at) => article(one, { id: `c${at + 1}`, samples, longest }))}
</div>`
}
</section>`;
}

/** Characters of conversations that a page holds, and those of one text, which the records have whole. */
const mostCharacters = 1_500_000;
const mostOfText = 20_000;
const fewestOfText = 500;

/** As many characters of each text as leave the page's size in bounds. */
function longestFor(conversations: Conversation[]): number {
  const lengths = conversations.flatMap((one) => [
    ...one.messages.map(({ content }) => content.length),
    one.assistant?.length ?? 0,
    one.user?.length ?? 0,
  ]);
  const total = (longest: number) => lengths.reduce((sum, length) => sum + Math.min(length, longest), 0);
  const lengthsToTry = [mostOfText, 12_000, 8_000, 5_000, 3_000, 2_000, 1_200, 800];
  return lengthsToTry.find((longest) => total(longest) <= mostCharacters) ?? fewestOfText;
}

function filters(conversations: Conversation[]): Markup | null {
  const sorted = (values: string[]) => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const { length } = conversations;
  return filterBar(
    'Filter conversations',
    [
      { field: 'outcome', name: 'Answer', values: sorted(conversations.map(outcomeOf)) },
      { field: 'label', name: 'User turn', values: sorted(conversations.map(labelOf)) },
    ],
    markup`<label class="wide">Text contains <input type="search" data-filter="text" autocomplete="off" spellcheck="false"></label>
<p class="count" role="status" aria-live="polite">${length} of ${length} shown</p>`,
  );
}

function outcomeOf({ outcome }: Conversation): string {
  return outcome ?? 'not checked';
}

function labelOf({ label, error, user, withheld }: Conversation): string {
  if (label !== null) return label;
  if (error !== null) return 'error';
  return (withheld?.user_turn ?? user) === null ? 'pending' : 'undecided';
}

type Article = { id: string; samples: 'single' | 'numbered'; longest: number };

function article(one: Conversation, { id, samples, longest }: Article): Markup {
  const outcome = outcomeOf(one);
  const label = labelOf(one);
  return markup`<article id="${id}" aria-labelledby="${id}-title" data-model="${one.model}" data-data="${one.data}" data-temperature="${one.temperature}" data-outcome="${outcome}" data-label="${label}">
<header>
<h3 id="${id}-title"><a href="#${id}"><bdi>${one.item}</bdi></a>${samples === 'single' ? null : markup` <span class="sample">sample ${one.sample}</span>`}</h3>
<p class="where"><bdi>${one.model}</bdi> on <bdi>${one.data}</bdi>, <i>T</i> = ${one.temperature}</p>
<p class="badges"><span class="badge outcome ${slug(outcome)}">answer: ${outcome}</span> <span class="badge ${decision(one)}">user turn: ${words(label)}</span></p>
</header>
${one.withheld === undefined ? turns(one, longest) : digests(one.withheld)}
${one.error === null ? null : markup`<p class="error"><strong>Failed:</strong> <bdi>${one.error}</bdi></p>`}
</article>
`;
}

function turns(one: Conversation, longest: number): Piece {
  return [
    one.messages.map(({ role, content }) => turn({ kind: role, who: speakers[role], text: content, longest })),
    one.assistant === null
      ? null
      : turn({
          kind: 'assistant',
          who: one.finish.assistant === 'given' ? markup`Assistant, <em>as it came with the data</em>` : 'Assistant',
          text: one.assistant,
          longest,
          foot: [cutOff(one.finish.assistant), checked(one)],
        }),
    one.user === null
      ? null
      : turn({
          kind: 'written',
          who: markup`User, <em>as written by the model</em>`,
          text: one.user,
          longest,
          foot: [cutOff(one.finish.user), judged(one)],
        }),
  ];
}

/** Of a data set that is private. */
function digests({ question, answer, user_turn }: NonNullable<Conversation['withheld']>): Markup {
  const row = (what: string, digest: string | null) =>
    digest === null ? null : markup`<br>${what} <code>${digest}</code>`;
  return markup`<p class="note">The texts of this data set are private: in their place stand their SHA-256.${row(
    'question',
    question,
  )}${row('answer', answer)}${row('user turn', user_turn)}</p>`;
}

const speakers = { system: 'System', user: 'User', assistant: 'Assistant' };

function cutOff(finish: Conversation['finish']['user']): Piece {
  return finish === 'length' ? markup`cut off at its token limit` : null;
}

function checked({ extracted, expected, reason, outcome }: Conversation): Markup | null {
  if (expected === null || outcome === null || outcome === 'error') return null;
  if (extracted === null && reason !== null) {
    return markup`${clipped(reason, 200)}; expected is <b><bdi>${clipped(expected, 200)}</bdi></b>`;
  }
  const found =
    extracted === null ? 'no answer was found' : markup`read as <b><bdi>${clipped(extracted, 200)}</bdi></b>`;
  return markup`${found}; expected is <b><bdi>${clipped(expected, 200)}</bdi></b>`;
}

function judged({ by, genuine }: Conversation): Markup | null {
  if (by === null || genuine === null) return markup`no judge decided`;
  return markup`${genuine ? 'genuine' : 'not genuine'}, by ${by}`;
}

function decision({ genuine, error }: Conversation): string {
  if (genuine !== null) return genuine ? 'genuine' : 'artifact';
  return error === null ? 'undecided' : 'error';
}

type Shown = { kind: string; who: Piece; text: string; longest: number; foot?: Piece[] };

function turn({ kind, who, text, longest, foot = [] }: Shown): Markup {
  const notes = foot.filter((note) => note !== null);
  const scrolls = text.length > 900 || text.split('\n', 16).length > 15;
  return markup`<div class="turn ${kind}"><p class="who">${who}</p>
<div class="text${scrolls ? ' long' : ''}" dir="auto"${scrolls ? markup` tabindex="0"` : null}>${
    text.trim() === ''
      ? markup`<span class="empty">${text === '' ? 'empty' : 'white space only'}</span>`
      : clipped(text, longest)
  }</div>${text.length > longest ? markup`<p class="foot">${grouped(text.length - longest)} more characters are in the records.</p>` : null}${
    notes.length === 0 ? null : markup`<p class="foot">${notes.map((note, at) => [at === 0 ? null : '; ', note])}</p>`
  }</div>
`;
}

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function slug(word: string): string {
  return word.replaceAll(' ', '-');
}
