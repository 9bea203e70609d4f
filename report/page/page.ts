// The report of a run as one HTML file: no network, no fonts or scripts from elsewhere, readable without scripts.
import { createHash } from 'node:crypto';
import type { Cell } from '../../domain/summary.ts';
import { looksOf } from '../figures/looks.ts';
import type { Report } from '../report.ts';
import { besideSection } from './beside.ts';
import { conditionSection } from './conditions.ts';
import { conversationSection } from './conversations.ts';
import { curveSection } from './curves.ts';
import { familySection } from './families.ts';
import { filterBar } from './filters.ts';
import { labelSection } from './labels.ts';
import { lede } from './lede.ts';
import { type Markup, markup, trusted } from './markup.ts';
import { provenanceSection } from './provenance.ts';
import { resultSection } from './results.ts';
import { scatterSection } from './scatter.ts';
import { early, script } from './script.ts';
import { tonesOf } from './style/colours.ts';
import { style } from './style/style.ts';
import { tookSection } from './took.ts';
import { troubleSection } from './trouble.ts';

/** `companions`: whether the other files of the report lie beside the page. */
export type PageOptions = { title: string; companions?: 'beside' | 'none' };

/**
 * The whole page. The same input gives the same bytes. All text of models, data and configs is escaped, and the
 * page's policy allows no script but its own, which only hides what was not asked for.
 */
export function reportPage(report: Report, { title, companions = 'none' }: PageOptions): string {
  const { summary, conversations, failures, reference, figures } = report;
  const { cells } = summary;
  const looks = looksOf(cells.map(({ model }) => model));
  const tones = tonesOf(looks);
  const showing = { tones, links: companions };
  const sections: [name: string, section: Markup | null][] = [
    ['Results', resultSection(summary)],
    ['By condition', conditionSection(summary)],
    ['By temperature', curveSection(cells, figures.curves, showing)],
    ['Accuracy against follow-up', scatterSection(cells, figures.scatter, showing)],
    ['What the user turns were', labelSection(summary, figures.labels, showing)],
    ['By family', familySection(cells, figures.families, { ...showing, reference })],
    ['Beside the paper', besideSection(summary, reference)],
    ['What failed', troubleSection(summary, failures)],
    ['What it took', tookSection(summary)],
    ['Conversations', conversationSection(summary, conversations)],
    ['How it was made', provenanceSection(summary)],
  ];
  const there = sections.flatMap(([name, section]) => (section === null ? [] : [{ name, section }]));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="uturn ${summary.provenance.uturn}">
<title>${title}</title>
<style>${trusted(style(tones))}</style>
<script>${trusted(early)}</script>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header>
<p class="kicker">uturn · run <code>${summary.run}</code></p>
<h1><bdi>${title}</bdi></h1>
${lede(summary)}
${companions === 'none' ? null : beside}
<nav aria-label="Contents"><ol>${there.map(({ name, section }) => markup`<li><a href="#${idOf(section)}">${name}</a></li>`)}</ol></nav>
</header>
<main>
${filterBar('Filter the page', [
  { field: 'model', name: 'Model', values: cells.map(({ model }) => model) },
  { field: 'data', name: 'Data', values: cells.map(({ data }) => data) },
  { field: 'temperature', name: 'Temperature', values: temperaturesOf(cells) },
])}
${there.map(({ section }) => [section, '\n'])}</main>
<script>${trusted(script)}</script>
</body>
</html>
`.markup;
}

const beside = markup`<p class="note">Also as <a href="report.md">Markdown</a>, <a href="cells.csv">cells as CSV</a>, and every figure as SVG and as its Vega-Lite
specification, under <code>figures/</code>.</p>`;

function idOf({ markup }: Markup): string {
  return /^<section id="([a-z]+)"/.exec(markup)?.[1] ?? '';
}

function temperaturesOf(cells: Cell[]): string[] {
  return [...new Set(cells.map(({ temperature }) => temperature))].sort((a, b) => a - b).map(String);
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64');
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digestOf(early)}' 'sha256-${digestOf(script)}'; base-uri 'none'; form-action 'none'`;
