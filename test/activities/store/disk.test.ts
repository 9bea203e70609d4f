// Which failures somebody has to change, and which the world gets over.
import { expect, test } from 'vitest';
import { diskProblem } from '../../../activities/store/disk.ts';
import { ConfigProblem, WorldProblem } from '../../../domain/problems.ts';

const failed = (code: string) => Object.assign(new Error(`${code}: it failed`), { code });

test.each(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE', 'ESTALE', 'ENODEV', 'EBUSY', 'ETIMEDOUT', 'ENEW'])(
  '%s is the disk’s: tried again later',
  (code) => {
    const problem = diskProblem(failed(code), '/store/a');
    expect(problem).toBeInstanceOf(WorldProblem);
    expect(problem).toMatchObject({ kind: 'disk', message: `/store/a: ${code}: it failed`, cause: { code } });
  },
);

test.each(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'EXDEV', 'ENOTSUP'])(
  '%s is somebody’s to change: the path is named, and what to do',
  (code) => {
    const problem = diskProblem(failed(code), '/store/a');
    expect(problem).toBeInstanceOf(ConfigProblem);
    expect(problem).toMatchObject({
      message: `the store cannot be used: ${code}: it failed`,
      place: { file: '/store/a' },
      advice: expect.stringMatching(/UTURN_STORE/),
      cause: { code },
    });
  },
);

test('a problem stays the problem it was', () => {
  const problem = new ConfigProblem('said before');
  expect(diskProblem(problem, '/store/a')).toBe(problem);
});

test('what is no error of the system is the disk’s as well', () => {
  expect(diskProblem('odd', '/store/a')).toMatchObject({ kind: 'disk', message: '/store/a: odd' });
});
