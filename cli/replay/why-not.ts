// Why a history cannot be replayed, in plain words.

/** Of what the SDK throws, which quotes its core's own structures. */
export function whyNot(error: Error): string {
  const quoted = /message: "((?:[^"\\]|\\.)*)"/.exec(error.message)?.[1];
  const message = (quoted ?? error.message)
    .replace(/\\(["\\])/g, '$1')
    .replace(/^\[TMPRL1100\] Nondeterminism error: /, '');
  const [, what, then, now] = /^(.+?) of scheduled event '(.*)' does not match .+ '(.*)'$/.exec(message) ?? [];
  if (what !== undefined)
    return `where its history has ${what.toLowerCase()} '${then}', today's code asks for '${now}'`;
  const unknown = /of type '(.*)': no such function is exported/.exec(message)?.[1];
  return unknown === undefined ? message : `today's code has no workflow '${unknown}'`;
}
