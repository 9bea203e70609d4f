#!/usr/bin/env node
// Finds a Node that runs TypeScript as it is (24 or newer) and goes on there. This file itself runs on Node 20.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const needed = 24;
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const main = [at('../cli/main.ts'), at('../dist/cli/main.js')].find(existsSync);

// Half of a start is compiling what was compiled before. The folder is that of local/cache.ts.
const cache = process.env.UTURN_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'uturn');
const compiled = process.env.NODE_COMPILE_CACHE || join(cache, 'compiled');

if (Number(process.versions.node.split('.')[0]) >= needed) {
  module.enableCompileCache(compiled);
  endWithWrapper();
  await import(main);
} else goOnWith(['../node_modules/node/bin/node', '../../node/bin/node'].map(at).find(existsSync));

function goOnWith(node) {
  if (node === undefined) {
    console.error(`uturn needs Node ${needed} or newer; this is ${process.version}.`);
    console.error(`  Install Node ${needed}, or beside uturn: npm install node@${needed} (in a checkout: npm ci).`);
    process.exit(2);
  }
  // A group of its own: a terminal's Ctrl-C then reaches this process alone, and the child hears every signal once.
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled, UTURN_WRAPPER: String(process.pid) };
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(node, [at('uturn.js'), ...process.argv.slice(2)], { stdio, detached: true, env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGWINCH', 'SIGCONT']) {
    process.on(signal, () => child.kill(signal));
  }
  // Ctrl-Z: the terminal knows nothing of the child's group, which has to be stopped by hand.
  process.on('SIGTSTP', () => {
    child.kill('SIGSTOP');
    process.kill(process.pid, 'SIGSTOP');
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** The channel to the wrapper closes when that is killed: whoever kills it means this command. */
function endWithWrapper() {
  const wrapper = process.env.UTURN_WRAPPER;
  delete process.env.UTURN_WRAPPER;
  if (wrapper !== String(process.ppid)) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
}
