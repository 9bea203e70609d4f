// A store whose calls are counted and timed, for those who watch workers.
import { ConfigProblem, WorldProblem } from '../../domain/problems.ts';
import { type Metrics, noMetrics } from '../metrics.ts';
import type { Segment, Store } from './store.ts';

type Operation = 'read' | 'create' | 'list' | 'append';

/** The same store; where nobody looks, that very one. */
export function measuredStore(store: Store, metrics: Metrics): Store {
  if (metrics === noMetrics) return store;

  const timed = async <T>(
    operation: Operation,
    work: () => Promise<T>,
    seen: (value: T) => { outcome: string; bytes: number },
  ): Promise<T> => {
    const begun = performance.now();
    let end = { outcome: 'unknown', bytes: 0 };
    try {
      const value = await work();
      end = seen(value);
      return value;
    } catch (failure) {
      end.outcome = kindOf(failure);
      throw failure;
    } finally {
      metrics.count('uturn_store_operations_total', { operation, outcome: end.outcome });
      metrics.count('uturn_store_milliseconds_total', { operation }, performance.now() - begun);
      if (end.bytes > 0) metrics.count('uturn_store_bytes_total', { operation }, end.bytes);
    }
  };

  return {
    ...store,
    read: (path) =>
      timed(
        'read',
        () => store.read(path),
        (bytes) => (bytes === null ? { outcome: 'missing', bytes: 0 } : { outcome: 'ok', bytes: bytes.length }),
      ),
    create: (path, data) =>
      timed(
        'create',
        () => store.create(path, data),
        (made) => (made === 'created' ? { outcome: 'ok', bytes: bytesOf(data) } : { outcome: made, bytes: 0 }),
      ),
    list: (folder) =>
      timed(
        'list',
        () => store.list(folder),
        () => ({ outcome: 'ok', bytes: 0 }),
      ),
    async segment(path): Promise<Segment> {
      const segment = await store.segment(path);
      return {
        ...segment,
        append: (lines) =>
          timed(
            'append',
            () => segment.append(lines),
            () => ({ outcome: 'ok', bytes: bytesOf(lines) + 1 }),
          ),
      };
    },
  };
}

function bytesOf(data: string | Uint8Array): number {
  return Buffer.byteLength(data);
}

function kindOf(failure: unknown): string {
  if (failure instanceof WorldProblem) return failure.kind;
  return failure instanceof ConfigProblem ? 'refused' : 'unknown';
}
