// HealthBench as published: `prompt_id`, and `prompt`, a conversation that ends with a user turn. Rubrics are not read.
import { z } from 'zod';
import { elementLines } from '../elements.ts';
import { isId, onceEach } from '../ids.ts';
import type { WholeFile } from '../lines.ts';
import { fromRows, wholeText } from '../rows.ts';
import { conversationsOf, heldOut, lateSystem, messageList } from './conversation.ts';

const row = z.object({
  prompt_id: wholeText().min(1).refine(isId, 'is no id: up to 200 printable characters on one line.'),
  prompt: messageList,
});

export function healthbench(data: WholeFile, shown: string) {
  const seen = onceEach('prompt_id');
  const { items, problems } = fromRows(elementLines(data), row, {
    shown,
    make: ({ value: { prompt_id, prompt }, line }) => {
      const faults = [...seen(prompt_id, line), ...lateSystem(prompt, 'prompt')];
      if (prompt.at(-1)?.role !== 'user') {
        const advice = 'The last message is what the user said in the end.';
        faults.push({ path: ['prompt', prompt.length - 1, 'role'], message: 'is not user.', advice });
      }
      return faults.length > 0 ? { faults } : { item: heldOut(prompt_id, prompt) };
    },
  });
  return { problems, ...conversationsOf(items) };
}
