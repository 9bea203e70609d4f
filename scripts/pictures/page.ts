// A report page as pictures, light and dark: its head, and the first conversation that holds a text.
// node scripts/pictures/page.ts <report.html> <text>   (CHROMIUM names the browser where it is not found)
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [file = '', text = ''] = process.argv.slice(2);
const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 980, height: 800 }, colorScheme });
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.screenshot({ path: join(folder, `report-${colorScheme}.png`) });
  const conversation = page.locator('article').filter({ hasText: text }).first();
  await conversation.screenshot({ path: join(folder, `conversation-${colorScheme}.png`) });
}
await browser.close();
