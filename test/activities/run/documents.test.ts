import { expect, test } from 'vitest';
import { begunExecutions, endedExecutions, pinsName } from '../../../activities/run/documents.ts';
import { fileStore } from '../../../activities/store/file.ts';
import { putVersion } from '../../../activities/store/runs.ts';
import { temporaryFolder } from '../store/folder.ts';

test.each([
  { wrote: [], begun: 0, ended: 0 },
  { wrote: ['begins 1'], begun: 1, ended: 0 },
  { wrote: ['begins 1', 'pins 1', 'ends 1'], begun: 1, ended: 1 },
  { wrote: ['begins 1', 'ends 1', 'begins 2'], begun: 2, ended: 1 },
  { wrote: ['pins 1'], begun: 1, ended: 0 },
  { wrote: ['ends 1'], begun: 1, ended: 1 },
  { wrote: ['pins 1', 'ends 1', 'pins 2', 'pins 12'], begun: 12, ended: 1 },
])(
  'after $wrote execution $begun was begun last and $ended ended last, whether or not Temporal remembers them',
  async ({ wrote, begun, ended }) => {
    await using folder = await temporaryFolder();
    const store = await fileStore(folder.path);
    for (const one of wrote) {
      const [what = '', n] = one.split(' ');
      const version =
        what === 'pins' ? { name: pinsName(Number(n), 'some-model'), n: 0 } : { name: what, n: Number(n) };
      await putVersion(store, 'trial-1', { ...version, value: {} });
    }
    expect([await begunExecutions(store, 'trial-1'), await endedExecutions(store, 'trial-1')]).toEqual([begun, ended]);
  },
);
