// The page's looks: system fonts, two colours with a meaning, light and dark, narrow and wide, screen and print.

const colours = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #1c1d1f; --soft: #5a5d63; --rule: #dcdcd6; --wash: #f3f3ee; --shade: #0003;
  --accuracy: #1f5fa8; --accuracy-wash: #c9dbf0;
  --follow-up: #a8480f; --follow-up-wash: #f3d3bd;
  --bad: #a61b2b; --bad-wash: #f7dcde; --link: #1f5fa8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --ink: #e7e6e2; --soft: #a3a6ab; --rule: #35383d; --wash: #1f2226; --shade: #000a;
    --accuracy: #7fb2ec; --accuracy-wash: #24405f;
    --follow-up: #f0a06a; --follow-up-wash: #5b361f;
    --bad: #f2929b; --bad-wash: #4a2127; --link: #8dbbf0;
  }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --ink: #000; --soft: #444; --rule: #bbb; --wash: #fff; --shade: transparent;
    --accuracy: #1f5fa8; --accuracy-wash: #c9dbf0; --follow-up: #a8480f; --follow-up-wash: #f3d3bd;
    --bad: #a61b2b; --bad-wash: #fff; --link: #000;
  }
}
`;

const text = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 3rem) 5rem; max-width: 72rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 Charter, 'Bitstream Charter', 'Iowan Old Style', 'Palatino Linotype', 'Source Serif 4', Georgia, serif;
  overflow-wrap: break-word;
}
h1, h2, h3, p, dl, figure { margin: 0; }
h1 { font-size: clamp(1.9rem, 1.4rem + 2.2vw, 2.9rem); line-height: 1.12; font-weight: 600; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.4rem; line-height: 1.25; font-weight: 600; margin: 3.5rem 0 1rem; padding-top: 0.9rem; border-top: 1px solid var(--rule); }
header > p, section > p { max-width: 44rem; text-wrap: pretty; }
.lede { font-size: 1.2rem; line-height: 1.5; margin: 1rem 0 0.9rem; }
.kicker { color: var(--soft); font-size: 0.9rem; margin-bottom: 0.5rem; }
.note { color: var(--soft); font-size: 0.92rem; margin-top: 0.8rem; max-width: 44rem; }
.on, .sample { color: var(--soft); font-weight: 400; }
strong.accuracy { color: var(--accuracy); }
strong.follow-up { color: var(--follow-up); }
code { font: 0.86em/1.4 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.15em; }
abbr { text-decoration: none; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.4rem 0.8rem; }
[hidden] { display: none !important; }
`;

const tables = `
.scroll {
  overflow-x: auto;
  background:
    linear-gradient(90deg, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(270deg, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(90deg, var(--shade), transparent) left 0 top 1px / 0.8rem calc(100% - 2px) no-repeat scroll,
    linear-gradient(270deg, var(--shade), transparent) right 0 top 1px / 0.8rem calc(100% - 2px) no-repeat scroll;
}
table, figcaption, .legend, .filters, .who, .foot, .badges, .where, h3, .kicker, svg text {
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
}
table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; font-variant-numeric: tabular-nums lining-nums; }
th, td { padding: 0.4rem 0.9rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { color: var(--soft); font-weight: 500; vertical-align: bottom; }
.number { text-align: right; white-space: nowrap; }
th.number + td.number { padding-left: 0.3rem; }
tbody th { font-weight: 500; }
.none { color: var(--soft); }
.results { width: 100%; }
:is(.results, .trouble) .group th { padding: 1.1rem 0 0.35rem; font-size: 1rem; font-weight: 600; }
:is(.results, .trouble) .group span:first-child { position: sticky; left: 0; }
.results td.rate { white-space: nowrap; min-width: 10.5rem; width: 30%; padding-right: 1.6rem; }
:is(.results, .trouble) tbody tr:last-child > * { border-bottom-color: transparent; }
.mark { display: block; position: relative; height: 9px; margin-top: 3px; border-inline: 1px solid var(--rule); }
.mark::before { content: ''; position: absolute; inset: 4px 0 auto; border-top: 1px solid var(--rule); }
.mark i { position: absolute; }
.mark .interval { top: 3px; height: 3px; min-width: 2px; border-radius: 1.5px; background: var(--tone); opacity: 0.55; }
.mark .core { top: 1px; height: 7px; min-width: 2px; border-radius: 1px; background: var(--tone); opacity: 0.6; }
.mark .value { top: 0; height: 9px; width: 3px; margin-left: -1.5px; border-radius: 1px; background: var(--tone); }
.accuracy { --tone: var(--accuracy); --tone-wash: var(--accuracy-wash); }
.follow-up { --tone: var(--follow-up); --tone-wash: var(--follow-up-wash); }
.state { padding: 0.05rem 0.45rem; border-radius: 1rem; font-size: 0.85rem; background: var(--wash); color: var(--soft); }
.state.failed { background: var(--bad-wash); color: var(--bad); }
.state.pending { background: var(--follow-up-wash); color: var(--ink); }
.trouble thead th { max-width: 9rem; }
.trouble th, .trouble td { padding-right: 1.6rem; }
.trouble strong { color: var(--bad); }
.trouble td { white-space: nowrap; }
.provenance th { width: 8rem; color: var(--soft); white-space: nowrap; }
.provenance td { padding-right: 0; }
`;

