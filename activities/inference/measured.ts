// A wire whose exchanges are counted and timed, for those who watch workers.
import { WorldProblem } from '../../domain/problems.ts';
import { type Metrics, noMetrics } from '../metrics.ts';
import { type Reply, transportFault, type Wire } from './wire.ts';

/** The same wire; where nobody looks, that very one. `model`: its name on the server. */
export function measuredWire(wire: Wire, { metrics = noMetrics, model, url }: Measuring): Wire {
  if (metrics === noMetrics) return wire;
  let inFlight = 0;
  metrics.watch('uturn_requests_in_flight', { model }, () => inFlight);
  return {
    async send(call, signal) {
      const begun = performance.now();
      inFlight += 1;
      let outcome = 'stopped';
      try {
        const reply = await wire.send(call, signal);
        outcome = outcomeOf(reply);
        return reply;
      } catch (error) {
        if (!signal.aborted) outcome = kindOf(error, url);
        throw error;
      } finally {
        inFlight -= 1;
        metrics.count('uturn_requests_total', { model, call: kinds.get(call.path) ?? 'other', outcome });
        metrics.count('uturn_request_milliseconds_total', { model }, performance.now() - begun);
      }
    },
  };
}

type Measuring = { metrics?: Metrics | undefined; model: string; url: string };

const kinds = new Map([
  ['/v1/completions', 'completion'],
  ['/v1/chat/completions', 'chat'],
  ['/tokenize', 'tokens'],
  ['/detokenize', 'tokens'],
]);

function outcomeOf({ status }: Reply): string {
  if (status === 429) return 'overloaded';
  if (status === 408 || status === 409 || status >= 500) return 'server_error';
  return status >= 300 ? 'refused' : 'ok';
}

/** The word that a shard would fail with. */
function kindOf(error: unknown, url: string): string {
  try {
    const problem = transportFault(error, url).error;
    return problem instanceof WorldProblem ? problem.kind : 'unknown';
  } catch {
    return 'untrusted';
  }
}
