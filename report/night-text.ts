// A night's verdict in words: for a terminal, a chat, a pull request and a CI job.
import { inWords, isAsKnown, type JudgeFinding } from '../domain/nights/judge-test.ts';
import type { NightVerdict } from '../domain/nights/night.ts';
import type { CellFinding } from '../domain/nights/regression.ts';

const words: Record<NightVerdict['verdict'], string> = {
  pass: 'passed',
  fail: 'FAILED',
  inconclusive: 'no answer',
  broken: 'BROKEN',
};

const reasons: Record<CellFinding['reason'], string> = {
  dropped: 'it dropped, and not by chance',
  drop_excluded: 'a drop that matters is excluded',
  nothing_to_compare: 'there is nothing to compare it with',
  too_few: 'too few items for any drop to fail',
  maybe_chance: 'it dropped, perhaps by chance',
  drop_not_excluded: 'a drop that matters is not excluded',
};

/** One line. */
export function nightLine(night: NightVerdict): string {
  const { schedule, nominal, verdict, problem, cells } = night;
  const failed = cells.filter((cell) => cell.verdict === 'fail');
  const first = failed[0];
  const why = problem?.split('\n')[0] ?? (first === undefined ? null : `${cellName(first)}: ${change(first)}`);
  const more = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
  return `${schedule}, night of ${nominal}: ${words[verdict]}${why === null ? '' : ` (${why}${more})`}${tried(night)}`;
}

function tried(night: NightVerdict): string {
  const said = selfTest(night);
  return said === null ? '' : `; self-test ${said}`;
}

/** How many of the frozen turns the judge decided as is known: `23 of 24`; null where none that is a model was tried. */
export function selfTest({ self_test: found }: NightVerdict): string | null {
  return found === undefined ? null : `${found.agreed} of ${found.of}`;
}

/** Why a night is what it is: its problem, or the cells that failed. */
export function nightReasons({ problem, cells }: NightVerdict): string {
  const failed = cells.filter((cell) => cell.verdict === 'fail');
  return problem ?? failed.map((cell) => `${cellName(cell)}: ${change(cell)}`).join('; ');
}

/** The verdict with a table of its cells, the failed ones first. */
export function nightMarkdown(night: NightVerdict): string {
  const order = ['fail', 'inconclusive', 'pass'];
  const rows = night.cells
    .toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
    .map(
      (cell) =>
        `| ${[cellName(cell), words[cell.verdict], change(cell), p(cell.p_adjusted), percent(cell.detectable), reasons[cell.reason]].map(escaped).join(' | ')} |`,
    );
  const against = night.baseline.length === 0 ? 'nothing: there is no earlier night' : night.baseline.join(', ');
  const table = [
    '| cell | verdict | change (95 % interval) | adjusted p | detectable drop | why |',
    '|---|---|---|---|---|---|',
    ...rows,
  ];
  return [
    `## ${escaped(nightLine(night))}`,
    '',
    `Run \`${night.run}\`, held against ${escaped(against)}.`,
    ...(night.self_test === undefined ? [] : ['', escaped(judgeInWords(night.self_test))]),
    ...(rows.length > 0 ? ['', ...table] : []),
    '',
  ].join('\n');
}

function judgeInWords({ judge, turns, agreed, of, since, changed }: JudgeFinding): string {
  const otherwise = turns.filter((one) => !isAsKnown(one)).map(inWords);
  const said = `Self-test: the judge ${judge} decided ${agreed} of ${of} frozen turns as is known`;
  const against = changed === null ? '' : `, and ${changed} otherwise than on ${since}`;
  return `${said}${against}.${otherwise.length === 0 ? '' : ` Otherwise: ${otherwise.join('; ')}.`}`;
}

/** One test case a cell: failed where the gate fails, skipped where there is no answer, an error where the night is broken. */
export function nightJunit(night: NightVerdict): string {
  const count = (verdict: CellFinding['verdict']) => night.cells.filter((cell) => cell.verdict === verdict).length;
  const broken = night.verdict === 'broken' ? 1 : 0;
  const cases = night.cells.map((cell) => {
    const said = `${change(cell)}: ${reasons[cell.reason]}`;
    const inside = {
      pass: '',
      fail: `<failure message="${xml(said)}"/>`,
      inconclusive: `<skipped message="${xml(said)}"/>`,
    };
    return `  <testcase classname="${xml(night.schedule)}" name="${xml(cellName(cell))}">${inside[cell.verdict]}</testcase>`;
  });
  if (broken > 0)
    cases.push(
      `  <testcase classname="${xml(night.schedule)}" name="the night"><error message="${xml(night.problem ?? '')}"/></testcase>`,
    );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${xml(night.run)}" timestamp="${xml(night.nominal)}" tests="${cases.length}" failures="${count('fail')}" errors="${broken}" skipped="${count('inconclusive')}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}

export function cellName({ model, data, temperature, measure }: CellFinding): string {
  return `${model} · ${data} · T ${temperature} · ${measure === 'follow_up' ? 'genuine follow-ups' : 'accuracy'}`;
}

function change({ before, after, difference, low, high }: CellFinding): string {
  if (difference === null) return '–';
  return `${percent(before)} → ${percent(after)}, ${signed(difference)} (${signed(low)} to ${signed(high)})`;
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}

function signed(share: number | null): string {
  return share === null ? '–' : `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`;
}

function p(value: number | null): string {
  if (value === null) return '–';
  return value < 0.001 ? '< 0.001' : value.toFixed(3);
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#]/g, '\\$&').replaceAll('\n', ' ');
}

// What XML 1.0 cannot hold, however it is written, is left out.
// oxlint-disable-next-line no-control-regex
const unspeakable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function xml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
  return text.replace(unspeakable, '').replace(/[&<>"\n]/g, (sign) => names[sign] ?? sign);
}
