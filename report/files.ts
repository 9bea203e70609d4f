// A report as a folder: the page, Markdown, the cells as CSV, and every figure as SVG and as its specification.
import { cellsCsv } from './csv.ts';
import type { Drawn } from './figures/draw.ts';
import { standalone } from './figures/standalone.ts';
import { reportMarkdown } from './markdown/markdown.ts';
import { reportPage } from './page/page.ts';
import type { Report } from './report.ts';

/** `path`: relative, `/`-separated, in letters that every file system takes. */
export type ReportFile = { path: string; text: string };

/** The same report gives the same files, byte by byte. */
export async function reportFiles(report: Report): Promise<ReportFile[]> {
  const { summary, figures } = report;
  const drawn = [...figures.curves, ...figures.scatter, ...figures.labels, ...figures.families];
  return [
    { path: 'report.html', text: reportPage(report, { title: summary.name, companions: 'beside' }) },
    { path: 'report.md', text: reportMarkdown(report) },
    { path: 'cells.csv', text: cellsCsv(summary) },
    ...(await standalone(drawn)).flatMap(filesOf),
  ];
}

function filesOf({ name, spec, svg }: Drawn): ReportFile[] {
  return [
    { path: `figures/${name}.svg`, text: `${svg}\n` },
    { path: `figures/${name}.vl.json`, text: `${JSON.stringify(spec, null, 1)}\n` },
  ];
}
