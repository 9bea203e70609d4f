// What is done to a run in its middle. Every row ends with a command that brings the run to its end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunJson } from '../../report/json.ts';
import { type BucketFault, serverError, slowDown } from '../fakes/bucket-proxy.ts';
import type { FakeOptions } from '../fakes/model-server.ts';
import type { Ran } from '../lab/command.ts';
import type { LabConfig } from '../lab/config.ts';
import type { Lab, Victim } from '../lab.ts';

export type Scene = {
  lab: Lab;
  /** Begins `uturn run sweep.yaml --json`, or goes on with what the arguments say. */
  begin(...args: string[]): Promise<Ran<RunJson>>;
  /** Returns when this share of all requests has been served. */
  at(share: number): Promise<void>;
  /** Kill -9, and counts what was in flight. */
  kill(...victims: Victim[]): Promise<void>;
  /** Cuts the newest segment in the middle of its last line. */
  tear(): Promise<void>;
  /** Name of the run under way. */
  run(): Promise<string>;
  /** Sends the worker that runs in the background a signal. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** The bucket takes nothing more for so long. */
  fill(ms: number): Promise<void>;
  outageMs: number;
};

export type Row = {
  name: string;
  fake?: FakeOptions & { process?: 'own' };
  model?: LabConfig['model'];
  /** The store lies in a bucket, and this share of the requests to it meets a fault. */
  bucket?: { rate: number; faults: BucketFault[] };
  /** Environment of the commands, and so of what they start. */
  env?: Record<string, string>;
  /** Requests that may be paid for twice beside those in flight: where two work on one shard, neither is wrong. */
  mayRepeat?: number;
  /** Times that a single request may be sent. */
  mostTries?: number;
  play(scene: Scene): Promise<Ran<RunJson>>;
};

