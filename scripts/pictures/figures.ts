// Figures of a report page as pictures, light and dark: one data set's curves, and the scatter below them.
// node scripts/pictures/figures.ts <report.html>   (CHROMIUM names the browser where it is not found)
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [file = ''] = process.argv.slice(2);
const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1060, height: 800 }, colorScheme });
  await page.goto(pathToFileURL(resolve(file)).href);
  // One data set is enough of a picture.
  await page.locator('[data-filter="data"]').selectOption({ index: 1 });
  const [curves, scatter] = [await page.locator('#curves').boundingBox(), await page.locator('#scatter').boundingBox()];
  if (curves === null || scatter === null) throw new Error(`${file} has no figures`);
  const clip = { x: 0, y: curves.y, width: 1060, height: scatter.y + scatter.height - curves.y + 24 };
  await page.screenshot({ path: join(folder, `figures-${colorScheme}.png`), clip, fullPage: true });
}
await browser.close();
