// Tokens that a record cost when it was made.
import type { StageRecord, Turn, Usage } from './record.ts';

const none: Usage = { prompt: 0, completion: 0 };

/** By the server's count; none where it did not count them, or nothing was asked. */
export function usageOf({ result, meta }: StageRecord): Usage {
  if (meta.usage !== undefined) return meta.usage;
  if (result.status === 'error' || (result.stage !== 'assistant_turn' && result.stage !== 'user_turn')) return none;
  const { prompt, tokens } = result.body as Turn;
  return { prompt: prompt?.tokens ?? 0, completion: tokens };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return { prompt: a.prompt + b.prompt, completion: a.completion + b.completion };
}

export function usageOfAll(records: StageRecord[]): Usage {
  return records.map(usageOf).reduce(addUsage, none);
}
