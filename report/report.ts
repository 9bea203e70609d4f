// Everything a report is made of, gathered once: page, Markdown and files are drawn from it.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRun } from '../activities/run/documents.ts';
import { getPlan } from '../activities/store/plans.ts';
import type { Store } from '../activities/store/store.ts';
import { type Reference, reference } from '../domain/reference.ts';
import type { Summary } from '../domain/summary.ts';
import { type Chosen, conversations } from './conversations.ts';
import { type Failures, failuresOf } from './failures.ts';
import { familyFigure, labelFigures } from './figures/bars.ts';
import { curveFigures } from './figures/curves.ts';
import { type Drawn, draw } from './figures/draw.ts';
import { looksOf } from './figures/looks.ts';
import { scatterFigures } from './figures/scatter.ts';

export type ReportFigures = { curves: Drawn[]; scatter: Drawn[]; labels: Drawn[]; families: Drawn[] };

export type Report = {
  summary: Summary;
  conversations: Chosen;
  failures: Failures;
  /** The paper's figures; null where nothing is held against them. */
  reference: Reference | null;
  figures: ReportFigures;
};

/** Reads the run's documents and a bounded number of its parts. */
export async function gather(store: Store, summary: Summary): Promise<Report> {
  const doc = await readRun(store, summary.run);
  const plan = await getPlan(store, doc.plan);
  return {
    summary,
    conversations: await conversations(store, doc, plan),
    failures: await failuresOf(store, doc, plan),
    reference: paper(),
    figures: await figuresOf(summary),
  };
}

/** Drawn one after another: Vega keeps one core busy anyway. */
export async function figuresOf({ cells }: Summary): Promise<ReportFigures> {
  if (cells.length === 0) return { curves: [], scatter: [], labels: [], families: [] };
  const looks = looksOf(cells.map(({ model }) => model));
  const families = familyFigure(cells);
  return {
    curves: await draw(curveFigures(cells, looks)),
    scatter: await draw(scatterFigures(cells, looks)),
    labels: await draw(labelFigures(cells, looks)),
    families: await draw(families === null ? [] : [families]),
  };
}

/** The paper's figures as they come with uturn, from the sources or from their build one folder deeper. */
export function paper(): Reference {
  const places = ['..', '../..'].map((up) =>
    fileURLToPath(new URL(`${up}/configs/reference/probe.json`, import.meta.url)),
  );
  const path = places.find(existsSync) ?? places[0] ?? '';
  return reference.parse(JSON.parse(readFileSync(path, 'utf8')));
}
