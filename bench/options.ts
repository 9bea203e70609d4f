// What the bench is asked to do.
import { parseArgs } from 'node:util';

export const usage = `Usage: npm run bench -- [options]

  --only <names>      these, separated by commas; --list names them (default: all)
  --latency <list>    latencies of the model server in ms (default: 0,50,1000)
  --in-flight <list>  requests in flight at once (default: 64,256)
  --n <count>         items (default: 10000; 1000 at a latency of 1 s)
  --rounds <count>    rounds, interleaved (default: 5)
  --quick             a small run that shows that everything works: 200 items, 0 ms, 16 in flight, one round
  --profile <folder>  CPU profiles of every Node process of a contestant go there
  --json              one JSON object on stdout in place of the table
  --list              what there is to measure
  --help              this
`;

export type Options = {
  only: string[] | null;
  latencies: number[];
  inFlight: number[];
  items: number | null;
  rounds: number;
  profile: string | null;
  json: boolean;
  show: 'results' | 'list' | 'help';
};

/** @throws Error  an option is unknown, or no number stands where one must */
export function optionsOf(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      latency: { type: 'string' },
      'in-flight': { type: 'string' },
      n: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  const numbers = (name: string, given: string | undefined, otherwise: number[]) =>
    given === undefined ? otherwise : given.split(',').map((one) => count(name, one));
  return {
    only: values.only?.split(',').map((name) => name.trim()) ?? null,
    latencies: numbers('--latency', values.latency, quick ? [0] : [0, 50, 1_000]),
    inFlight: numbers('--in-flight', values['in-flight'], quick ? [16] : [64, 256]),
    items: values.n === undefined ? (quick ? 200 : null) : count('--n', values.n),
    rounds: values.rounds === undefined ? (quick ? 1 : 5) : count('--rounds', values.rounds),
    profile: values.profile ?? null,
    json: values.json,
    show: values.help ? 'help' : values.list ? 'list' : 'results',
  };
}

function count(name: string, text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text.trim()) && Number.isSafeInteger(number)) return number;
  throw new Error(`${name}: ${JSON.stringify(text)} is no whole number`);
}
