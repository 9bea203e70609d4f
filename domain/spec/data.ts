// One entry of `data:`: which items are asked, and where they lie.
import { z } from 'zod';
import { digest, maybe, refuse, shortName, text, unique } from './words.ts';

/** Formats uturn can read. `starter` comes with uturn; `jsonl` is the general one. */
export const adapterNames = [
  'starter',
  'gsm8k',
  'ifeval',
  'ifbench',
  'gpqa-main',
  'gpqa-diamond',
  'healthbench',
  'coval',
  'math',
  'jsonl',
] as const;
export type AdapterName = (typeof adapterNames)[number];

/** Formats of files that somebody has: all but the set that comes with uturn. */
const ofFiles = adapterNames.filter((name) => name !== 'starter').join(', ');

/** Sets whose authors ask that their texts stay off the web. */
export function isPrivateSet(adapter: string): boolean {
  return adapter === 'gpqa-main' || adapter === 'gpqa-diamond';
}

export function isAdapter(name: string): name is AdapterName {
  return adapterNames.some((known) => known === name);
}

const entry = z
  .strictObject({
    set: shortName().describe(
      `starter (comes with uturn), one of ${ofFiles} with a path, or the name of a set registered by \`uturn data add\`.`,
    ),
    id: maybe(shortName()).describe('Short name in tables, unique in the file. Default: the name of the set.'),
    path: maybe(text()).describe('The data file, plain or gzip, relative to this file.'),
    sha256: maybe(digest()).describe('SHA-256 of the data file. A file that differs is refused.'),
    private: z
      .boolean()
      .default(false)
      .describe('Keep its texts, and all turns made from them, out of reports and exports. GPQA always is.'),
  })
  .superRefine(({ set, path, sha256 }, ctx) => {
    if (path !== null && set === 'starter') {
      refuse(ctx, ['path'], {
        message: 'starter comes with uturn and takes no path.',
        advice: 'For a file of your own write `set: jsonl`.',
      });
    } else if (path !== null && !isAdapter(set)) {
      refuse(ctx, ['set'], {
        message: `${set} is no format that uturn can read.`,
        advice: `With a path the set is one of ${ofFiles}. For a file of your own write \`set: jsonl\` and give it an \`id\`.`,
      });
    }
    if (path === null && set === 'jsonl') {
      refuse(ctx, [], {
        message: 'a jsonl set needs a `path`.',
        advice: 'Add `path:` with the file, relative to this config.',
      });
    }
    if (path === null && sha256 !== null && set === 'starter') {
      refuse(ctx, ['sha256'], { message: 'starter comes with uturn and takes no sha256.', advice: 'Leave it out.' });
    }
  })
  .transform((data) => ({ ...data, id: data.id ?? data.set }))
  .describe('Such as { set: starter }.');

export const data = z
  .array(entry)
  .min(1)
  .check(
    unique(
      (one: { id?: unknown; set?: unknown }) => one.id ?? one.set,
      (name, first) => ({
        message: `a second data set with the id ${name}; the first is data[${first}].`,
        advice: 'Give one of them another `id`.',
      }),
    ),
  )
  .describe('Data sets to ask, such as `- { set: starter }`.');

export type DataSpec = z.output<typeof data>[number];
