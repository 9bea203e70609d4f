// Conversations: who speaks at the left edge, the written user turn in its colour.

export const conversations = `
.printed-only { display: none; }
section > .filters { margin-top: 1rem; }
.conversations { display: grid; gap: 1.4rem; }
article { border: 1px solid var(--rule); border-radius: 6px; padding: 1rem clamp(0.8rem, 2.5vw, 1.4rem) 1.2rem; min-width: 0; }
.many article { content-visibility: auto; contain-intrinsic-size: auto 26rem; }
article header { display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; align-items: baseline; margin-bottom: 0.8rem; }
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
p.error { margin-top: 0.9rem; color: var(--bad); font-size: 0.92rem; overflow-wrap: anywhere; }
`;
