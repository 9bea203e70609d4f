// What is printed when a run has ended, or waits: the table and where the report is, or one JSON object.

import { styleText } from 'node:util';
import type { RunEnd } from '../domain/plan/boundary.ts';
import { jsonLine } from '../domain/records/json-line.ts';
import type { Summary } from '../domain/summary.ts';
import { conditionsTable } from '../report/conditions-table.ts';
import { terminalSafe } from '../report/escape.ts';
import { runJson } from '../report/json.ts';
import { type Paint, summaryTable } from '../report/table.ts';
import { usedUpText } from './budget-text.ts';
import { exit } from './exit.ts';
import { isHeldByBudget, type RunView } from './view.ts';

/** Styles where stdout is a terminal that wants them (`NO_COLOR` is honoured), plain text elsewhere. */
export const paint: Paint = (style, text) => styleText(style, text, { stream: process.stdout });

/** `report`: where the page is. */
export type Result = { summary: Summary; report: string | null };

/** Prints an ended run and returns the exit code. */
export function printEnd({ end, ...result }: Result & { end: RunEnd }, opts: { json: boolean }): number {
  printResult(result, opts);
  return sayEnd(end, result.summary);
}

/** The table and where the page is, or one JSON object: all that goes to stdout. */
export function printResult({ summary, report }: Result, opts: { json: boolean }): void {
  if (opts.json) process.stdout.write(`${jsonLine(runJson(summary, { report }))}\n`);
  else {
    process.stdout.write(`${summaryTable(summary, { width: process.stdout.columns || 100, paint })}\n`);
    if (summary.conditions !== undefined) process.stdout.write(`\n${conditionsTable(summary.conditions)}\n`);
    if (report !== null) process.stdout.write(`\nReport: ${report}\n`);
  }
}

/** Says what was wrong with a run, if anything, and returns the exit code. */
export function sayEnd(end: RunEnd, summary: Summary): number {
  for (const problem of end.problems) process.stderr.write(`\n${terminalSafe(problem)}\n`);
  if (end.state === 'complete' && summary.totals.errors > 0) {
    process.stderr.write(
      `\n${summary.totals.errors} samples ended in an error. Try them again: uturn resume ${end.run}\n`,
    );
  }
  if (end.state === 'complete') return exit.ok;
  process.stderr.write(`\n${end.run} ended ${end.state}. Go on with: uturn resume ${end.run}\n`);
  return end.state === 'failed' ? exit.failed : exit.unfinished;
}

/** Says what a run that stands still waits for. */
export function printWaiting(at: { how: 'parked' | 'paused' | 'stopped'; view: RunView }): number {
  const { view } = at;
  if (view.budget !== null && isHeldByBudget(view)) {
    process.stderr.write(`${usedUpText(view.run, view.budget)}\n`);
    return exit.unfinished;
  }
  if (at.view.trouble !== null) process.stderr.write(`${terminalSafe(at.view.trouble)}\n`);
  const reasons = new Set(at.view.campaigns.flatMap((campaign) => campaign.parked.map((one) => one.reason)));
  for (const reason of reasons) process.stderr.write(`${terminalSafe(reason)}\n`);
  process.stderr.write(
    `${at.view.run} is ${at.how}; nothing that was completed is lost. Go on with: uturn resume ${at.view.run}\n`,
  );
  return exit.unfinished;
}
