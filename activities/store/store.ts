// The store: immutable things under paths. It only adds; who wins is decided elsewhere.

/** Paths are relative, `/`-separated, never `..`. */
export type Store = {
  /** `file:///…` */
  readonly uri: string;
  /** Bytes of an object, or null where there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /**
   * Creates an object, whole and durable, or leaves the one that is there.
   * @throws WorldProblem `disk` when the disk is full or gone
   * @throws ConfigProblem when the place is not writable
   */
  create(path: string, data: string | Uint8Array): Promise<'created' | 'exists'>;
  /** Names directly in a folder, sorted; [] where there is none. Folders end with `/`. */
  list(folder: string): Promise<string[]>;
  /** A new segment: lines that survive kill -9 of this process as soon as `append` returns. */
  segment(path: string): Promise<Segment>;
};

export type Segment = {
  /** One line, or several with newlines between them; the last one's is added. */
  append(lines: string): Promise<void>;
  close(): Promise<void>;
};
