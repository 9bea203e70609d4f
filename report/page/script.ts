// The page's only scripts; their hashes are in its policy.

/** In the head, so that what needs a script is there from the start and nothing jumps. */
export const early = `document.documentElement.classList.add('scripted');`;

/** Hides what does not match every choice: rows, figures and conversations that say what they are about. */
export const script = `
'use strict';
const controls = [...document.querySelectorAll('[data-filter]')];
const parts = [...document.querySelectorAll('main [data-model], main [data-data], main [data-temperature]')];
const articles = parts.filter((part) => part.tagName === 'ARTICLE');
const count = document.querySelector('.count');
const texts = new Map();
const textOf = (article) => {
  if (!texts.has(article)) texts.set(article, article.textContent.toLowerCase());
  return texts.get(article);
};
const matches = (part) => controls.every(({ value, dataset: { filter } }) => {
  if (value === '') return true;
  if (filter === 'text') return part.tagName !== 'ARTICLE' || textOf(part).includes(value.toLowerCase());
  return !(filter in part.dataset) || part.dataset[filter] === value;
});
const apply = () => {
  for (const part of parts) part.hidden = !matches(part);
  if (count) count.textContent = articles.filter(({ hidden }) => !hidden).length + ' of ' + articles.length + ' shown';
};
for (const control of controls) control.addEventListener('input', apply);
if (controls.some(({ value }) => value !== '')) apply();
`;
