// Run while an image is built: `node infra/warm.ts bundle tools` puts into the cache what a worker would else make or
// fetch when it first needs it.
import { cacheFolder } from '../local/cache.ts';
import { checkerVenv, toolVenv } from '../local/python.ts';
import { workflowBundle } from '../workers/bundle.ts';

const report = (line: string) => console.error(line);

/** One for every way a worker may be started. */
const bundles = (['plain', 'traced'] as const).flatMap((kind) =>
  (['unversioned', 'versioned'] as const).map((whom) => ({ kind, whom })),
);

const parts = new Map<string, () => Promise<unknown>>([
  ['bundle', () => Promise.all(bundles.map(({ kind, whom }) => workflowBundle(cacheFolder(), kind, whom)))],
  ['tools', () => toolVenv({ report })],
  ['checkers', () => checkerVenv({ report })],
]);

for (const name of process.argv.slice(2)) {
  const make = parts.get(name);
  if (make === undefined) throw new Error(`there is no part ${name}; parts: ${[...parts.keys()].join(', ')}`);
  await make();
}
