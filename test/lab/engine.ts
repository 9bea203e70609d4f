// Whole runs on a model that uturn serves, with the fake vLLM.

import type { Conduct } from '../fakes/vllm.ts';
import { Lab, type LabOptions } from '../lab.ts';
import { type ServedModelFolder, servedModel } from './served.ts';

export type EngineLab = Lab & { vllm: ServedModelFolder };

/** The lab's own model server is there as ever, and nobody asks it. */
export async function engineLab(opts: LabOptions & { conduct?: Partial<Conduct> } = {}): Promise<EngineLab> {
  const lab = await Lab.start(opts);
  const key = Object.fromEntries(lab.items.map(({ question, answer }) => [question, answer]));
  const fake = { world: { key }, ...opts.conduct?.fake };
  const vllm = servedModel(lab.dir, { ...opts.conduct, fake });
  await lab.config({ models: [{ serve: 'model', concurrency: 8, timeout_s: 30 }] });
  // Commands and the workers they start find the fake.
  const begin: Lab['begin'] = (args, more = {}) => lab.begin(args, { ...more, env: { ...vllm.env, ...more.env } });
  const conduct = (how: Partial<Conduct>) => vllm.conduct({ ...opts.conduct, ...how, fake: { ...fake, ...how.fake } });
  return { ...lab, begin, run: (args, more) => begin<never>(args, more).done, vllm: { ...vllm, conduct } };
}
