import { defaultExclude, defineConfig } from 'vitest/config';

/** Suites with a command of their own: they take minutes, or need more than Node, Python and git. */
const apart = ['e2e', 'faults', 'browser', 'slow', 'data', 'vllm', 'nights'];

/** What some of them start once, before their first test. */
const before: Record<string, string[]> = { slow: ['test/bucket/setup.ts'], vllm: ['test/vllm/setup.ts'] };

export default defineConfig({
  test: {
    include: [],
    globalSetup: ['test/project/tools.ts'],
    reporters: ['default', 'test/project/closing-line.ts'],
    // Two cores are what a small machine has; tests start servers of their own.
    maxWorkers: 2,
    // Only what hangs shall meet them: whole runs take their time on a machine that has others to serve.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    coverage: {
      provider: 'v8',
      include: ['activities', 'cli', 'domain', 'local', 'report', 'ui', 'workers', 'workflows'].map(
        (at) => `${at}/**/*.ts`,
      ),
      reporter: ['text-summary', 'html', 'json-summary'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, `test/{${apart.join()}}/**`],
          globalSetup: ['test/bucket/setup.ts'],
        },
      },
      ...apart.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/${name}/**/*.test.ts`],
          testTimeout: 600_000,
          // Their files have nothing in common; those of the others count requests, share a browser or a server.
          fileParallelism: name === 'slow' || name === 'e2e',
          ...(before[name] && { globalSetup: before[name] }),
        },
      })),
    ],
  },
});
