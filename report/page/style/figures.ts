// Figures: drawn as wide as a phone, beside each other where there is room.

export const figures = `
.set + .set { margin-top: 1.6rem; }
.set > h3 { margin: 0.9rem 0 0.5rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1.2rem 2rem; align-items: start; }
figure { max-width: 29rem; min-width: 0; }
.figures + .scroll { margin-top: 1.6rem; }
figcaption { font-size: 0.88rem; color: var(--soft); padding-bottom: 0.3rem; display: flex; justify-content: space-between; gap: 1rem; }
.files { font-size: 0.92em; white-space: nowrap; }
.files a { margin-left: 0.5rem; color: var(--soft); text-decoration-color: var(--rule); }
figure svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font-variant-numeric: tabular-nums; }
.glossary { margin-bottom: 1.4rem; font-size: 0.92rem; color: var(--soft); display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0.35rem 2.4rem; }
.glossary dt { display: inline; color: var(--ink); font-style: italic; }
.glossary dt::after { content: ': '; }
.glossary dd { display: inline; margin: 0; }
@media (min-width: 64rem) {
  .set { display: grid; grid-template-columns: 8.5rem 1fr; column-gap: 1.5rem; }
  .set > h3 { margin: 0; }
  .set > .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
`;
