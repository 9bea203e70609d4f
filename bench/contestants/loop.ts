// A loop of a few lines over a client, as a process of its own: what anybody would write first.
import { benchItems, promptOf } from '../data.ts';
import { runNode } from '../programs.ts';
import type { Contestant } from './contestant.ts';

export type Loop = { url: string; items: number; in_flight: number };

/** A contestant that is one file run by Node. */
export function loopContestant(name: string, file: string): Contestant {
  return {
    name,
    prepare: async () => null,
    async run({ url, items, inFlight, env, profile }) {
      const loop: Loop = { url, items, in_flight: inFlight };
      const said = await runNode([new URL(file, import.meta.url).pathname, JSON.stringify(loop)], { env, profile });
      return { work_ms: (JSON.parse(said) as { work_ms: number }).work_ms, events: null, store_bytes: null };
    },
  };
}

/** Runs `ask` over all prompts, so many at once, and prints how long that took. Every reply must be a text. */
export async function runLoop(open: (loop: Loop) => (prompt: string, index: number) => Promise<string>): Promise<void> {
  const loop = JSON.parse(process.argv[2] ?? '') as Loop;
  const ask = open(loop);
  const prompts = benchItems(loop.items).map(promptOf);
  const replies: string[] = [];
  let next = 0;
  const lane = async () => {
    while (next < prompts.length) {
      const index = next;
      next += 1;
      replies[index] = await ask(prompts[index] ?? '', index);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: loop.in_flight }, lane));
  const work_ms = performance.now() - begun;
  if (replies.length !== loop.items || !replies.every((reply) => reply !== '')) throw new Error('a reply is missing');
  console.log(JSON.stringify({ work_ms }));
}
