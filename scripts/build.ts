// JavaScript for the package: Node refuses TypeScript under node_modules.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** What code reads beside itself at run time, so that it lies beside the built code as well. */
const beside = ['local/llama/engine', 'python'];

rmSync(dist, { recursive: true, force: true });
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
for (const folder of beside) {
  cpSync(join(root, folder), join(dist, folder), { recursive: true, filter: (path) => !path.includes('__pycache__') });
}