export const rows: Row[] = [
  {
    name: 'kill -9 of the worker',
    async play({ begin, at, kill }) {
      const ended = begin();
      await at(0.3);
      await kill('worker');
      return ended;
    },
  },
  {
    name: 'kill -9 of the worker, and of the one that took over',
    async play({ begin, at, kill }) {
      const ended = begin();
      await at(0.3);
      await kill('worker');
      await at(0.5);
      await kill('worker');
      return ended;
    },
  },
  {
    name: 'the worker is told to stop (SIGTERM)',
    async play({ begin, at, signal }) {
      const ended = begin();
      await at(0.3);
      await signal('SIGTERM');
      return ended;
    },
  },
  {
    name: 'a deploy: each worker is told to stop, three times over',
    async play({ begin, at, signal }) {
      const ended = begin();
      for (const share of [0.2, 0.4, 0.6]) {
        await at(share);
        await signal('SIGTERM');
      }
      return ended;
    },
  },
  {
    name: 'the worker stands still past its heartbeats, another takes its shards, the first goes on',
    // Until a heartbeat tells the first that nobody waits for it any more.
    mayRepeat: 80,
    async play({ lab, begin, at, signal }) {
      const ended = begin();
      await at(0.3);
      await signal('SIGSTOP');
      const second = lab.begin(['worker']);
      // Temporal goes on giving work to the one that stands still, for as long as it takes its polls to end.
      try {
        await at(0.7);
      } finally {
        await signal('SIGCONT');
      }
      const ran = await ended;
      second.process.kill('SIGTERM');
      await second.done;
      return ran;
    },
  },
  {
    name: 'two runs race on the same stages',
    mayRepeat: Number.POSITIVE_INFINITY,
    async play({ lab, begin }) {
      const [first, second] = await Promise.all([begin(), lab.run(['run', 'sweep.yaml', '--new', '--json'])]);
      const hashes = async (run: string) => (await lab.hashes(run)).join();
      if ((await hashes(first.json.run)) !== (await hashes(second.json.run)))
        return { ...first, code: 1, stderr: 'the two runs hold different results' };
      return second.code === 0 ? first : second;
    },
  },
  {
    name: 'the clock jumps an hour on and two back, every second',
    env: { NODE_OPTIONS: `--import=${new URL('clock.js', import.meta.url).href}` },
    play: ({ begin }) => begin(),
  },
  {
    name: 'kill -9 of the command, then `uturn run`',
    async play({ begin, at, kill }) {
      void begin();
      await at(0.3);
      await kill('cli');
      return begin();
    },
  },
  {
    name: 'kill -9 of command and worker, then `uturn resume`',
    async play({ begin, at, kill, run }) {
      void begin();
      await at(0.3);
      await kill('cli', 'worker');
      return begin('resume', await run(), '--json');
    },
  },
  {
    name: 'kill -9 of Temporal',
    async play({ begin, at, kill }) {
      const ended = begin();
      await at(0.3);
      await kill('temporal');
      return ended;
    },
  },
  {
    name: 'kill -9 of worker and Temporal',
    async play({ begin, at, kill }) {
      const ended = begin();
      await at(0.3);
      await kill('worker', 'temporal');
      return ended;
    },
  },
  {
    name: 'kill -9 of worker, Temporal and command, then `uturn run`',
    async play({ begin, at, kill }) {
      void begin();
      await at(0.5);
      await kill('cli', 'worker', 'temporal');
      return begin();
    },
  },
  {
    name: 'kill -9 of the model server, gone for a while',
    fake: { process: 'own' },
    async play({ lab, begin, at, kill, outageMs }) {
      const ended = begin();
      await at(0.3);
      await kill('model');
      await sleep(outageMs);
      await lab.model.start();
      return ended;
    },
  },
  {
    name: 'a torn segment after kill -9 of command and worker',
    async play({ begin, at, kill, tear }) {
      void begin();
      await at(0.4);
      await kill('cli', 'worker');
      await tear();
      return begin();
    },
  },
  {
    name: '429 for a while, with retry-after',
    fake: {
      faults: [
        { fault: 429, when: { at: Array.from({ length: 60 }, (_, n) => 60 + n) }, headers: { 'retry-after': '1' } },
      ],
    },
    play: ({ begin }) => begin(),
  },
  {
    name: 'a storm of 429: no more than 3 at once are served',
    mostTries: 25,
    fake: { faults: [{ fault: 429, when: { over: 3 }, headers: { 'retry-after-ms': '200' } }] },
    play: ({ begin }) => begin(),
  },
  {
    name: '5 % of replies are 500',
    fake: { faults: [{ fault: 500, when: { rate: 0.05 } }] },
    play: ({ begin }) => begin(),
  },
  {
    name: '2 % of requests hang',
    fake: { faults: [{ fault: 'hang', when: { rate: 0.02 } }] },
    model: { timeout_s: 2 },
    play: ({ begin }) => begin(),
  },
  {
    name: '5 % of connections are cut',
    fake: { faults: [{ fault: 'cut', when: { rate: 0.05 } }] },
    play: ({ begin }) => begin(),
  },
  {
    name: 'in a bucket: kill -9 of the worker',
    bucket: { rate: 0, faults: [] },
    async play({ begin, at, kill }) {
      const ended = begin();
      await at(0.3);
      await kill('worker');
      return ended;
    },
  },
  {
    name: 'in a bucket: SIGTERM of the worker',
    bucket: { rate: 0, faults: [] },
    async play({ begin, at, signal }) {
      const ended = begin();
      await at(0.3);
      await signal('SIGTERM');
      return ended;
    },
  },
  {
    name: 'in a bucket: no room in it for 10 s',
    bucket: { rate: 0, faults: [] },
    async play({ begin, at, fill }) {
      const ended = begin();
      await at(0.3);
      await fill(10_000);
      return ended;
    },
  },
  {
    name: 'in a bucket: 10 % of its answers are 500 or SlowDown',
    bucket: { rate: 0.1, faults: [serverError, slowDown] },
    play: ({ begin }) => begin(),
  },
  {
    name: 'in a bucket: 10 % of connections are cut, before, amid and after the work',
    bucket: { rate: 0.1, faults: ['cut', 'half', 'lost'] },
    play: ({ begin }) => begin(),
  },
];
