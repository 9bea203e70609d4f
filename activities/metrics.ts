// Numbers about the work, for whoever watches workers. Labels are few and known beforehand: names out of configs, words of
// ours; never an item, a text or an address.

type Kind = 'counter' | 'histogram' | 'gauge';
type Metric = { kind: Kind; labels: readonly string[]; about: string };

/** Everything there is; docs/observability.md has the same table. */
export const metrics = {
  uturn_records_total: {
    kind: 'counter',
    labels: ['stage', 'model', 'outcome'],
    about:
      'Records of finished shards: `made` by this worker, `adopted` from earlier attempts, or an `error` of their item',
  },
  uturn_tokens_total: {
    kind: 'counter',
    labels: ['stage', 'model'],
    about: 'Tokens generated in finished shards, by the servers’ count',
  },
  uturn_shards_total: {
    kind: 'counter',
    labels: ['stage', 'outcome'],
    about: 'Attempts at a shard: `sealed`, `cancelled`, or the kind of failure that ended it',
  },
  uturn_shard_seconds: {
    kind: 'histogram',
    labels: ['stage'],
    about: 'How long an attempt took that ended in a part',
  },
  uturn_shard_phase_seconds: {
    kind: 'histogram',
    labels: ['stage', 'phase'],
    about:
      'How long its phases took, of attempts that failed too: `adopt` what is there, `make` the rest, `seal` the part',
  },
  uturn_requests_total: {
    kind: 'counter',
    labels: ['model', 'call', 'outcome'],
    about:
      'Requests to model servers and judges, each try counted. `call`: `completion`, `chat`, `tokens`, `other`; `outcome`: `ok`, `overloaded` (429), `server_error` (5xx), `refused` (4xx), `cut`, `unreachable`, `timeout`, `stopped` (by us) …',
  },
  uturn_request_milliseconds_total: {
    kind: 'counter',
    labels: ['model'],
    about: 'Time from sending a request to its reply’s last byte, all tries added up',
  },
  uturn_requests_in_flight: {
    kind: 'gauge',
    labels: ['model'],
    about: 'Requests sent and not answered',
  },
  uturn_concurrency_limit: {
    kind: 'gauge',
    labels: ['model'],
    about: 'How many may be in flight',
  },
  uturn_heap_bytes: {
    kind: 'gauge',
    labels: [],
    about:
      'JavaScript objects that the worker has, and what of them nobody has collected yet: its low points say whether it grows',
  },
  uturn_store_operations_total: {
    kind: 'counter',
    labels: ['operation', 'outcome'],
    about:
      'Calls of the store: `read`, `create`, `list`, `append` of checkpoints; `ok`, `missing`, `exists`, or the kind of failure',
  },
  uturn_store_milliseconds_total: {
    kind: 'counter',
    labels: ['operation'],
    about: 'Time they took, added up',
  },
  uturn_store_bytes_total: {
    kind: 'counter',
    labels: ['operation'],
    about: 'Bytes they carried; those of `append` are checkpoints',
  },
  uturn_store_retries_total: {
    kind: 'counter',
    labels: ['request'],
    about: 'Requests to a bucket that were tried again: `GetObject`, `PutObject`, `ListObjectsV2` …',
  },
} as const satisfies Record<string, Metric>;

type Of<K extends Kind> = { [N in MetricName]: (typeof metrics)[N]['kind'] extends K ? N : never }[MetricName];

export type MetricName = keyof typeof metrics;
export type Labels<N extends MetricName> = Record<(typeof metrics)[N]['labels'][number], string>;

export type Metrics = {
  /** Adds to a counter. Cheap: a sum in memory until somebody looks. */
  count<N extends Of<'counter'>>(name: N, labels: Labels<N>, n?: number): void;
  /** Notes one value; dearer, so for shards and not for records. */
  observe<N extends Of<'histogram'>>(name: N, labels: Labels<N>, value: number): void;
  /** Reads the value whenever somebody looks, until released. Several under the same labels add up. */
  watch<N extends Of<'gauge'>>(name: N, labels: Labels<N>, read: () => number): () => void;
};

/** Where nobody looks. */
export const noMetrics: Metrics = { count: () => {}, observe: () => {}, watch: () => () => {} };
