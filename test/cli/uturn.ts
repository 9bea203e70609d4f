// The real `uturn` as a child process, over a home of the test's own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../activities/store/open.ts';
import type { Store } from '../../activities/store/store.ts';
import { type Home, openHome } from '../../local/home.ts';
import { type CommandOptions, command, type Ran } from '../lab/command.ts';

export type Desk = {
  /** Where commands run. */
  dir: string;
  home: Home;
  store: Store;
  uturn<Json = unknown>(args: string[], opts?: CommandOptions): Promise<Ran<Json>>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** An empty home in a folder of its own. Give it back, or use `desk`. */
export async function openDesk(): Promise<Desk> {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-desk-'));
  const home = await openHome({ UTURN_HOME: join(dir, '.uturn') });
  // A Temporal that is not there: whoever only reads does not notice.
  const env = { ...ownSettings(), UTURN_HOME: home.dir, TEMPORAL_ADDRESS: '127.0.0.1:9' };
  return {
    dir,
    home,
    store: await openStore(home.store),
    uturn: <Json>(args: string[], opts: CommandOptions = {}) =>
      command<Json>(args, { cwd: dir, ...opts, env: { ...env, ...opts.env } }).done,
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

/** A desk that goes with the test. */
export async function desk(): Promise<Desk> {
  const opened = await openDesk();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}

function ownSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TEMPORAL_|UTURN_(HOME|STORE))/.test(name)),
  );
}
