// Options of vLLM that a config may not give: uturn sets them, from fields of their own, or they hide what is served.
import { z } from 'zod';
import { refuse } from './words.ts';

const fields: Record<string, string> = {
  '--dtype': 'dtype',
  '--tensor-parallel-size': 'tensor_parallel',
  '-tp': 'tensor_parallel',
  '--max-model-len': 'max_model_len',
  '--revision': 'revision',
  '--chat-template': 'template',
  '--enable-lora': 'lora',
  '--lora-modules': 'lora',
  '--max-loras': 'lora',
  '--max-lora-rank': 'lora',
};

const ours = [
  '--model',
  '--served-model-name',
  '--host',
  '--port',
  '--uds',
  '--root-path',
  '--seed',
  '--generation-config',
  '--override-generation-config',
  '--enable-prefix-caching',
  '--config',
  '--api-key',
];

/** Refuses options that uturn sets itself. vLLM takes `_` for `-`, and a value after `=`. */
export const noneOfOurs = z.superRefine<string[]>((args, ctx) => {
  for (const [index, arg] of args.entries()) {
    const option = optionOf(arg);
    const field = Object.hasOwn(fields, option) ? fields[option] : undefined;
    if (field === undefined && !ours.includes(option)) continue;
    const advice = field === undefined ? 'Leave it out.' : `Use the field \`${field}\` of the entry.`;
    refuse(ctx, [index], { message: `${option} is set by uturn.`, advice });
  }
});

function optionOf(arg: string): string {
  const [name = ''] = arg.split('=');
  return name.startsWith('-') ? name.replaceAll('_', '-') : '';
}
