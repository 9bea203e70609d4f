// The fake model server as a process of its own: `node test/fakes/serve.ts --port 8000`. Prints its address when it listens.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FakeOptions, startFakeServer } from './model-server.ts';

const usage = `Usage: node test/fakes/serve.ts [options]

  --port <n>               where to listen on 127.0.0.1 (default: a free port)
  --model <name>           name of the model it serves (default: fake-chat)
  --dialect <name>         vllm, or plain for a server without a tokenizer (default: vllm)
  --latency-ms <n>         before each answer (default: 0)
  --tokens-per-second <n>  how fast it generates (default: at once)
  --api-key <key>          the key that it asks for (default: none)
  --context-length <n>     tokens of its context (default: 32768)
  --seed <n>               of everything it makes up (default: 0)
  --world <json>           rates of the world and its right answers; @file reads a file
  --faults <json>          list of fault rules; @file reads a file
  --help                   this
`;

const { values } = read(() =>
  parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      port: { type: 'string', default: '0' },
      model: { type: 'string', default: 'fake-chat' },
      dialect: { type: 'string', default: 'vllm' },
      'latency-ms': { type: 'string', default: '0' },
      'tokens-per-second': { type: 'string' },
      'api-key': { type: 'string' },
      'context-length': { type: 'string', default: '32768' },
      seed: { type: 'string', default: '0' },
      /** JSON, or @file with JSON: rates of the world, and its key of right answers. */
      world: { type: 'string', default: '{}' },
      /** JSON, or @file with JSON: a list of fault rules. */
      faults: { type: 'string', default: '[]' },
    },
  }),
);
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}

const rate = values['tokens-per-second'];
const opts: FakeOptions = {
  port: Number(values.port),
  model: values.model,
  dialect: values.dialect === 'plain' ? 'plain' : 'vllm',
  latencyMs: Number(values['latency-ms']),
  tokensPerSecond: rate === undefined ? null : Number(rate),
  apiKey: values['api-key'] ?? null,
  contextLength: Number(values['context-length']),
  seed: Number(values.seed),
  world: json(values.world),
  faults: json(values.faults),
};
const server = await startFakeServer(opts);
console.log(server.url);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());

function json(value: string) {
  return read(() => JSON.parse(value.startsWith('@') ? readFileSync(value.slice(1), 'utf8') : value));
}

/** What is wrong with the command line is said in a sentence. */
function read<T>(parse: () => T): T {
  try {
    return parse();
  } catch (problem) {
    process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n\n${usage}`);
    process.exit(2);
  }
}
