// Answers with something done to them, before their model goes on as the user.
import { openingOf } from '../../domain/accuracy/reasoning.ts';
import { type Condition, questionFor, tokensToDrop } from '../../domain/perturbation/condition.ts';
import { aroundVisible, cutTokens } from '../../domain/perturbation/cut.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import type { PerturbedTurn, Turn } from '../../domain/records/record.ts';
import { exactText, storeText } from '../../domain/records/text.ts';
import type { ModelServer } from './completion.ts';

type Tokens = Pick<ModelServer, 'tokenize' | 'detokenize' | 'url'>;

/**
 * The answer under a condition. What its reader does not see stays, but for an end of turn, which nobody wrote after the change. One
 * that ends inside its reasoning has nothing to be changed. Token ids stay where the rest of them is still what they say.
 * @throws ConfigProblem  its model's server cannot tokenise
 */
export async function perturbed(
  answer: Turn,
  { condition, item, seed }: { condition: Condition; item: string; seed: number },
  tokens: Tokens,
): Promise<PerturbedTurn> {
  const text = exactText(answer);
  const around = aroundVisible(text, openingOf(answer));
  if (condition.kind === 'question')
    return around === null
      ? { ...answer, tokens: 0, cut: null }
      : changed(answer, { text: around.before + around.visible + questionFor(item, seed), ids: null, cut: null });
  if (around === null) return { ...answer, tokens: 0, cut: { tokens: 0, kept: 0 } };

  const cut = await cutTokens(around.visible, (n) => tokensToDrop(condition, n), tokens);
  if (cut === null)
    throw new ConfigProblem(`${tokens.url} cannot tokenise, and answers are cut by their model's tokens`, {
      advice: 'Use a server with /tokenize, such as vLLM, or take cuts and `truncated` out of the conditions.',
    });
  const left = around.before + cut.text;
  const ids = await idsLeft(answer.ids, { left, dropped: cut.tokens - cut.kept, tokens });
  return changed(answer, { text: left, ids, cut: { tokens: cut.tokens, kept: cut.kept } });
}

type Change = Pick<PerturbedTurn, 'ids' | 'cut'> & { text: string };

function changed(answer: Turn, { text, ...change }: Change): PerturbedTurn {
  const { finish, prompt, seed } = answer;
  return { ...storeText(text), finish, prompt, seed, tokens: 0, ...change };
}

/** A model may end its turn with a mark or two. */
const endTokens = 2;

/** The first of an answer's own ids, where they say just what is left of it. */
async function idsLeft(
  ids: number[] | null,
  { left, dropped, tokens }: { left: string; dropped: number; tokens: Tokens },
): Promise<number[] | null> {
  for (let ends = 0; ids !== null && ends <= endTokens; ends += 1) {
    const some = ids.slice(0, Math.max(0, ids.length - dropped - ends));
    if ((some.length === 0 ? '' : await tokens.detokenize(some)) === left) return some;
  }
  return null;
}
