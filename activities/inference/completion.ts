// What the completions API of vLLM (and ours) takes and gives, as far as uturn uses it.
import type { Sampling } from '../../domain/plan/plan.ts';
import type { TemplateMessage } from '../../domain/probe/history.ts';

export type CompletionRequest = {
  prompt: string | number[];
  max_tokens: number;
  temperature: number;
  seed: number;
  stop_token_ids: number[];
  /** Only where token ids are unknown. */
  stop: string[];
  sampling: Sampling;
};

/** `ids` and `promptIds` are null where the server does not return token ids. `ids` may end with the end token. */
export type Completion = {
  text: string;
  finish: 'stop' | 'length';
  ids: number[] | null;
  promptIds: number[] | null;
  usage: { prompt: number; completion: number };
};

/** `away`: the server was gone in between, so whoever answered in the end may be another one. */
export type Completed = { completion: Completion; requests: number; away: boolean };

/** A model server reached over HTTP. Every call throws WorldProblem or ConfigProblem, nothing else. */
export type ModelServer = {
  readonly url: string;
  /**
   * One completion; retries inside (429 by retry-after with jitter, 5xx, cut connections, time-outs), a bounded number of times.
   * @throws WorldProblem  `unreachable` (nobody listens), or what the last retry met
   * @throws ConfigProblem  refused key (401, 403), unknown model (404)
   * @throws RequestRefused  this prompt is refused (other 4xx): a matter of one item, not of the server
   */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completed>;
  /** Token ids of a text as it stands: nothing added, special tokens in it recognised. Null where the server has no `/tokenize`. */
  tokenize(text: string): Promise<number[] | null>;
  detokenize(ids: number[]): Promise<string | null>;
  /** The server's own chat template applied; null where it cannot. */
  renderChat(messages: TemplateMessage[], opts: RenderOptions): Promise<string | null>;
  /** What `/v1/models` says of the served model. `uturn` is there only on our own local server. */
  describe(): Promise<ServedModel>;
  /** Whether the server says that it was started batch-invariant; null where it says nothing about that, as most do. */
  batchInvariant(): Promise<boolean | null>;
};

/** `generation: 'assistant'` ends with the header that opens an assistant turn. */
export type RenderOptions = { generation: 'none' | 'assistant'; kwargs: Record<string, unknown> };

export type ServedModel = {
  id: string;
  max_model_len: number | null;
  /** Where the server says what it is: vLLM does. */
  engine: { name: string; version: string } | null;
  uturn: {
    weights: string;
    dtype: string;
    engine: { name: string; version: string };
    template: string;
    bos_token: string;
    eos_token: string;
  } | null;
};

/** The server refused one prompt (too long, malformed). `kind`: `context_length`, `refused`. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly kind: string;
  /** Calls that reached the server, this one included. */
  requests = 0;
  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}
