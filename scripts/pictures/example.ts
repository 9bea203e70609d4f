// A report to take pictures of: four models that are none answer two made-up data sets at three temperatures, and a judge that is none
// judges them. The run is a real one. node scripts/pictures/example.ts <folder>
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunJson } from '../../report/json.ts';
import { says, startFakeJudge, verdictReply } from '../../test/fakes/judge-server.ts';
import { startFakeServer } from '../../test/fakes/model-server.ts';
import type { World } from '../../test/fakes/world.ts';
import { labData, labItems } from '../../test/lab/config.ts';
import { Lab } from '../../test/lab.ts';

const temperatures = [0, 0.5, 1];
/** Shares at the lowest temperature and at the highest. */
type Habits = { wrong: [number, number]; genuine: [number, number]; else: keyof World['user'] };
const models: Record<string, Habits> = {
  'grey-1b': { wrong: [0.62, 0.75], genuine: [0.02, 0.12], else: 'restate_question' },
  'grey-9b': { wrong: [0.3, 0.38], genuine: [0.03, 0.3], else: 'restate_question' },
  'grey-70b': { wrong: [0.08, 0.1], genuine: [0.01, 0.22], else: 'restate_question' },
  'rose-20b': { wrong: [0.15, 0.22], genuine: [0.12, 0.5], else: 'restate_answer' },
};

await using stack = new AsyncDisposableStack();
const items = labItems(120);
const key = Object.fromEntries(items.map(({ question, answer }) => [question, answer]));
const lab = stack.use(await Lab.start({ services: 'ended' }));
const judge = stack.use(await startFakeJudge(({ turn }) => says(verdictReply(...verdict(turn)))));
await lab.write('pens.jsonl', labData(items));
await lab.write('few.jsonl', labData(items.slice(0, 48)));
const config = await lab.config({
  name: 'example',
  models: await Promise.all(
    Object.entries(models).map(async ([id, habits], at) => ({
      id,
      url: await modelServer(habits),
      model: 'fake-chat',
      weights: String(at).repeat(64),
      concurrency: 4,
    })),
  ),
  data: [
    { set: 'jsonl', id: 'pens', path: 'pens.jsonl' },
    { set: 'jsonl', id: 'few-pens', path: 'few.jsonl' },
  ],
  temperatures,
  judge: { llm: { model: 'judge', weights: 'e'.repeat(64), url: judge.url, max_tokens: 300, concurrency: 4 } },
});
let ran = await lab.run<RunJson>(['run', config, '--json']);
// On a busy machine a command may give up on its worker; the run goes on where it was.
for (let again = 0; ran.code !== 0 && again < 3; again += 1) ran = await lab.run<RunJson>(['run', config, '--json']);
if (ran.code !== 0) throw new Error(ran.stderr);
const told = await lab.run(['report', ran.json.run, '--out', resolve(process.argv[2] ?? 'example-report')]);
process.stdout.write(told.stdout);

/** One server of habits for each temperature, behind one address. */
async function modelServer({ wrong, genuine, else: rest }: Habits): Promise<string> {
  const between = ([low, high]: [number, number], temperature: number) => low + (high - low) * temperature ** 2;
  const servers = await Promise.all(
    temperatures.map(async (temperature) => {
      const left = 1 - between(genuine, temperature);
      const none = { restate_question: 0, restate_answer: 0, empty: 0.06 * left, artifact: 0.14 * left };
      const world = { key, answers: { wrong: between(wrong, temperature) }, user: { ...none, [rest]: 0.8 * left } };
      return stack.use(await startFakeServer({ world }));
    }),
  );
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { temperature = 0 } = (body === '' ? {} : JSON.parse(body)) as { temperature?: number };
    const server = servers[Math.max(0, temperatures.indexOf(temperature))];
    const reply = await fetch(`${server?.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body !== '' && { body }),
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  };
  // A connection that broke is the run's to try again.
  const router = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  await new Promise<void>((done) => router.listen(0, '127.0.0.1', done));
  stack.defer(() => {
    router.closeAllConnections();
    router.close();
  });
  return `http://127.0.0.1:${(router.address() as AddressInfo).port}`;
}

/** What the rules leave open: the fake's follow-ups end in a question, its debris does not. */
function verdict(turn: string): [label: string, genuine: boolean] {
  if (turn.trimEnd().endsWith('?') || turn.includes('check the part')) return ['plausible_followup', true];
  return turn.includes('How many pens') ? ['previous_turn_restate', false] : ['malformed_artifact', false];
}
