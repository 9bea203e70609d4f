// Real vLLM and the model it serves in these tests, fetched once into the cache.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../domain/records/canonical.ts';
import { installOnce } from '../../local/cache.ts';
import { lastLines, runCommand } from '../../local/command.ts';
import { LOCAL_MODELS } from '../../local/llama/models.ts';
import { installWeights } from '../../local/llama/weights.ts';
import { systemPython } from '../../local/python.ts';

const scripts = join(import.meta.dirname, 'python');
const report = (line: string) => console.error(line);

/** A Python that has vLLM for the CPU: `UTURN_VLLM_PYTHON`, else an environment of our own (6 GB). */
export async function vllmPython(): Promise<string> {
  const given = process.env['UTURN_VLLM_PYTHON'];
  if (given) return given;
  const requirements = join(scripts, 'requirements.txt');
  const name = `vllm-${sha256(await readFile(requirements, 'utf8')).slice(0, 16)}`;
  const folder = await installOnce(name, async (unfinished) => {
    report('installing vLLM for the CPU (6 GB)');
    await succeed(await systemPython(), ['-m', 'venv', unfinished]);
    // Whatever it needs is listed: resolving would ask for builds that no index has.
    const flags = ['--no-input', '--disable-pip-version-check', '--only-binary', ':all:', '--progress-bar', 'off'];
    const install = ['-m', 'pip', 'install', ...flags, '--require-hashes', '--no-deps', '-r', requirements];
    await succeed(join(unfinished, 'bin', 'python'), install);
  });
  return join(folder, 'bin', 'python');
}

/** SmolLM2-135M-Instruct as a float32 model folder: what vLLM serves on a CPU, bit for bit the same each time. */
export async function smollm2(): Promise<string> {
  const weights = LOCAL_MODELS['smollm2-135m'];
  if (weights === undefined) throw new Error('the model of the quickstart has another name');
  return made(
    'dequantise.py',
    `smollm2-float32-${weights.sha256.slice(0, 8)}`,
    await installWeights(weights, { report }),
  );
}

/** A LoRA adapter for it, of rank 4, whose noise is strong enough to change what is said. */
export async function adapter(): Promise<string> {
  return made('adapter.py', 'smollm2-adapter', await smollm2());
}

async function made(script: string, name: string, source: string): Promise<string> {
  const file = join(scripts, script);
  const version = sha256(await readFile(file, 'utf8')).slice(0, 8);
  const python = await vllmPython();
  return installOnce(`${name}-${version}`, (folder) => succeed(python, [file, source, folder]));
}

async function succeed(program: string, args: string[]): Promise<void> {
  const env = { ...process.env, HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1' };
  const end = await runCommand(program, args, { env });
  if (end.code !== 0) throw new Error(`${program} ${args.join(' ')}:${lastLines(end)}`);
}
