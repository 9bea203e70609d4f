// Decisions are numbered without gaps, listed under their titles, and each says why and what follows.
import { expect, test } from 'vitest';
import { page, pages } from './pages.ts';

const records = pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path));

test('the list names every decision by its title', () => {
  const listed = [...page('docs/decisions/README.md').text.matchAll(/^(\d+)\. \[(.+)\]\((.+)\)$/gm)];
  const titles = listed.map(([, number, title, file]) => `${file}: # ${number}. ${title}`);
  expect(titles).toEqual(records.map(({ path, text }) => `${path.split('/').at(-1)}: ${text.split('\n')[0]}`));
  expect(listed.map(([, number]) => Number(number))).toEqual(records.map((_, index) => index + 1));
});

test('each has a context, a decision and a consequence, in this order', () => {
  const parts = ['**Context.**', '**Decision.**', '**Consequence.**'];
  const others = records.filter(({ text }) => (text.match(/^\*\*\w+\.\*\*/gm) ?? []).join() !== parts.join());
  expect(others.map(({ path }) => path)).toEqual([]);
});
