// The user turn's prompt of an ablation, as one engine makes it.
import { type Answered, type Rerendering, reasoningHabits, rerendered } from '../../domain/probe/history.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { plainConversations, type Renderer } from '../template/renderer.ts';
import { RequestRefused } from './completion.ts';

/** A template that refuses one answer is that item's error (`template`): the next one may suit it. */
export function promptsAnew(how: Rerendering, renderer: Renderer): (at: Omit<Answered, 'field'>) => Promise<string> {
  const habits = once(() => reasoningHabits(plainConversations[0] ?? [], renderer.render));
  return async (at) => {
    const { field } = await habits();
    return rerendered(how, { ...at, field }, renderer.render).catch((problem: unknown) => {
      if (problem instanceof ConfigProblem) throw new RequestRefused('template', problem.message);
      throw problem;
    });
  };
}

/** A failure is not remembered: a server may have been away. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((problem: unknown) => {
      made = null;
      throw problem;
    });
    return made;
  };
}
