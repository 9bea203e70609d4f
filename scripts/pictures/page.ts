// A report page as pictures, light and dark: node scripts/pictures/page.ts <report.html> docs/pictures/report
// CHROMIUM names the browser where it is not found.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [file = '', to = 'report'] = process.argv.slice(2);
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 1180 }, colorScheme });
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.screenshot({ path: `${to}-${colorScheme}.png` });
}
await browser.close();
