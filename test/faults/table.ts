// `npm run test:faults`: every way to disturb a run, and what it cost. Fails where anything was lost, doubled or paid for needlessly.
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { type Measured, measure } from './measure.ts';
import { rows } from './rows.ts';

const { values } = parseArgs({
  options: {
    /** Only rows whose name holds this. */
    only: { type: 'string', default: '' },
    /** How long the model server is gone. */
    outage: { type: 'string', default: '20' },
  },
});
const opts = { outageMs: Number(values.outage) * 1_000 };

const columns = ['kills', 'samples', 'lost', 'duplicated', 'repeated', 'in flight', 'tries', 'same hashes', 'seconds'];
const width = Math.max(...rows.map(({ name }) => name.length));
console.log(['fault'.padEnd(width), ...columns].join('  '));

const quiet = await measure({ name: 'undisturbed', play: ({ begin }) => begin() }, opts);
const measured = [show(quiet)];
// Most of a row is waiting for a death to be noticed: a few side by side take less time and disturb nobody.
const lanes = pLimit(3);
const wanted = rows.filter(({ name }) => name.includes(values.only));
const measuring = wanted.map((row) => lanes(() => measure(row, opts)));
for (const row of measuring) measured.push(show(await row));
const failed = measured.filter((passed) => !passed).length;
console.log(`${measured.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Prints a row and says whether it held. */
function show(row: Measured): boolean {
  const same = row.hashes.length > 0 && row.hashes.join() === quietHashes(row);
  const { repeats, tries } = row.allowed;
  const whole = row.lost === 0 && row.duplicated === 0 && same;
  const passed = row.trouble === null && whole && row.repeated <= repeats && row.tries <= tries;
  const cells = [
    row.kills,
    row.samples,
    row.lost,
    row.duplicated,
    row.repeated,
    row.inFlight,
    row.tries,
    same ? 'yes' : 'no',
    row.seconds.toFixed(1),
  ];
  const line = cells.map((cell, index) => String(cell).padStart(columns[index]?.length ?? 0));
  console.log(`${[row.name.padEnd(width), ...line].join('  ')}${passed ? '' : '  FAILED'}`);
  if (row.trouble !== null) console.log(row.trouble);
  return passed;
}

function quietHashes(row: Measured): string {
  return (row.name === 'undisturbed' ? row : quiet).hashes.join();
}
