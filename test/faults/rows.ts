// What is done to a run in its middle. Every row ends with a command that brings the run to its end.
import { setTimeout as sleep } from 'node:timers/promises';
import { listServices } from '../../local/services.ts';
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
  outageMs: number;
};

export type Row = {
  name: string;
  fake?: FakeOptions & { process?: 'own' };
  model?: LabConfig['model'];
  /** The store lies in a bucket, and this share of the requests to it meets a fault. */
  bucket?: { rate: number; faults: BucketFault[] };
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
    async play({ lab, begin, at }) {
      const ended = begin();
      await at(0.3);
      const worker = (await listServices(lab.home)).find(({ name }) => name === 'worker');
      process.kill(worker?.process.pid ?? 0, 'SIGTERM');
      return ended;
    },
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
    name: 'in a bucket: nothing',
    bucket: { rate: 0, faults: [] },
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
    name: 'in a bucket: kill -9 of command and worker, then `uturn resume`',
    bucket: { rate: 0, faults: [] },
    async play({ begin, at, kill, run }) {
      void begin();
      await at(0.3);
      await kill('cli', 'worker');
      return begin('resume', await run(), '--json');
    },
  },
  {
    name: 'in a bucket: SIGTERM of the worker',
    bucket: { rate: 0, faults: [] },
    async play({ lab, begin, at }) {
      const ended = begin();
      await at(0.3);
      const worker = (await listServices(lab.home)).find(({ name }) => name === 'worker');
      process.kill(worker?.process.pid ?? 0, 'SIGTERM');
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
