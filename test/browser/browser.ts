// A real Chromium, and pages opened in it with an eye on what they do.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** `CHROMIUM`, else where distributions put it. */
export function launch(): Promise<Browser> {
  const path = process.env['CHROMIUM'] || '/usr/bin/chromium';
  if (existsSync(path)) return chromium.launch({ executablePath: path });
  throw new Error(
    `There is no browser at ${path}. Install Chromium (Debian and Ubuntu: apt install chromium), or set CHROMIUM to the path of one.`,
  );
}

/** `requests` that left the page, beside the page itself; what it said on its console; dialogs it opened. */
export type Opened = { page: Page; requests: string[]; console: string[]; dialogs: string[] };

/** Opens HTML as somebody would who got it as a file, for as long as `look` takes. */
export async function opened<T>(
  browser: Browser,
  html: string,
  look: (at: Opened) => Promise<T>,
  opts: BrowserContextOptions = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'uturn-page-'));
  const context = await browser.newContext(opts);
  try {
    const file = join(folder, 'report.html');
    await writeFile(file, html);
    const page = await context.newPage();
    const at: Opened = { page, requests: [], console: [], dialogs: [] };
    const own = pathToFileURL(file).href;
    page.on('requestfinished', (request) => {
      if (request.url() !== own) at.requests.push(request.url());
    });
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'csp') at.requests.push(request.url());
    });
    page.on('console', (message) => at.console.push(message.text()));
    page.on('pageerror', (error) => at.console.push(String(error)));
    page.on('dialog', (dialog) => {
      at.dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(own);
    return await look(at);
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}
