// lm-eval on a task of its own that asks for the same turns; samples are not written, which is quicker than what it can do.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { benchItems, maxTokens, promptOf } from '../data.ts';
import { peerPython } from '../peers.ts';
import { run } from '../programs.ts';
import { model } from '../server/bodies.ts';
import { absentWhere, type Contestant } from './contestant.ts';

const python = () => peerPython('lm-eval.txt');

export const lmEval: Contestant = {
  name: 'lm-eval',
  prepare: () => absentWhere(python),
  async run({ url, items, inFlight, dir, env }) {
    const tasks = join(dir, 'tasks');
    await mkdir(tasks);
    const rows = benchItems(items).map((item) => ({ prompt: promptOf(item), target: '' }));
    await writeFile(join(dir, 'prompts.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await writeFile(join(tasks, 'bench.yaml'), taskOf(join(dir, 'prompts.jsonl')));
    const served = { model, base_url: `${url}/v1/completions`, num_concurrent: inFlight, max_retries: 1 };
    // Without a tokenizer of its own it sends texts, and has nothing to fetch.
    const args = Object.entries({ ...served, tokenized_requests: 'False', tokenizer_backend: 'none' });
    const modelArgs = args.map(([name, value]) => `${name}=${value}`).join();
    const flags = [
      '--model',
      'local-completions',
      '--model_args',
      modelArgs,
      '--tasks',
      'bench',
      '--include_path',
      tasks,
    ];
    const offline = {
      HF_HUB_OFFLINE: '1',
      HF_DATASETS_OFFLINE: '1',
      HF_HOME: join(dir, 'hub'),
      OPENAI_API_KEY: 'none',
    };
    await run(await python(), ['-m', 'lm_eval', ...flags], { env: { ...env, ...offline }, cwd: dir });
    return { work_ms: null, events: null, store_bytes: null };
  },
};

function taskOf(file: string): string {
  return stringify({
    task: 'bench',
    dataset_path: 'json',
    dataset_kwargs: { data_files: { test: file } },
    test_split: 'test',
    output_type: 'generate_until',
    doc_to_text: '{{prompt}}',
    doc_to_target: '{{target}}',
    target_delimiter: '',
    generation_kwargs: { until: ['<|im_end|>'], max_gen_toks: maxTokens, do_sample: true, temperature: 0.7 },
    metric_list: [{ metric: 'exact_match', aggregation: 'mean', higher_is_better: true }],
  });
}
