// Alerts and dashboard name metrics that exist, by labels that those have.

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { metrics } from '../../activities/metrics.ts';
import { page, tableRows } from '../docs/pages.ts';
import { compose, read } from './files.ts';

const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })) })
  .parse(parse(read('infra/watch/alerts.yml')))
  .groups.flatMap((group) => group.rules);

const panels = z
  .object({
    panels: z.array(
      z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })) }),
    ),
  })
  .parse(JSON.parse(read('infra/watch/dashboard.json'))).panels;

const scraped = z
  .object({
    scrape_configs: z.array(z.object({ static_configs: z.array(z.object({ targets: z.array(z.string()) })) })),
  })
  .parse(parse(read('infra/watch/prometheus.yml')))
  .scrape_configs.flatMap((one) => one.static_configs.flatMap(({ targets }) => targets));

/** Of the SDK's metrics those that are used here, as its page shows them. */
const theirs: Record<string, string[]> = {
  temporal_activity_schedule_to_start_latency: ['namespace', 'task_queue', 'activity_type', 'workflow_type'],
};

const ours = new Map(Object.entries(metrics).map(([name, { labels }]) => [name, [...labels, 'role']]));

type Used = { name: string; labels: string[] };

/** Metrics in an expression, each with the labels that select it or, in the whole expression, group it. */
function used(expr: string): Used[] {
  const grouping = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  return [...expr.matchAll(/\b((?:uturn|temporal)_\w+|up)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => ({
    name,
    labels: [...grouping, ...[...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label)],
  }));
}

function fault({ name, labels }: Used): string | null {
  if (name === 'up') return null;
  const base = name.replace(/_bucket$/, '');
  const known = ours.get(base) ?? theirs[base];
  if (known === undefined) return `no metric ${name}`;
  const odd = labels.filter(
    (label) => ![...known, ...(base === name ? [] : ['le']), 'job', 'instance'].includes(label),
  );
  return odd.length === 0 ? null : `${name} has no label ${odd.join(', ')}`;
}

const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

test('every metric and every label in alerts and dashboard exists', () => {
  expect(expressions.length).toBeGreaterThan(15);
  expect(expressions.flatMap((expr) => used(expr).map(fault)).filter((one) => one !== null)).toEqual([]);
  expect(expressions.filter((expr) => used(expr).length === 0)).toEqual([]);
});

test('a legend names labels that its expression groups by', () => {
  const odd = panels.flatMap(({ targets }) =>
    targets.filter(({ expr, legendFormat }) => {
      const grouping = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
      return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].some(([, label = '']) => !grouping.includes(label));
    }),
  );
  expect(odd).toEqual([]);
});

test('the dashboard leaves out no metric of ours', () => {
  const shown = panels
    .flatMap(({ targets }) => targets.flatMap(({ expr }) => used(expr)))
    .map(({ name }) => name.replace(/_bucket$/, ''));
  expect([...ours.keys()].filter((name) => !shown.includes(name))).toEqual([]);
});

test('Prometheus looks where the Compose file’s workers show their metrics', () => {
  const { services } = compose();
  const workers = ['control', 'inference', 'gpu'].map((name) => {
    const port = services[name]?.environment['UTURN_METRICS']?.split(':')[1];
    return `${name}:${port}`;
  });
  expect(scraped).toEqual([...workers, 'vllm:8000']);
});

test('docs/observability.md has the metrics that there are, with their labels', () => {
  const listed = tableRows(page('docs/observability.md'), 'metric').map(([name = '', kind, labels = '', about]) => [
    name.replaceAll('`', ''),
    kind,
    labels === '' ? [] : labels.replaceAll('`', '').split(', '),
    about,
  ]);
  expect(listed).toEqual(
    Object.entries(metrics).map(([name, { kind, labels, about }]) => [name, kind, [...labels], about]),
  );
});
