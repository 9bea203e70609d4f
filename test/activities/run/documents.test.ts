import { expect, test } from 'vitest';
import { closedExecutions, pinsName } from '../../../activities/run/documents.ts';
import { fileStore } from '../../../activities/store/file.ts';
import { putVersion } from '../../../activities/store/runs.ts';
import { temporaryFolder } from '../store/folder.ts';

test.each([
  { wrote: [], over: 0 },
  { wrote: ['end 1'], over: 1 },
  { wrote: ['pins 1', 'end 1'], over: 1 },
  { wrote: ['pins 1'], over: 1 },
  { wrote: ['pins 1', 'end 1', 'pins 2', 'pins 12'], over: 12 },
])(
  'after $wrote a run has $over executions behind it, whether or not Temporal remembers them',
  async ({ wrote, over }) => {
    await using folder = await temporaryFolder();
    const store = await fileStore(folder.path);
    for (const one of wrote) {
      const [what, n] = one.split(' ');
      const name = what === 'end' ? 'ends' : pinsName(Number(n), 'some-model');
      await putVersion(store, 'trial-1', { name, n: what === 'end' ? Number(n) : 0, value: {} });
    }
    expect(await closedExecutions(store, 'trial-1')).toBe(over);
  },
);