const figures = `
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; font-size: 0.88rem; color: var(--soft); max-width: none; margin-bottom: 1rem; }
.key { display: inline-flex; align-items: center; gap: 0.45rem; }
.key svg { width: 28px; height: 12px; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1.8rem 2.4rem; }
.figures.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); }
figure { max-width: 30rem; min-width: 0; }
figcaption, caption { font-size: 0.95rem; font-weight: 600; text-align: left; padding-bottom: 0.35rem; }
figure svg { display: block; width: 100%; height: auto; overflow: visible; }
svg path { fill: none; }
svg .grid { stroke: var(--rule); }
svg .axis { stroke: var(--soft); }
svg text { fill: var(--soft); font-size: 11.5px; font-variant-numeric: tabular-nums; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg .line { stroke: var(--tone); stroke-width: 1.8; }
svg circle, svg .dot { fill: var(--tone); stroke: var(--paper); stroke-width: 1; }
svg .whisker { stroke: var(--tone); stroke-width: 1.2; opacity: 0.8; }
svg .band { fill: var(--tone); opacity: 0.2; }
svg .edge { stroke: var(--tone); stroke-width: 1.4; }
.labels { width: 100%; }
.labels th, .labels td { padding-block: 0.28rem; }
.labels tbody th { font-weight: 400; }
.labels td { min-width: 4.2rem; white-space: nowrap; }
.share { color: var(--soft); font-size: 0.85em; }
.bar { display: block; height: 5px; margin-top: 2px; }
.bar i { display: block; height: 100%; min-width: 1px; background: var(--soft); opacity: 0.65; }
.labels .genuine .bar i { background: var(--follow-up); opacity: 1; }
.labels .undecided .bar i { background: repeating-linear-gradient(135deg, var(--follow-up) 0 1.5px, transparent 1.5px 4px); outline: 1px solid var(--follow-up); outline-offset: -1px; opacity: 1; }
.glossary { margin-top: 1.4rem; font-size: 0.92rem; color: var(--soft); display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0.35rem 2.4rem; }
.glossary dt { display: inline; color: var(--ink); font-style: italic; }
.glossary dt::after { content: ': '; }
.glossary dd { display: inline; margin: 0; }
`;

const conversations = `
.filters { display: flex; flex-wrap: wrap; gap: 0.6rem 0.9rem; align-items: end; font-size: 0.85rem; margin-bottom: 1.2rem; }
.filters label { display: grid; gap: 0.15rem; color: var(--soft); min-width: 0; max-width: 100%; }
.filters .wide { flex: 1 1 12rem; }
.filters select, .filters input {
  font: inherit; font-size: 0.95rem; color: var(--ink); background: var(--paper); max-width: 100%;
  border: 1px solid var(--soft); border-radius: 4px; padding: 0.35rem 0.5rem; width: 100%; min-height: 2.2rem;
}
.filters .count { color: var(--soft); align-self: center; flex-basis: 100%; max-width: none; }
.conversations { display: grid; gap: 1.4rem; }
article { border: 1px solid var(--rule); border-radius: 6px; padding: 1rem clamp(0.8rem, 2.5vw, 1.4rem) 1.2rem; min-width: 0; }
.many article { content-visibility: auto; contain-intrinsic-size: auto 26rem; }
article header { display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; align-items: baseline; margin-bottom: 0.8rem; }
h3 { font-size: 0.98rem; font-weight: 600; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
.where { color: var(--soft); font-size: 0.85rem; flex: 1 1 12rem; overflow-wrap: anywhere; }
.badges { display: flex; flex-wrap: wrap; gap: 0.4rem; font-size: 0.8rem; }
.badge { padding: 0.1rem 0.55rem; border-radius: 1rem; background: var(--wash); color: var(--ink); border: 1px solid var(--rule); }
.badge.right { background: var(--accuracy-wash); border-color: transparent; }
.badge.genuine { background: var(--follow-up-wash); border-color: transparent; }
.badge.error { background: var(--bad-wash); color: var(--bad); border-color: transparent; }
.badge.undecided { border-style: dashed; border-color: var(--soft); }
.turn { margin-top: 0.9rem; padding-left: 0.9rem; border-left: 3px solid var(--rule); min-width: 0; }
.turn.written { border-left-color: var(--follow-up); background: linear-gradient(90deg, var(--wash), transparent); padding-block: 0.5rem; }
.who { font-size: 0.8rem; color: var(--soft); margin-bottom: 0.15rem; }
.written .who { color: var(--follow-up); font-weight: 600; }
.who em { font-style: normal; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 46rem; tab-size: 4; }
.text.long { max-height: 21rem; overflow-y: auto; padding-right: 0.5rem; scrollbar-width: thin; border-block: 1px dashed var(--rule); }
.empty { color: var(--soft); font-style: italic; }
.foot { font-size: 0.8rem; color: var(--soft); margin-top: 0.3rem; }
p.error { margin-top: 0.9rem; color: var(--bad); font-size: 0.92rem; }
`;

const narrow = `
@media (max-width: 34rem) {
  body { font-size: 1rem; padding-top: 1.5rem; }
  .lede { font-size: 1.08rem; }
  .results td.rate { min-width: 9rem; padding-right: 1rem; }
  .provenance th { width: auto; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .filters, .skip { display: none; }
  h2, h3, caption, figcaption, .legend { break-after: avoid; }
  tr, figure, .turn:not(:has(.long)) { break-inside: avoid; }
  .many article { content-visibility: visible; }
  .scroll { overflow: visible; }
  .text.long { max-height: none; overflow: visible; }
  .mark i, .bar i, .badge, .state { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

export const style = [colours, text, tables, figures, conversations, narrow].join('');
