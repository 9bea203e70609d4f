// The values of infra/ against Temporal's chart: runs where `helm` is on PATH and UTURN_TEMPORAL_CHART names the chart's
// folder (`helm pull temporal --repo https://go.temporal.io/helm-charts --version 1.6.0 --untar`).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { runCommand } from '../../local/command.ts';
import { programOnPath } from '../../local/temporal.ts';
import { read, root } from '../infra/files.ts';

const chart = process.env['UTURN_TEMPORAL_CHART'] ?? '';
const runs = chart !== '' && programOnPath('helm', process.env) !== null;

const yaml = (text: string): unknown => parse(text, { merge: true });

test.runIf(runs)('the chart takes the values, and makes of them what they say', async () => {
  const made = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) });
  const render = async (...more: string[]) => {
    const args = ['template', 'temporal', chart, '--values', 'infra/temporal/values.yaml', ...more];
    const end = await runCommand('helm', args, { cwd: root });
    expect(end).toMatchObject({ code: 0 });
    return end.stdout;
  };
  const plain = await render();
  const names = parseAllDocuments(plain).flatMap((one) => {
    const object = made.safeParse(one.toJS());
    return object.success ? [`${object.data.kind} ${object.data.metadata.name}`] : [];
  });
  expect(names).toEqual(
    expect.arrayContaining(['frontend', 'history', 'matching', 'worker'].map((one) => `Deployment temporal-${one}`)),
  );
  expect(plain).toContain('temporal operator namespace create -n uturn --retention 30d');
  expect(plain).toContain('connectAddr: postgres.lab:5432');

  const both = ['internode', 'frontend'].flatMap((side) => ['--set', `server.tls.${side}.enabled=true`]);
  expect(await render(...both)).toContain('requireClientAuth: true');
});

test.runIf(runs)('every value is one that the chart knows: helm would say nothing of others', () => {
  // What the chart hands on as it is, to Kubernetes or to the server.
  const free = [
    'server.config.persistence.datastores',
    'server.resources',
    'podDisruptionBudget',
    'namespaces.namespace',
  ];
  const paths = (node: unknown, at = ''): string[] => {
    const fields = z.record(z.string(), z.unknown()).safeParse(node);
    if (!fields.success || free.some((one) => at.endsWith(one))) return [at];
    return Object.entries(fields.data).flatMap(([name, value]) => paths(value, at === '' ? name : `${at}.${name}`));
  };
  const known = (node: unknown, [name = '', ...rest]: string[]): boolean => {
    const fields = z.record(z.string(), z.unknown()).safeParse(node);
    return fields.success && name in fields.data && (rest.length === 0 || known(fields.data[name], rest));
  };
  const theirs = yaml(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const ours = paths(yaml(read('infra/temporal/values.yaml')));
  expect(ours.length).toBeGreaterThan(30);
  expect(ours.filter((path) => !known(theirs, path.split('.')))).toEqual([]);
});
