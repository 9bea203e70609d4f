// The report as Markdown: the same tables, and figures by their files. For repositories, and for whoever quotes numbers.
import type { Summary } from '../../domain/summary.ts';
import { costText, judgingText } from '../cost.ts';
import type { Drawn } from '../figures/draw.ts';
import { grouped } from '../numbers.ts';
import { lede } from '../page/lede.ts';
import { plain } from '../page/markup.ts';
import type { Report } from '../report.ts';
import { md } from './escape.ts';
import { conditionTable, failureTable, familyTable, labelTable, publishedTable, resultTable } from './tables.ts';

export function reportMarkdown(report: Report): string {
  const { summary, figures, failures, reference } = report;
  const { cells } = summary;
  const sections: [title: string, parts: (string | null)[]][] = [
    [
      'Results',
      [
        resultTable(cells),
        'Brackets are 95 % intervals; n is the number of user turns that were judged, undecided ones among them.',
      ],
    ],
    ['By condition', [conditionTable(summary)]],
    ['By temperature', [images(figures.curves)]],
    ['Accuracy against follow-up', [images(figures.scatter)]],
    ['What the user turns were', [images(figures.labels), labelTable(cells)]],
    ['By family', [images(figures.families), familyTable(cells)]],
    ['Beside the paper', [publishedTable(summary, reference)]],
    ['What failed or was cut off', [failureTable(failures)]],
    ['What it took', [took(summary)]],
    ['How it was made', [provenance(summary)]],
  ];
  const written = sections.flatMap(([title, parts]) => {
    const there = parts.filter((part) => part !== null && part !== '');
    return there.length === 0 ? [] : [`## ${title}`, ...there];
  });
  const words = plain(lede(summary))
    .split('\n')
    .map((line) => line.trim());
  return `${[`# ${md(summary.name)}`, ...paragraphs(words), ...written].join('\n\n')}\n`;
}

function paragraphs(lines: string[]): string[] {
  return lines.filter((line) => line !== '').map(md);
}

function images(figures: Drawn[]): string | null {
  if (figures.length === 0) return null;
  return figures
    .map(({ name, title, data }) => `![${md(data === null ? title : `${title}, ${data}`)}](figures/${name}.svg)`)
    .join('\n');
}

function took(summary: Summary): string {
  const { totals } = summary;
  const [judging, cost] = [judgingText(summary), costText(summary)];
  const tokens = `${grouped(totals.prompt_tokens)} tokens in prompts and ${grouped(totals.completion_tokens)} generated`;
  return md(
    `${tokens}${judging === null ? '' : `; judging took ${judging}`}.${cost === null ? '' : ` Cost: ${cost}.`}`,
  );
}

function provenance({ provenance: its }: Summary): string {
  const lines: [string, string][] = [
    ['Run', its.run],
    ['Plan', its.plan],
    ...its.models.map(({ id, weights, address, engine, template, reasoning }): [string, string] => [
      'Model',
      [
        id,
        engine,
        weights === null ? `at ${address ?? 'an unknown address'}` : `weights ${weights}`,
        `template ${template}`,
        ...(reasoning ? [`reasoning ${reasoning}`] : []),
      ].join(', '),
    ]),
    ...its.data.map(({ id, adapter, file, items, count, limit }): [string, string] => [
      'Data',
      `${id}, ${grouped(Math.min(limit ?? count, count))} of ${grouped(count)} items, read as ${adapter}, file ${file}, items ${items}`,
    ]),
    ['Judge', its.judge],
    [
      'Sampling',
      Object.entries(its.sampling)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ],
    ['Token limits', `answer ${its.max_tokens.assistant}, user turn ${its.max_tokens.user}`],
    ...(its.system === undefined
      ? []
      : [['System message', its.system === '' ? 'empty' : its.system] as [string, string]]),
    ['Seed', String(its.seed)],
    ['Made with', `uturn ${its.uturn}`],
  ];
  return lines.map(([name, value]) => `- ${name}: ${md(value)}`).join('\n');
}
