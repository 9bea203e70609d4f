// The vLLM of this machine: which Python has it, and its version.
import { open } from 'node:fs/promises';
import { ConfigProblem } from '../../domain/problems.ts';
import { lastLines, runCommand } from '../command.ts';
import { programOnPath } from '../temporal.ts';

/** `gpu`: built for one. */
export type Vllm = { python: string; version: string; gpu: boolean };

const advice =
  'Install vLLM on this machine, and set UTURN_VLLM_PYTHON to the Python that has it; or serve the model yourself and give its address (`url:`).';

/**
 * The Python in `UTURN_VLLM_PYTHON`, else that of the `vllm` on PATH, else `python3`.
 * @throws ConfigProblem  it has no vLLM
 */
export async function findVllm(env: NodeJS.ProcessEnv = process.env): Promise<Vllm> {
  const python = env['UTURN_VLLM_PYTHON'] || (await pythonOfProgram(env)) || 'python3';
  const end = await runCommand(python, ['-c', ASK], { env });
  const [, version, build] = (end.code === 0 && /^vllm (\S+) (gpu|other)$/m.exec(end.stdout)) || [];
  if (version !== undefined) return { python, version, gpu: build === 'gpu' };
  if (end.missing) throw new ConfigProblem(`vLLM is not here: there is no program ${python}`, { advice });
  throw new ConfigProblem(`${python} has no vLLM:${lastLines(end, 3)}`, { advice });
}

/**
 * Reads the version where vLLM's own server takes it from: importing all of vLLM would take half a minute. Builds for GPUs have kernels
 * for mixtures of experts.
 */
const ASK = `
import importlib.util, os, runpy
spec = importlib.util.find_spec("vllm")
if spec is None or not spec.submodule_search_locations:
    raise SystemExit("No module named vllm")
folder = spec.submodule_search_locations[0]
build = "gpu" if any(name.startswith("_moe_C.") for name in os.listdir(folder)) else "other"
print("vllm", runpy.run_path(os.path.join(folder, "_version.py"))["__version__"], build)
`;

/** `vllm` is a script whose first line names the Python it was installed for. */
async function pythonOfProgram(env: NodeJS.ProcessEnv): Promise<string | null> {
  const program = programOnPath('vllm', env);
  if (program === null) return null;
  await using handle = await open(program);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(512), 0, 512, 0);
  return /^#!\s*(\/\S*python[\d.]*)\s*$/m.exec(buffer.toString('utf8', 0, bytesRead))?.[1] ?? null;
}
