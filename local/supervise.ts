// Holds one server for whoever started this: `node supervise.ts <log> <program> <args…>`. As soon as standard input
// closes, also because its writer was killed, the server and everything it started are ended. Says on standard output
// who the server is, and how it ended, as JSON lines.
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { identify, signalGroup } from './process.ts';

/** How long a server that was told to stop may take. */
const GRACE_MS = 5_000;

const [log = '', program = '', ...args] = process.argv.slice(2);
const output = openSync(log, 'a');
const say = (word: object) => process.stdout.write(`${JSON.stringify(word)}\n`);
process.stdout.on('error', () => undefined); // whoever listened is gone

// A group of its own: what it starts is in it too, and is ended with it.
const server = spawn(program, args, { detached: true, stdio: ['ignore', output, output] });
server.once('error', (problem) => {
  say({ code: null, signal: null, problem: problem.message });
  process.exit();
});
const { pid } = server;
if (pid !== undefined) {
  say(identify(pid) ?? { pid, started: '' });
  server.once('exit', (code, signal) => {
    signalGroup(pid, 'SIGKILL'); // what it left behind
    say({ code, signal });
    process.exit();
  });
  const end = () => {
    signalGroup(pid, 'SIGTERM');
    setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
  };
  process.stdin.resume().once('close', end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
}
