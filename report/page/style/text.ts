// Paper, type and the order of the page.

export const text = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 3rem) 5rem; max-width: 80rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 Charter, 'Bitstream Charter', 'Iowan Old Style', 'Palatino Linotype', 'Source Serif 4', Georgia, serif;
  overflow-wrap: break-word;
}
h1, h2, h3, p, dl, figure, ol { margin: 0; }
h1 { font-size: clamp(1.9rem, 1.4rem + 2.2vw, 2.9rem); line-height: 1.12; font-weight: 600; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.4rem; line-height: 1.25; font-weight: 600; margin: 3.5rem 0 1rem; padding-top: 0.9rem; border-top: 1px solid var(--rule); }
h3 { font-size: 0.98rem; font-weight: 600; overflow-wrap: anywhere; }
header > p, section > p { max-width: 44rem; text-wrap: pretty; }
section > p + :is(.scroll, .figures, .set) { margin-top: 1rem; }
header > p + p:not(.lede, .kicker) { margin-top: 0.7rem; }
.lede { font-size: 1.2rem; line-height: 1.5; margin: 1rem 0 0.9rem; }
.kicker { color: var(--soft); font-size: 0.9rem; margin-bottom: 0.5rem; }
.note { color: var(--soft); font-size: 0.92rem; margin-top: 0.8rem; max-width: 44rem; }
h2 + .note { margin-top: 0; }
.on, .sample { color: var(--soft); font-weight: 400; }
strong.accuracy { color: var(--accuracy); }
strong.follow-up { color: var(--follow-up); }
code { font: 0.86em/1.4 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.15em; }
abbr { text-decoration: none; }
cite { font-style: italic; }
nav ol { display: flex; flex-wrap: wrap; gap: 0.2rem 1.1rem; list-style: none; padding: 0; margin-top: 1.4rem; font-size: 0.88rem; }
details { margin-top: 1rem; }
summary { cursor: pointer; font-size: 0.92rem; color: var(--link); width: fit-content; }
details[open] > summary { margin-bottom: 0.6rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.4rem 0.8rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
:is(table, figcaption, .filters, .who, .foot, .badges, .where, h3, .kicker, nav, summary, svg text) {
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
}
.filters { display: none; }
.scripted .filters { display: flex; flex-wrap: wrap; gap: 0.6rem 0.9rem; align-items: end; font-size: 0.85rem; margin-bottom: 1.2rem; }
.filters label { display: grid; gap: 0.15rem; color: var(--soft); min-width: 0; max-width: 100%; }
.filters .wide { flex: 1 1 12rem; }
.filters select, .filters input {
  font: inherit; font-size: 0.95rem; color: var(--ink); background: var(--paper); max-width: 100%;
  border: 1px solid var(--soft); border-radius: 4px; padding: 0.35rem 0.5rem; width: 100%; min-height: 2.2rem;
}
.filters .count { color: var(--soft); align-self: center; flex-basis: 100%; max-width: none; }
main > .filters { margin-top: 1.6rem; margin-bottom: 0; }
`;
