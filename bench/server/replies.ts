// What the bench's model says: replies made once and sent again and again, so that the server takes as little of the machine as it can.
import { special, tokenize } from '../../test/fakes/tokenizer.ts';

/** Parts of a body in which only the prompt's own ids and numbers are missing. */
export type Reply = { text: string; ids: string; tokens: number };

const openings = [
  'Thanks, that helps.',
  'Hm, I am not sure I follow.',
  'Good, that is what I hoped for.',
  'Wait a moment.',
];
const questions = [
  'Could you go through the second step once more, with the numbers written out?',
  'Would the result be the same if the first shelf were empty?',
  'How much is that for a whole week, when the shop is closed on one day?',
  'Why did you divide there and not earlier?',
];
const closings = [
  'I want to be sure before I order.',
  'Please keep it short.',
  'My colleague got a smaller number.',
  '',
];

/** User turns of 20 to 45 tokens of the fake's tokenizer, as JSON. */
export const userTurns: Reply[] = openings.flatMap((opening) =>
  questions.flatMap((question) => closings.map((closing) => replyOf([opening, question, closing].join(' ').trim()))),
);

function replyOf(text: string): Reply {
  const ids = [...tokenize(text), special.end];
  return { text: JSON.stringify(text), ids: `[${ids.join()}]`, tokens: ids.length };
}

/** The same prompt gets the same reply; a few of its characters tell prompts apart well enough. */
export function replyTo(prompt: string): Reply {
  let hash = prompt.length;
  for (let at = prompt.length - 1; at >= 0; at -= 7) hash = (Math.imul(hash, 31) + prompt.charCodeAt(at)) | 0;
  return userTurns[Math.abs(hash % userTurns.length)] ?? replyOf('Go on.');
}
