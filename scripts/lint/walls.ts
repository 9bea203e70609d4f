// Which folder may import what: the arrows of the architecture, one line a folder.
import { posix } from 'node:path';

/**
 * `ours`: folders or files of the project it may import besides itself. `types`: those it may only import types from.
 * `packages`: the only packages and built-in modules it may import; left out, any.
 */
type Wall = { ours: string[]; types?: string[]; packages?: string[] };

export const walls: Record<string, Wall> = {
  domain: { ours: [], packages: ['canonicalize', 'node:crypto', 'yaml', 'zod'] },
  workflows: { ours: ['domain'], types: ['activities'], packages: ['@temporalio/workflow'] },
  local: { ours: ['domain'], types: ['activities/inference/completion.ts'] },
  activities: { ours: ['domain', 'local'] },
  report: { ours: ['domain', 'activities/store', 'activities/data/items.ts', 'activities/run/documents.ts'] },
  ui: { ours: ['domain', 'report', 'activities/store', 'activities/data/items.ts', 'activities/run/documents.ts'] },
  cli: { ours: ['domain', 'local', 'activities', 'report', 'ui', 'workers/bundle.ts'] },
  workers: { ours: ['domain', 'local', 'activities', 'report'] },
  configs: { ours: ['domain'] },
  infra: { ours: ['local', 'workers'] },
};

/** Folders whose files are nobody's to import, and which may import everything. */
const outside = ['bench', 'bin', 'scripts', 'test'];

export type Import = { specifier: string; kind: 'value' | 'type' };

/** What is wrong with `file` (a path from the project's root) importing this; null where nothing is. */
export function wallProblem(file: string, { specifier, kind }: Import): string | null {
  const from = topFolder(file);
  if (from === null || outside.includes(from)) return null;
  const wall = walls[from];
  if (wall === undefined) return `${from}/ has no line in scripts/lint/walls.ts: say there what it may import`;
  return specifier.startsWith('.') ? oursProblem(file, { specifier, kind }) : packageProblem(from, specifier);
}

function oursProblem(file: string, { specifier, kind }: Import): string | null {
  const from = topFolder(file) ?? '';
  const wall = walls[from] ?? { ours: [] };
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  if (target === 'package.json' || within(target, [from, ...wall.ours])) return null;
  if (!within(target, wall.types ?? [])) return `${from}/ may not import ${target}`;
  return kind === 'type' ? null : `${from}/ may import only types from ${target}: write \`import type\``;
}

function packageProblem(from: string, specifier: string): string | null {
  const { packages } = walls[from] ?? {};
  if (packages === undefined || within(specifier, packages)) return null;
  return `${from}/ may not import ${specifier}, only ${packages.join(', ')}`;
}

function within(target: string, places: string[]): boolean {
  return places.some((place) => target === place || target.startsWith(`${place}/`));
}

function topFolder(file: string): string | null {
  const [top, ...rest] = file.split('/');
  return top === undefined || rest.length === 0 ? null : top;
}
