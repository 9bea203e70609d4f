// The report of a run as one HTML file: no network, no fonts or scripts from elsewhere, readable without scripts.
import { createHash } from 'node:crypto';
import type { Conversation, Summary } from '../../domain/summary.ts';
import { conversationSection } from './conversations.ts';
import { curveSection } from './curves.ts';
import { labelSection } from './labels.ts';
import { lede } from './lede.ts';
import { markup, trusted } from './markup.ts';
import { provenanceSection } from './provenance.ts';
import { resultSection } from './results.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { troubleSection } from './trouble.ts';

/** `of`: how many conversations there are, where these are a choice of them. */
export type PageOptions = { title: string; of?: number };

/**
 * The whole page. The same input gives the same bytes. All text of models, data and configs is escaped, and the
 * page's policy allows no script but its own, which only filters conversations.
 */
export function reportPage(summary: Summary, conversations: Conversation[], opts: PageOptions): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="uturn ${summary.provenance.uturn}">
<title>${opts.title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header>
<p class="kicker">uturn · run <code>${summary.run}</code></p>
<h1><bdi>${opts.title}</bdi></h1>
${lede(summary)}
</header>
<main>
${resultSection(summary)}
${curveSection(summary)}
${labelSection(summary)}
${troubleSection(summary)}
${conversationSection(summary, conversations, opts.of ?? conversations.length)}
${provenanceSection(summary)}
</main>
<script>${trusted(script)}</script>
</body>
</html>
`.markup;
}

const digest = createHash('sha256').update(script).digest('base64');
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
