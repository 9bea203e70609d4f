// A folder that holds a model for uturn to serve, and the fake vLLM to serve it with.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Conduct, conductFake, type Started, startsOf, writeFakeVllm } from '../fakes/vllm.ts';

export const chatml =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

export type ServedModelFolder = {
  /** Environment of commands and workers that are to find the fake vLLM. */
  env: NodeJS.ProcessEnv;
  starts(): Started[];
  conduct(how: Partial<Conduct>): void;
};

/** Writes `model/` (weights of a few bytes), `adapter/` and `vllm/python` into a folder. */
export function servedModel(dir: string, conduct: Partial<Conduct> = {}): ServedModelFolder {
  const vllm = join(dir, 'vllm');
  const write = (name: string, content: unknown) =>
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  for (const folder of ['model', 'adapter', 'vllm']) mkdirSync(join(dir, folder), { recursive: true });
  write('model/model.safetensors', 'no weights at all');
  write('model/config.json', { model_type: 'fake', torch_dtype: 'bfloat16' });
  write('model/tokenizer.json', {});
  write('model/tokenizer_config.json', { chat_template: chatml, eos_token: '<|im_end|>' });
  write('adapter/adapter_model.safetensors', 'nor these');
  write('adapter/adapter_config.json', { r: 5, base_model_name_or_path: 'fake' });
  const python = writeFakeVllm(vllm, conduct);
  return {
    env: { UTURN_VLLM_PYTHON: python },
    starts: () => startsOf(vllm),
    conduct: (how) => conductFake(vllm, how),
  };
}
