// Template markers and channel scaffolding: what a model writes when it leaves the conversation's text.

/** Spelled as templates spell them, so that `<b>`, `[1]` or `a <| b` in a person's text are none. */
const markers = new RegExp(
  [
    String.raw`<\|[\w./-]{1,40}\|>`,
    String.raw`<｜[^｜<>\s]{1,40}｜>`,
    String.raw`\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|THINK)\]`,
    '<</?SYS>>',
    '</?(?:start_of_turn|end_of_turn|think|thinking|seed:think|tool_call|tool_response|bos|eos|pad|unk)>',
    '</s>',
    // What is left of channels where special tokens were dropped.
    String.raw`\bassistant(?:final|analysis|commentary)(?![a-z])`,
  ].join('|'),
  'g',
);

/** The first marker in `text` that is in none of `known` (somebody may well talk about markers). */
export function strayMarker(text: string, known: string[]): string | null {
  const seen = new Set<string>();
  for (const [marker] of text.matchAll(markers)) {
    if (seen.has(marker)) continue;
    seen.add(marker);
    if (!known.some((each) => each.includes(marker))) return marker;
  }
  return null;
}
