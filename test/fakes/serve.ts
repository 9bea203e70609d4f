// The fake model server as a process of its own: `node test/fakes/serve.ts --port 8000`. Prints its address when it listens.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type FakeOptions, startFakeServer } from './model-server.ts';

const { values } = parseArgs({
  options: {
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
});

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
  return JSON.parse(value.startsWith('@') ? readFileSync(value.slice(1), 'utf8') : value);
}
