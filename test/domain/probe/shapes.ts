// The test templates, rendered by the real engine, and a tokenizer small enough to see through.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jinjaRenderer } from '../../../activities/template/jinja.ts';
import type { Renderer } from '../../../activities/template/renderer.ts';
import type { Message } from '../../../domain/data/item.ts';
import { hashOf } from '../../../domain/records/canonical.ts';
import { toolVenv } from '../../../local/python.ts';

export const { python } = await toolVenv({ report: () => {} });

export const asked: Message[] = [{ role: 'user', content: 'Hello' }];
export const instructed: Message[] = [{ role: 'system', content: 'Be short.' }, ...asked];

/** A file of `templates/`. Each has the shape of a family, in words of our own. */
export function templateOf(shape: string): string {
  return readFileSync(join(import.meta.dirname, 'templates', `${shape}.jinja`), 'utf8');
}

export function rendererOf(shape: string, kwargs: Record<string, unknown> = {}): Renderer {
  return jinjaRenderer({
    python,
    template: templateOf(shape),
    date: '2026-01-02',
    bos_token: '<s>',
    eos_token: '</s>',
    kwargs,
  });
}

export type ToyTokenizer = {
  tokenize(text: string): Promise<number[]>;
  detokenize(ids: number[]): Promise<string>;
  /** The text of each token. */
  pieces(ids: number[]): string[];
};

/**
 * Words with the space before them, single digits, runs of signs that swallow the line breaks after them, white
 * space; and the added tokens, which nothing merges with: the n-th has id n.
 */
export function toyTokenizer(added: string[]): ToyTokenizer {
  const vocabulary = new Map(added.map((token, id) => [id, token]));
  const marker = added.map((token) => token.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('|') || '(?!)';
  const splitter = new RegExp(`(${marker})`, 'u');
  const idOf = (piece: string) => {
    const id = added.includes(piece)
      ? added.indexOf(piece)
      : 100 + (Number.parseInt(hashOf(piece.toWellFormed()).slice(0, 8), 16) % 900_000);
    vocabulary.set(id, piece);
    return id;
  };
  const wordsOf = (text: string) =>
    added.includes(text) ? [text] : (text.match(/ ?\p{L}+|\p{N}|[^\s\p{L}\p{N}]+\n*|\s/gu) ?? []);
  const pieces = (ids: number[]) => ids.map((id) => vocabulary.get(id) ?? '');
  return {
    tokenize: async (text) => text.split(splitter).flatMap(wordsOf).map(idOf),
    detokenize: async (ids) => pieces(ids).join(''),
    pieces,
  };
}

/** Byte-pair merges as real tokenizers have them: words are cut before their space, then pairs are joined by rank. */
export function mergingTokenizer(merges: string[], added: string[]): ToyTokenizer['tokenize'] {
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const words = toyTokenizer(added);
  const joined = (word: string): string[] => {
    const parts = [...word];
    for (;;) {
      const pairs = parts
        .slice(1)
        .map((part, index) => ranks.get(`${parts[index]}+${part}`) ?? Number.POSITIVE_INFINITY);
      const best = Math.min(...pairs);
      if (best === Number.POSITIVE_INFINITY) return parts;
      const at = pairs.indexOf(best);
      parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
    }
  };
  return async (text) => {
    const parts = words
      .pieces(await words.tokenize(text))
      .flatMap((word) => (added.includes(word) ? [word] : joined(word)));
    return (await Promise.all(parts.map((part) => words.tokenize(part)))).flat();
  };
}
