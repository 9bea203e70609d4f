// Narrow screens, where rows of cells become cards, and print.

export const media = `
@media (max-width: 40rem) {
  body { font-size: 1rem; padding-top: 1.5rem; }
  .lede { font-size: 1.08rem; }
  h2 { margin-top: 2.6rem; }
  .provenance th { width: auto; }
  .filters label { flex: 1 1 8rem; }
  .cards, .cards tbody { display: block; width: 100%; }
  .cards:not(.cells) { min-width: 0; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards .group, .cards .group th { display: block; }
  .cards .row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 1rem; padding: 0.7rem 0; border-top: 1px solid var(--rule); }
  .cards .row > *, .cells .row.first > * { padding: 0; border: 0; }
  .cards .row > th { flex: 1 0 auto; max-width: 100%; min-width: 0; font-weight: 600; }
  .cells .row.again > th { color: var(--ink); font-weight: 600; }
  .cards .row > td[data-name]:not([data-name=""])::before { content: attr(data-name) ' '; color: var(--soft); font-size: 0.9em; }
  .cards .row > td.number:has(> .none:only-child) { display: none; }
  .cells td.rate, .results td.rate { flex: 1 0 100%; width: auto; padding: 0.15rem 0; }
  .trouble td.rate:has(.none) { display: none; }
  .cells .row > td.status:has(.complete) { display: none; }
  .kinds .message { min-width: 0; }
  .kinds .row > td:last-child { flex: 1 0 100%; }
}
@page { margin: 16mm 14mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  table { font-size: 8.5pt; }
  th, td { padding-right: 0.7rem; }
  .results td.rate { min-width: 8.5rem; padding-right: 1rem; }
  .cards:not(.cells) { min-width: 0; }
  .cards tbody th.text { min-width: 6rem; }
  .scripted .filters, .filters, .skip, nav, .files, summary { display: none; }
  h2, h3, figcaption { break-after: avoid; }
  tr, figure, .turn:not(:has(.long)) { break-inside: avoid; }
  thead { display: table-header-group; }
  .figures { grid-template-columns: repeat(2, 1fr); }
  .many article { content-visibility: visible; }
  .many article:nth-child(n + 41) { display: none; }
  .note.printed-only { display: block; }
  .scroll { overflow: visible; background: none; }
  .group span:first-child { position: static; }
  .text.long { max-height: none; overflow: visible; }
  .mark i, .badge, .state, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
