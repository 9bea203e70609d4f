// Which servers were asked, then and now, and what is known of whether they give the same answer in any company.
import { oneLine } from '../../report/escape.ts';
import type { InFlight } from '../../report/replay/regenerated.ts';
import type { AskedServer, AskedServers } from '../../report/replay/servers.ts';

export function serversText(servers: AskedServers[], flights: InFlight[]): string[] {
  return servers.flatMap((one) => {
    const flight = flights.find(({ model }) => model === one.model);
    return [`  ${oneLine(placesText(one))}`, `    ${loadText(one, flight)}`, `    ${modeText(one.after)}`];
  });
}

function placesText({ model, before, after, differ }: AskedServers): string {
  if (differ.length === 0) return `${model}: asked of ${placeText(after)}, as then`;
  return `${model}: asked of ${placeText(after)}, then of ${placeText(before)}. Not the same: ${differ.join(', ')}`;
}

function placeText({ address, served, engine }: AskedServer): string {
  return `${address ?? 'a server that is not named'} (${[served, engine].filter(Boolean).join(', ')})`;
}

function loadText({ before, after }: AskedServers, flight: InFlight | undefined): string {
  const side = (mean: number | null | undefined, { concurrency }: AskedServer) =>
    `${mean === null || mean === undefined ? 'not known' : `about ${mean.toFixed(1)}`} (limit ${concurrency ?? 'not known'})`;
  return `requests in flight, on average: now ${side(flight?.after, after)}, then ${side(flight?.before, before)}`;
}

function modeText({ batch_invariant, address }: AskedServer): string {
  if (batch_invariant === null) return 'batch-invariant: the server does not say';
  const by = address?.startsWith('serve: ') ? 'the config' : 'the server';
  return `batch-invariant: ${by} says that it is ${batch_invariant ? '' : 'not '}started so`;
}
