// What is asked of a page from within it: these functions run there, so each holds all it needs.

/** Puts markup into the page, and a script, as if an escape had been forgotten. */
export function forceIn(texts: string[]): void {
  for (const text of texts) document.body.insertAdjacentHTML('beforeend', text);
  const script = document.createElement('script');
  script.textContent = 'globalThis.hurt = true';
  document.body.append(script);
}

/** `over`: what stands over the right edge, outside of boxes that scroll by themselves. `sideways`: pixels to scroll. */
export function overhang(): { over: string[]; sideways: number } {
  const { scrollWidth, clientWidth } = document.documentElement;
  const boxes = [...document.querySelectorAll('.scroll')];
  const isOver = (one: Element) =>
    one.getBoundingClientRect().right > clientWidth + 1 && !boxes.some((box) => box.contains(one));
  const over = [...document.querySelectorAll('main *, header *')].filter(isOver);
  return {
    over: over.map((one) => `${one.tagName} ${one.textContent?.slice(0, 40)}`),
    sideways: scrollWidth - clientWidth,
  };
}

export type Contrast = { kind: string; contrast: number | null };

/** WCAG contrast of every kind of text against the paper behind it; null where there is none of a kind. */
export function contrasts(): Contrast[] {
  const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const light = (colour: string) => {
    const [r = 0, g = 0, b = 0] = channels(colour).map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paperOf = (one: Element | null): string => {
    if (one === null) return 'rgb(255, 255, 255)';
    const { backgroundColor } = getComputedStyle(one);
    return channels(backgroundColor)[3] === 0 ? paperOf(one.parentElement) : backgroundColor;
  };
  const kinds = ['h1', '.lede', '.note', '.kicker', 'thead th', '.badge', '.badge.error', '.badge.genuine'];
  const later = ['figcaption', 'nav a', 'summary', '.share', '.filters label'];
  return [...kinds, ...later, '.where', '.who', '.written .who', '.foot', '.text', 'p.error', 'code'].map((kind) => {
    const one = document.querySelector(kind);
    if (one === null) return { kind, contrast: null };
    const [ink, paper] = [light(getComputedStyle(one).color), light(paperOf(one))];
    return { kind, contrast: (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) };
  });
}

/** What moved after it was first drawn, as browsers score it: 0 is nothing. */
export function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let score = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) score += 'value' in entry ? Number(entry.value) : 0;
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(score), 400);
  });
}

/** Colours in figures, as they come out. */
export function figureColours(): string[] {
  const drawn = [...document.querySelectorAll('figure svg :is(path, rect, line, text)')];
  return [...new Set(drawn.flatMap((one) => [getComputedStyle(one).fill, getComputedStyle(one).stroke]))];
}

/** Which parts of the page are seen, by what they are about. */
export function seenParts(): { rows: string[]; figures: string[] } {
  const isSeen = (one: Element) => one.getClientRects().length > 0;
  const rows = [...document.querySelectorAll<HTMLElement>('.results .row')].filter(isSeen);
  const figures = [...document.querySelectorAll<HTMLElement>('#curves .set')].filter(isSeen);
  return {
    rows: rows.map(({ dataset }) => `${dataset['model']} ${dataset['temperature']}`),
    figures: figures.map(({ dataset }) => dataset['data'] ?? ''),
  };
}
