import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRun } from '../../activities/run/documents.ts';
import { getPlan } from '../../activities/store/plans.ts';
import type { Summary } from '../../domain/summary.ts';
import { conversations } from '../../report/conversations.ts';
import { failuresOf } from '../../report/failures.ts';
import { reportPage } from '../../report/page/page.ts';
import { figuresOf, paper } from '../../report/report.ts';
import { summarise } from '../../report/summarise.ts';
import { openDesk } from '../cli/uturn.ts';
import { cell, reportOf, summaryOf } from '../report/fixture.ts';
import { item, type Story, written } from '../report/written.ts';
import { launch, opened } from './browser.ts';
import { contrasts, figureColours, forceIn, layoutShift, overhang, seenParts } from './in-page.ts';

const hurt = 'globalThis.hurt = true';
const hostile = [
  `</div></article><script>${hurt}</script>`,
  `<img src="http://127.0.0.1:9/x" onerror="${hurt}">`,
  `"><svg onload="${hurt}"><style>@import "http://127.0.0.1:9/y";</style>`,
  `' autofocus onfocus='${hurt}' x='`,
  `<iframe srcdoc="<script>parent.${hurt}</script>"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/z">`,
  `&lt;script&gt;${hurt}&lt;/script&gt; &#60;img src=x onerror=${hurt}>`,
  '\u202e\u2066\u0000\u001b[31m\ud800 right to left and back',
  'an-unbroken-word-'.repeat(200),
];

let browser: Browser;
let page: string;
beforeAll(async () => {
  browser = await launch();
  page = await pageOfRun();
});
afterAll(() => browser?.close());

/** A run in which every text is hostile: what was asked, answered and said, and all names. */
async function pageOfRun(): Promise<string> {
  await using at = await openDesk();
  const items = hostile.map((text, n) => item(`i${n}`, { messages: [{ role: 'user', content: text.toWellFormed() }] }));
  const labels = ['plausible_followup', null, 'malformed_artifact'] as const;
  const story = ({ at: n }: { at: number }): Story => {
    const text = hostile[n] ?? '';
    if (n === 4) return { answer: { failed: text } };
    return { answer: { text }, user: { text }, label: labels[n % 3] ?? null, outcome: n < 3 ? 'right' : 'wrong' };
  };
  const run = await written(at.store, { name: 'hostile', items, temperatures: [0, 0.7], story });
  const doc = await readRun(at.store, run);
  const plan = await getPlan(at.store, doc.plan);
  const { shown, ...counts } = await conversations(at.store, doc, plan);
  const named = shown.map((one) => ({ ...one, model: modelOf(one), data: String(hostile[1]) }));
  const summary = renamed(await summarise(at.store, run));
  const report = reportOf(summary, [], {
    conversations: { shown: named, ...counts },
    failures: await failuresOf(at.store, doc, plan),
    reference: paper(),
    figures: await figuresOf(summary),
  });
  return reportPage(report, { title: hostile.join(' ').slice(0, 300) });
}

const modelOf = ({ temperature }: { temperature: number }) => String(hostile[temperature === 0 ? 0 : 8]);

function renamed(summary: Summary): Summary {
  const cells = summary.cells.map((cell) => ({ ...cell, model: modelOf(cell), data: String(hostile[1]) }));
  const models = summary.provenance.models.map((model) => ({
    ...model,
    id: String(hostile[2]),
    address: String(hostile[8]),
  }));
  return { ...summary, cells, provenance: { ...summary.provenance, models } };
}

const wasHurt = (at: Page) => at.evaluate(() => 'hurt' in globalThis);

test('texts that run where they are not escaped run nothing, ask for nothing and say nothing', async () => {
  const bare = `<!doctype html><body>${hostile.slice(0, 4).join('\n')}`;
  const danger = await opened(browser, bare, async ({ page, requests }) => {
    await page.waitForFunction(() => 'hurt' in globalThis);
    return { hurt: await wasHurt(page), requests: requests.length > 0 };
  });
  expect(danger).toEqual({ hurt: true, requests: true });

  const harm = await opened(browser, page, async ({ page, requests, console, dialogs }) => {
    await page.waitForTimeout(300);
    return { hurt: await wasHurt(page), requests, console, dialogs, frames: page.frames().length };
  });
  expect(harm).toEqual({ hurt: false, requests: [], console: [], dialogs: [], frames: 1 });
});

test('even markup that got into the page would run nothing and load nothing', async () => {
  const harm = await opened(browser, page, async ({ page, requests }) => {
    await page.evaluate(forceIn, hostile.slice(0, 4));
    await page.waitForTimeout(300);
    return { hurt: await wasHurt(page), requests };
  });
  expect(harm).toEqual({ hurt: false, requests: [] });
});

test('every text is there to be read', async () => {
  const [texts, titles] = await opened(browser, page, async ({ page }) => [
    await page.locator('.turn.written .text').allInnerTexts(),
    await page.locator('h1').innerText(),
  ]);
  for (const text of hostile.filter((_, n) => n < 7 && n !== 4)) expect(texts).toContain(text);
  expect(titles).toContain('</div></article><script>');
});

/** What is seen of the conversations: `temperature item`, and what the count says. */
async function seen(at: Page): Promise<{ shown: string[]; count: string }> {
  const shown: string[] = [];
  for (const article of await at.locator('.conversations > article:visible').all()) {
    shown.push(`${await article.getAttribute('data-temperature')} ${await article.locator('h3').innerText()}`);
  }
  return { shown, count: await at.locator('.count').innerText() };
}

