// Tables: figures under each other, rates with their intervals drawn; what is too wide scrolls in its own place.

export const tables = `
.scroll {
  overflow-x: auto;
  background:
    linear-gradient(90deg, var(--paper) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(270deg, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(90deg, var(--shade), transparent) left 0 top 1px / 0.8rem calc(100% - 2px) no-repeat scroll,
    linear-gradient(270deg, var(--shade), transparent) right 0 top 1px / 0.8rem calc(100% - 2px) no-repeat scroll;
}
.scroll + .scroll { margin-top: 1.6rem; }
.scroll + h3 { margin: 1.8rem 0 0.5rem; }
table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; font-variant-numeric: tabular-nums lining-nums; }
th, td { padding: 0.4rem 1rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
thead th { color: var(--soft); font-weight: 500; vertical-align: bottom; max-width: 9rem; }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
tbody th { font-weight: 500; }
.none, .share, .printed { color: var(--soft); }
.share, .printed { font-size: 0.88em; }
.results, .published { width: 100%; }
.cards:not(.cells) { min-width: min(100%, 44rem); }
.group th { padding: 1.1rem 0 0.35rem; font-size: 1rem; font-weight: 600; }
.group span:first-child { position: sticky; left: 0; }
tbody:not(:has(tr:not(.group, [hidden]))) { display: none; }
.cells .row > * { border-bottom: 0; padding-block: 0.22rem; }
.cells .row.first > * { border-top: 1px solid var(--rule); padding-top: 0.45rem; }
.cells .group + .row > * { border-top: 0; }
.cells .row.again th { color: var(--soft); font-weight: 400; }
.cards tbody th.text { overflow-wrap: anywhere; min-width: 9rem; }
.results tbody th.text { width: 12rem; }
.cells .group th { border-bottom: 1px solid var(--rule); }
.results td.rate { white-space: nowrap; min-width: 9.5rem; width: 28%; padding-right: 1.4rem; }
tbody tr:last-child > * { border-bottom-color: transparent; }
.mark { display: block; position: relative; height: 9px; margin-top: 3px; border-inline: 1px solid var(--rule); }
.mark::before { content: ''; position: absolute; inset: 4px 0 auto; border-top: 1px solid var(--rule); }
.mark i { position: absolute; }
.mark .interval { top: 3px; height: 3px; min-width: 2px; border-radius: 1.5px; background: var(--tone); opacity: 0.55; }
.mark .core { top: 1px; height: 7px; min-width: 2px; border-radius: 1px; background: var(--tone); opacity: 0.6; }
.mark .value { top: 0; height: 9px; width: 3px; margin-left: -1.5px; border-radius: 1px; background: var(--tone); }
.accuracy { --tone: var(--accuracy); --tone-wash: var(--accuracy-wash); }
.follow-up { --tone: var(--follow-up); --tone-wash: var(--follow-up-wash); }
.state { padding: 0.05rem 0.45rem; border-radius: 1rem; font-size: 0.85rem; background: var(--wash); color: var(--soft); white-space: nowrap; }
.state.complete { background: none; padding: 0; }
.state.failed { background: var(--bad-wash); color: var(--bad); }
.state.pending { background: var(--follow-up-wash); color: var(--ink); }
.trouble strong { color: var(--bad); font-weight: 600; }
.trouble td, .published .rate { white-space: nowrap; }
.kinds .message { display: block; min-width: 16rem; max-width: 34rem; overflow-wrap: anywhere; }
.provenance th { width: 8rem; color: var(--soft); white-space: nowrap; }
.provenance td { padding-right: 0; }
`;
