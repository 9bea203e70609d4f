// What the suites about budgets share: a node's price, and when all models wait for more.
import { type Budget, nothing } from '../../domain/plan/budget.ts';
import { until } from '../../local/until.ts';
import type { Script, Stage } from './stage.ts';

/** Tokens of a node. */
export const node = 16 * 30;

export const spentBy = (played: { nodes: unknown[] }) => played.nodes.length * node;

export const budgetOf = (limits: Budget): NonNullable<Script['budget']> => ({ limits, before: nothing });

/** Whether all models come to wait for more. */
export function held(stage: Stage, run: string, models: string[]): Promise<boolean> {
  return until(async () => {
    const seen = await Promise.all(models.map((model) => stage.progressOf(run, model)));
    return seen.every((one) => one?.state === 'paused' && one.paused_by === 'budget');
  }, 40_000);
}