test('filters narrow together, and give back what they hid', async () => {
  await opened(browser, page, async ({ page }) => {
    const filter = (name: string) => page.locator(`[data-filter="${name}"]`);
    const all = await seen(page);
    expect([all.shown.length, all.count]).toEqual([18, '18 of 18 shown']);

    await filter('temperature').selectOption('0.7');
    await filter('outcome').selectOption('right');
    expect(await seen(page)).toEqual({ shown: ['0.7 i0', '0.7 i1', '0.7 i2'], count: '3 of 18 shown' });

    await filter('label').selectOption({ label: 'undecided' });
    expect(await seen(page)).toEqual({ shown: ['0.7 i1'], count: '1 of 18 shown' });

    await filter('text').fill('NOTHING LIKE THIS');
    expect(await seen(page)).toEqual({ shown: [], count: '0 of 18 shown' });

    for (const name of ['temperature', 'outcome', 'label']) await filter(name).selectOption('');
    await filter('text').fill('unbroken-WORD');
    expect((await seen(page)).shown).toContain('0 i8');
    await filter('text').fill('');
    expect(await seen(page)).toEqual(all);
  });
});

test('without scripts everything is shown and nothing offers to filter', async () => {
  await opened(
    browser,
    page,
    async ({ page }) => {
      expect(await page.locator('article:visible').count()).toBe(18);
      expect(await page.locator('.filters:visible').count()).toBe(0);
    },
    { javaScriptEnabled: false },
  );
});

test.each([320, 360, 768, 1400])('at %i pixels nothing hangs over the side', async (width) => {
  const measured = await opened(browser, page, ({ page }) => page.evaluate(overhang), {
    viewport: { width, height: 900 },
  });
  expect(measured).toEqual({ over: [], sideways: 0 });
});

test.each(['light', 'dark'] as const)('in %s every text stands off its paper', async (colorScheme) => {
  const all = await opened(browser, page, ({ page }) => page.evaluate(contrasts), { colorScheme });
  expect(all.filter(({ contrast }) => contrast === null || contrast < 4.5)).toEqual([]);
});

/** Two models on two data sets at two temperatures. */
async function gridPage(): Promise<string> {
  const places = ['Grey-1B', 'Rose-2B'].flatMap((model) =>
    ['sums', 'words'].flatMap((data) =>
      [0, 1].map((temperature): [string, string, number] => [model, data, temperature]),
    ),
  );
  const summary = summaryOf(places.map((at) => cell(at, { right: 60, wrong: 40, genuine: 20, artifact: 80 })));
  return reportPage(reportOf(summary, [], { figures: await figuresOf(summary) }), { title: 'grid' });
}

test('choices at the top narrow tables and figures, and bodies without a row go too', async () => {
  await opened(browser, await gridPage(), async ({ page }) => {
    const choose = (name: string, value: string) => page.locator(`[data-filter="${name}"]`).selectOption(value);
    await choose('data', 'words');
    expect(await page.evaluate(seenParts)).toEqual({
      rows: ['Grey-1B 0', 'Grey-1B 1', 'Rose-2B 0', 'Rose-2B 1'],
      figures: ['words'],
    });
    await choose('model', 'Rose-2B');
    await choose('temperature', '1');
    expect(await page.evaluate(seenParts)).toEqual({ rows: ['Rose-2B 1'], figures: ['words'] });
    expect(await page.locator('.results tbody:visible').count()).toBe(1);
    for (const name of ['data', 'model', 'temperature']) await choose(name, '');
    expect((await page.evaluate(seenParts)).rows).toHaveLength(8);
  });
});

test('nothing jumps while the page loads', async () => {
  const scores = [];
  for (const width of [360, 1400])
    scores.push(
      await opened(browser, page, (at) => at.page.evaluate(layoutShift), { viewport: { width, height: 900 } }),
    );
  expect(scores).toEqual([0, 0]);
});

test('figures are drawn in the page’s own colours, light, dark and in print', async () => {
  const grid = await gridPage();
  const colours = (opts: BrowserContextOptions, media?: 'print') =>
    opened(
      browser,
      grid,
      async ({ page }) => {
        if (media !== undefined) await page.emulateMedia({ media });
        return page.evaluate(figureColours);
      },
      opts,
    );
  const [light, dark] = [await colours({ colorScheme: 'light' }), await colours({ colorScheme: 'dark' })];
  expect(light).toContain('rgb(253, 253, 251)');
  expect(dark).not.toContain('rgb(253, 253, 251)');
  expect(dark).toContain('rgb(22, 24, 27)');
  const printed = await colours({ colorScheme: 'dark' }, 'print');
  expect(printed).toContain('rgb(255, 255, 255)');
  expect(printed.filter((one) => dark.includes(one) && !light.includes(one))).toEqual([]);
});

test('in print there is nothing to choose or to click, and nothing hangs over the side', async () => {
  const viewport = { width: 700, height: 1000 };
  await opened(
    browser,
    page,
    async ({ page }) => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.filters:visible, nav:visible, .files:visible').count()).toBe(0);
      expect(await page.evaluate(overhang)).toEqual({ over: [], sideways: 0 });
    },
    { viewport },
  );
});

test('on a phone every field of a row says what it is', async () => {
  await opened(
    browser,
    await gridPage(),
    async ({ page }) => {
      expect(await page.locator('.results thead').evaluate((one) => one.getBoundingClientRect().width)).toBeLessThan(2);
      const rate = page.locator('.results .row').first().locator('td.rate').first();
      expect(await rate.evaluate((one) => getComputedStyle(one, '::before').content)).toBe('"Answers right "');
    },
    { viewport: { width: 360, height: 800 } },
  );
});
