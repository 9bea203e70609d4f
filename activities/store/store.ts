// The store: immutable things under paths. It only adds; who wins is decided elsewhere.

/** Paths are relative, `/`-separated, never `..`. */
export type Store = {
  /** `file:///…`, `s3://…` */
  readonly uri: string;
  /** Where an object lies, or would, as a file of this machine; null where the store holds none. */
  fileOf(path: string): string | null;
  /** Bytes of an object, or null where there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /**
   * Creates an object, whole and durable, or leaves the one that is there.
   * @throws WorldProblem `disk` or `store` when there is no room, or nobody answers
   * @throws ConfigProblem when the place is not writable
   */
  create(path: string, data: string | Uint8Array): Promise<'created' | 'exists'>;
  /** Names directly in a folder, sorted; [] where there is none. Folders end with `/`. */
  list(folder: string): Promise<string[]>;
  /** Paths of all objects below a folder, in no order: of a bucket a thousand at a time, however many folders there are. */
  below(folder: string): AsyncIterable<string>;
  /** A new segment. */
  segment(path: string): Promise<Segment>;
};

/**
 * Lines on their way to a part. In a folder they survive kill -9 of this process as soon as `append` returns. In a bucket they do
 * once they are put, 2 seconds or 200 lines later; a put that failed is told by the next `append` or by `close`, which tries again.
 */
export type Segment = {
  /** One line, or several with newlines between them; the last one's is added. */
  append(lines: string): Promise<void>;
  close(): Promise<void>;
};
