// One generation: tokens in, tokens out, and where it stopped.
import type { LlamaModel, LlamaSequence, SamplingOptions } from './library.ts';

export type Order = {
  prompt: number[];
  maxTokens: number;
  temperature: number;
  seed: number;
  topP: number;
  /** 0: off. */
  topK: number;
  minP: number;
  presencePenalty: number;
  frequencyPenalty: number;
  repetitionPenalty: number;
  stop: string[];
  stopTokens: number[];
  /** Go on at tokens that end a generation. */
  ignoreEnd: boolean;
  skipSpecialTokens: boolean;
};

/** `ids` ends with the token that stopped it, `text` does not hold it. `reason` is what was asked for that stopped it. */
export type Generated = { ids: number[]; text: string; finish: 'stop' | 'length'; reason: number | string | null };

/**
 * Generates on an emptied sequence, so nothing that ran there before has a say.
 * Looks at the signal between tokens; throws its reason.
 */
export async function generate(
  order: Order,
  { model, sequence, signal }: { model: LlamaModel; sequence: LlamaSequence; signal: AbortSignal },
): Promise<Generated> {
  const ids: number[] = [];
  const text = (tokens: number[]) => model.detokenize(tokens, !order.skipSpecialTokens);
  await sequence.clearHistory();

  for await (const token of sequence.evaluate(order.prompt, samplingOf(order, ids))) {
    signal.throwIfAborted();
    ids.push(token);
    const asked = order.stopTokens.includes(token);
    if (asked || (!order.ignoreEnd && model.isEogToken(token))) {
      return { ids, text: text(ids.slice(0, -1)), finish: 'stop', reason: asked ? token : null };
    }
    const cut = order.stop.length > 0 ? cutAtStop(text(ids), order.stop) : null;
    if (cut) return { ids, text: cut.text, finish: 'stop', reason: cut.stop };
    if (ids.length >= order.maxTokens) break;
  }
  return { ids, text: text(ids), finish: 'length', reason: null };
}

/** The text before the first stop string in it (the longest of those that begin there); null where there is none. */
export function cutAtStop(text: string, stops: string[]): { text: string; stop: string } | null {
  const found = stops
    .map((stop) => ({ stop, at: text.indexOf(stop) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.stop.length - a.stop.length)[0];
  return found ? { text: text.slice(0, found.at), stop: found.stop } : null;
}

/**
 * A seed llama.cpp takes as it is: 32 bits, and not the one value that means "random".
 * Seeds below that value stay themselves, larger and negative ones are folded.
 */
export function engineSeed(seed: number): number {
  const folded = seed % RANDOM_SEED;
  return folded < 0 ? folded + RANDOM_SEED : folded;
}

const RANDOM_SEED = 2 ** 32 - 1;

// llama.cpp cuts by top_k, top_p and min_p before it applies the temperature, vLLM after: with cuts and a temperature
// other than 1 the two sample from different distributions.
function samplingOf(order: Order, generated: number[]): SamplingOptions {
  const { presencePenalty, frequencyPenalty, repetitionPenalty, prompt } = order;
  // As in vLLM, repetition counts the prompt too; presence and frequency count what was generated.
  const counted = repetitionPenalty === 1 ? () => generated : () => [...prompt, ...generated];
  const neutral = presencePenalty === 0 && frequencyPenalty === 0 && repetitionPenalty === 1;
  return {
    temperature: order.temperature,
    seed: engineSeed(order.seed),
    topP: order.topP,
    topK: order.topK,
    minP: order.minP,
    yieldEogToken: true,
    ...(!neutral && {
      repeatPenalty: {
        punishTokens: counted,
        maxPunishTokens: prompt.length + order.maxTokens,
        penalty: repetitionPenalty,
        frequencyPenalty,
        presencePenalty,
      },
    }),
  };
}
