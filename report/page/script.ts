// The page's only script: shows the filters, hides the conversations that do not match. Its hash is in the policy.

export const script = `
'use strict';
const panel = document.querySelector('.filters');
if (panel) {
  const controls = [...panel.querySelectorAll('[data-filter]')];
  const articles = [...document.querySelectorAll('.conversations > article')];
  const count = panel.querySelector('.count');
  const texts = new Map();
  const textOf = (article) => {
    if (!texts.has(article)) texts.set(article, article.textContent.toLowerCase());
    return texts.get(article);
  };
  const matches = (article) => controls.every(({ value, dataset }) => {
    if (value === '') return true;
    if (dataset.filter === 'text') return textOf(article).includes(value.toLowerCase());
    return article.dataset[dataset.filter] === value;
  });
  const apply = () => {
    let shown = 0;
    for (const article of articles) {
      article.hidden = !matches(article);
      if (!article.hidden) shown += 1;
    }
    count.textContent = shown + ' of ' + articles.length + ' shown';
  };
  panel.hidden = false;
  panel.addEventListener('input', apply);
  apply();
}
`;
