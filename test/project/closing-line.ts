// Ends a test run with one plain line that scripts can read: `12 passed, 1 failed`.
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node';

type Counts = { passed: number; failed: number; skipped: number };

/** Tests that never ran because their file could not be read, and errors outside of any test, count as failed. */
export function closingLine(modules: readonly TestModule[], errors: readonly SerializedError[]): string {
  const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
  }
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], _reason: TestRunEndReason): void {
    // Other reporters and the coverage write until the process ends.
    process.on('exit', () => process.stdout.write(`${closingLine(modules, errors)}\n`));
  }
}
