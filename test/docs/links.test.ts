// Links between the project's pages, and to its files, lead somewhere.
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { type Page, pages, prose, root } from './pages.ts';

type Link = { from: string; to: string };

function links(page: Page): Link[] {
  const markdown = [...prose(page).matchAll(/\]\(([^()\s]+)\)/g)];
  const html = [...prose(page).matchAll(/(?:src|href|srcset)="([^"]+)"/g)];
  return [...markdown, ...html].map((match) => ({ from: page.path, to: match[1] ?? '' }));
}

/** As GitHub makes them: small letters, spaces to hyphens, no punctuation. */
function anchors({ text }: Page): string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function isBroken({ from, to }: Link): boolean {
  if (/^https?:/.test(to)) return false;
  const [path = '', anchor] = to.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(root, target))) return true;
  const page = pages.find((one) => one.path === target);
  return anchor !== undefined && (page === undefined || !anchors(page).includes(anchor));
}

test('every link of a page leads to a file of the project, and to a heading in it', () => {
  const all = pages.flatMap(links);
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(isBroken)).toEqual([]);
});

test('every page can be reached from the README', () => {
  const reached = new Set<string>(['README.md']);
  for (const from of reached) {
    const page = pages.find((one) => one.path === from);
    for (const { to } of page ? links(page) : []) {
      if (!/^https?:/.test(to)) reached.add(normalize(join(dirname(from), to.split('#')[0] ?? '')));
    }
  }
  expect(pages.map((page) => page.path).filter((path) => !reached.has(path))).toEqual([]);
});
