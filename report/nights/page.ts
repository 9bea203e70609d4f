// A schedule's nights as one page: what came of each, and how its cells went.
import type { NightVerdict } from '../../domain/nights/night.ts';
import { draw } from '../figures/draw.ts';
import { looksOf } from '../figures/looks.ts';
import { nightReasons, selfTest } from '../night-text.ts';
import { figureSets } from '../page/figures.ts';
import { type Markup, markup, trusted } from '../page/markup.ts';
import { tonesOf } from '../page/style/colours.ts';
import { style } from '../page/style/style.ts';
import { trendFigures } from './trend.ts';

/** `verdict`: null of a night that has none, which `state` says why. The earliest first. */
export type NightRow = { nominal: string; state: string; run: string | null; verdict: NightVerdict | null };

/** The same nights give the same bytes. No scripts, nothing from elsewhere. */
export async function nightsPage(schedule: string, rows: NightRow[]): Promise<string> {
  const nights = rows.flatMap(({ verdict }) => (verdict === null || verdict.verdict === 'broken' ? [] : [verdict]));
  const looks = looksOf(nights.flatMap(({ cells }) => cells.map(({ model }) => model)));
  const tones = tonesOf(looks);
  const figures = await draw(trendFigures(nights, looks));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${schedule}: nights</title>
<style>${trusted(style(tones))}</style>
</head>
<body>
<header>
<p class="kicker">uturn · schedule</p>
<h1><bdi>${schedule}</bdi></h1>
<p>${summary(rows)}</p>
</header>
<main>
<section id="trend" aria-labelledby="trend-title">
<h2 id="trend-title">Night by night</h2>
<p class="note">Each night by itself, with its 95 % interval. A cross marks a cell that failed: it dropped against its baseline, item by item, and not by chance.</p>
${figures.length === 0 ? markup`<p>No night has measured anything yet.</p>` : figureSets(figures, { tones, links: 'none' })}
</section>
<section id="nights" aria-labelledby="nights-title">
<h2 id="nights-title">Nights</h2>
<p class="note">Self-test: of the frozen turns, those that the judge decided as is known.</p>
<table>
<thead><tr><th scope="col">Night</th><th scope="col">Verdict</th><th scope="col">Self-test</th><th scope="col">Run</th><th scope="col">Why</th></tr></thead>
<tbody>
${rows.toReversed().map(row)}</tbody>
</table>
</section>
</main>
</body>
</html>
`.markup;
}

function row({ nominal, state, run, verdict }: NightRow): Markup {
  return markup`<tr><th scope="row">${nominal.slice(0, 16).replace('T', ' ')}Z</th><td>${state}</td><td>${verdict === null ? '' : (selfTest(verdict) ?? '–')}</td><td><code>${run ?? '–'}</code></td><td>${verdict === null ? '' : nightReasons(verdict)}</td></tr>
`;
}

function summary(rows: NightRow[]): string {
  const counts = [...Map.groupBy(rows, ({ state }) => state)].map(([state, all]) => `${all.length} ${state}`);
  return rows.length === 0 ? 'No night yet.' : `${rows.length} nights: ${counts.join(', ')}.`;
}
