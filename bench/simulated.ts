// `npm run bench:coverage`: whether intervals hold the truth, and verdicts raise alarms, as often as they say. Exit code 1 where not.
import { lineOf, measure, summaryOf } from './simulated/check.ts';
import { intervalChecks } from './simulated/intervals.ts';
import { designs, nightChecks } from './simulated/nights.ts';
import { verdictChecks } from './simulated/verdicts.ts';

const [given = '1000'] = process.argv.slice(2);
const seeds = Number(given);
if (!Number.isInteger(seeds) || seeds < 1) {
  console.error(`Usage: npm run bench:coverage -- [seeds]\n\n${given} is no number of seeds; 1000 unless said.`);
  process.exit(2);
}
const measured = [...intervalChecks(), ...verdictChecks(), ...nightChecks(designs)].map((check) => {
  const one = measure(check, seeds);
  console.log(lineOf(one));
  return one;
});
console.log(summaryOf(measured));
process.exitCode = measured.every(({ kept }) => kept) ? 0 : 1;
