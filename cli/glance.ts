// The Temporal that is up already, for commands that only look: nothing is started, and nobody signs on.
import type { Client } from '@temporalio/client';
import { connectTemporal, type Temporal } from '../local/connection.ts';
import type { Home } from '../local/home.ts';
import { listServices } from '../local/services.ts';
import { externalTemporal, localTemporal, SERVICE } from '../local/temporal.ts';

const patienceMs = 3_000;

/** Works with a client of the Temporal that is up, or with null where none is, or none answers. */
export async function glancing<T>(home: Home, work: (client: Client | null) => Promise<T>): Promise<T> {
  const temporal = await temporalThatIsUp(home);
  const connected =
    temporal === null ? null : await connectTemporal(temporal, { timeoutMs: patienceMs }).catch(() => null);
  try {
    return await work(connected?.client ?? null);
  } finally {
    await connected?.close();
  }
}

/** The one the environment names, or this home's own if its process lives. */
export async function temporalThatIsUp(home: Home): Promise<Temporal | null> {
  const external = externalTemporal(process.env);
  if (external !== null) return { ...external, ui: null };
  const service = (await listServices(home)).find(({ name, alive }) => name === SERVICE && alive);
  return service === undefined ? null : localTemporal(service);
}
