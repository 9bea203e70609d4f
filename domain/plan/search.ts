// What Temporal can be asked for: attributes of runs and campaigns, all of them keywords.

export const searchNames = { run: 'uturnRun', model: 'uturnModel', state: 'uturnState' } as const;

/** How a server is told of them. */
export const registering = `temporal operator search-attribute create ${Object.values(searchNames)
  .map((name) => `--name ${name} --type Keyword`)
  .join(' ')}`;
