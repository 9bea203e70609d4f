// The rules judge: free, deterministic, and silent unless it is sure.
import { type Opening, visiblePart } from '../accuracy/reasoning.ts';
import type { Message } from '../data/item.ts';
import type { RulesThresholds } from '../plan/plan.ts';
import type { Judgement, Label } from '../records/record.ts';
import { strayMarker } from './artifact.ts';
import { type Likeness, likeness } from './restatement.ts';

/** Raised when the same texts would be judged otherwise: part of every judgement's stage key. */
export const rulesSemantics = 1;

/**
 * `overlap`, `subsequence`: shares from which a text is a copy (see `likeness`). `short_characters`: fewer letters and
 * digits than this are no message. At 2, `?` and `a` are none; `ok`, `好`, `Why?` and `Thanks!` are left to others.
 */
export const defaultThresholds: RulesThresholds = { overlap: 0.9, subsequence: 0.9, short_characters: 2 };

/** A judgement that nobody made yet. */
export const undecided: Judgement = {
  label: null,
  genuine: null,
  by: null,
  rationale: 'the rules do not decide this',
  at_odds: false,
};

/** Only a plausible follow-up may be genuine. */
export function labelAllows(label: Label): boolean {
  return label === 'plausible_followup';
}

/**
 * Judges the user turn `u` after the query `q` and the answer `a`. Decides only: nothing said, template markers that
 * the query does not mention, a (nearly) verbatim copy of the last user message or of the answer's visible part.
 * `opening`: what `a` begins with. All else is undecided: label, decision and judge are null, and it never calls anything genuine.
 */
export function judgeByRules(
  q: Message[],
  a: string,
  u: string,
  thresholds = defaultThresholds,
  opening: Opening = { opens: 'answer' },
): Judgement {
  const text = u.trim();
  if (isTooShort(text, thresholds.short_characters)) return decided('degenerate_short', 'holds next to nothing');

  const marker = strayMarker(
    text,
    q.map((message) => message.content),
  );
  if (marker !== null) return decided('malformed_artifact', `contains the template marker ${marker}`);

  const query = q.findLast((message) => message.role === 'user')?.content ?? '';
  const ofQuery = copyOf(text, query, thresholds);
  const ofAnswer = copyOf(text, visiblePart(a, opening) ?? a, thresholds);
  if (ofQuery !== null && ofQuery.subsequence >= (ofAnswer?.subsequence ?? 0)) {
    return decided('previous_turn_restate', `repeats the last user message (${inWords(ofQuery)})`);
  }
  if (ofAnswer !== null) return decided('assistant_turn_restate', `repeats the answer (${inWords(ofAnswer)})`);
  return undecided;
}

function decided(label: Label, rationale: string): Judgement {
  return { label, genuine: labelAllows(label), by: `rules@${rulesSemantics}`, rationale, at_odds: false };
}

/** A letter or digit counts one, a sign that is a word by itself (an ideograph, an emoji) two. */
function isTooShort(text: string, threshold: number): boolean {
  if (text === '') return true;
  // A long row of dashes is strange, not short.
  if (text.length > 4 * threshold) return false;
  const signs = text.match(/[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/gu) ?? [];
  const word = /[\p{Script=Han}\p{Extended_Pictographic}]/u;
  return signs.reduce((sum, sign) => sum + (word.test(sign) ? 2 : 1), 0) < threshold;
}

function copyOf(text: string, source: string, thresholds: RulesThresholds): Likeness | null {
  const found = likeness(text, source);
  if (found === null || found.overlap < thresholds.overlap || found.subsequence < thresholds.subsequence) return null;
  return found;
}

/** Rounded down, so that only a full copy says 100 %. */
function inWords({ overlap, subsequence }: Likeness): string {
  return `${Math.floor(100 * overlap)} % of the words, ${Math.floor(100 * subsequence)} % in order`;
}
