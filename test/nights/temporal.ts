// A Temporal of its own, with nobody to work for it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectedTemporal, connectTemporal } from '../../local/connection.ts';
import { openHome } from '../../local/home.ts';
import { stopAll } from '../../local/services.ts';
import { ensureTemporal } from '../../local/temporal.ts';

export async function openTestTemporal(): Promise<Pick<ConnectedTemporal, 'client'> & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), 'uturn-clock-'));
  const home = await openHome({ UTURN_HOME: dir });
  const { client, close } = await connectTemporal(await ensureTemporal(home, { keep: 'run', report: () => {} }));
  return {
    client,
    async [Symbol.asyncDispose]() {
      await close();
      await stopAll(home, { begin: () => {} });
      await rm(dir, { recursive: true, force: true });
    },
  };
}
