#!/usr/bin/env node
// Finds a Node that runs TypeScript as it is (24 or newer) and goes on there.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const needed = 24;
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const main = existsSync(at('../cli/main.ts')) ? at('../cli/main.ts') : at('../dist/cli/main.js');

if (Number(process.versions.node.split('.')[0]) >= needed) {
  await import(main);
} else {
  const node = ['../node_modules/node/bin/node', '../../node/bin/node'].map(at).find(existsSync);
  if (node === undefined) {
    console.error(`uturn needs Node ${needed} or newer; this is ${process.version}.`);
    console.error('  Install Node 24, or in a checkout run `npm ci`, which brings its own.');
    process.exit(2);
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group; the child decides, this process only waits.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
