// The part of node-llama-cpp we use. Its own types are not here: it is installed into the cache, not beside us.
import { pathToFileURL } from 'node:url';
import { ConfigProblem } from '../../domain/problems.ts';
import type { Engine } from './install.ts';

export type SamplingOptions = {
  temperature: number;
  seed: number;
  topP: number;
  topK: number;
  minP: number;
  repeatPenalty?: {
    punishTokens: () => number[];
    maxPunishTokens: number;
    penalty: number;
    frequencyPenalty: number;
    presencePenalty: number;
  };
  yieldEogToken: boolean;
};

export type LlamaSequence = {
  clearHistory(): Promise<void>;
  evaluate(tokens: number[], options: SamplingOptions): AsyncIterable<number>;
};

export type LlamaModel = {
  readonly tokens: {
    readonly bos: number | null;
    readonly bosString: string | null;
    readonly eos: number | null;
    readonly eosString: string | null;
    readonly shouldPrependBosToken: boolean;
    readonly shouldAppendEosToken: boolean;
  };
  readonly trainContextSize: number;
  readonly typeDescription: string;
  readonly fileInfo: {
    readonly metadata: {
      readonly tokenizer?: { readonly chat_template?: string; readonly ggml: { readonly tokens: unknown[] } };
    };
  };
  /** With `specialTokens`, the text of a special token becomes that token. */
  tokenize(text: string, specialTokens: boolean): number[];
  /** Without `specialTokens`, they are left out. */
  detokenize(tokens: number[], specialTokens: boolean): string;
  isEogToken(token: number): boolean;
  createContext(options: { contextSize: number; sequences: number; threads: number }): Promise<{
    getSequence(): LlamaSequence;
    dispose(): Promise<void>;
  }>;
};

type Llama = { loadModel(options: { modelPath: string; gpuLayers: number }): Promise<LlamaModel> };
type LlamaOptions = { gpu: false | 'metal'; build: 'never'; maxThreads: number; logLevel: 'warn' };
type Library = { getLlama(options: LlamaOptions): Promise<Llama> };

/**
 * Loads a GGUF file onto the CPU.
 * @throws ConfigProblem  the file does not load (damaged, unknown architecture)
 */
export async function loadModel(engine: Engine, file: string): Promise<LlamaModel> {
  const library: Library = await import(pathToFileURL(engine.entry).href);
  // No limit on threads: contexts ask for one each, and the library's own limit would make them wait for each other.
  const llama = await library.getLlama({ gpu: engine.gpu, build: 'never', maxThreads: 0, logLevel: 'warn' });
  try {
    return await llama.loadModel({ modelPath: file, gpuLayers: 0 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigProblem(`${file} cannot be loaded: ${why}`, {
      cause,
      advice: 'Check that the file is whole and of an architecture that llama.cpp knows.',
    });
  }
}

/**
 * `count` places where one text each can be generated. A context of its own for every place: several sequences in one
 * context leak into each other. One thread each: with more, busy cores make the first token wait for seconds.
 */
export async function openSequences(model: LlamaModel, opts: { count: number; contextSize: number }) {
  const sequences: LlamaSequence[] = [];
  for (let opened = 0; opened < opts.count; opened++) {
    const context = await model.createContext({ contextSize: opts.contextSize, sequences: 1, threads: 1 });
    sequences.push(context.getSequence());
  }
  return sequences;
}
