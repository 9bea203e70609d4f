// Reads the tags of a page, strictly: enough to see whether text got out of its place.

const void_ = new Set(['meta', 'br', 'input', 'link', 'circle', 'path']);
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z0-9-]+(?:="[^"<>]*")?)*)\s*(\/?)>/y;

/** Opening tags with their attributes' names, in order. Throws where tags do not nest or a `<` starts none. */
export function skeleton(page: string): string[] {
  const rest = page
    .replace(/^<!doctype html>/, '')
    .replace(/<style>[^<]*<\/style>/, '<style></style>')
    .replace(/<script>[^<]*(?:<(?!\/script)[^<]*)*<\/script>/g, '<script></script>');
  const open: string[] = [];
  const found: string[] = [];
  for (let at = rest.indexOf('<'); at >= 0; at = rest.indexOf('<', tag.lastIndex)) {
    tag.lastIndex = at;
    const match = tag.exec(rest);
    if (match === null) throw new Error(`no tag at ${JSON.stringify(rest.slice(at, at + 60))}`);
    const [, closes, name = '', attributes = '', selfCloses] = match;
    if (closes) {
      const expected = open.pop();
      if (expected !== name) throw new Error(`</${name}> closes <${expected}>`);
      continue;
    }
    found.push([name, ...[...attributes.matchAll(/([a-zA-Z0-9-]+)(?:="[^"]*")?/g)].map(([, one]) => one)].join(' '));
    if (!selfCloses && !void_.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(', ')}`);
  return found;
}

/** What a reader sees, one line per block. */
export function readable(page: string): string {
  return page
    .replace(/<(style|script|title)>[\s\S]*?<\/\1>/g, '')
    .replace(/\n/g, ' ')
    .replace(/<\/(?:p|h1|h2|h3|tr|caption|figcaption|desc|div|option|li|summary|dd)>/g, '\n')
    .replace(/<\/(?:td|th)>/g, ' | ')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) =>
      line
        .replace(/\s+/g, ' ')
        .replace(/ \|\s*$/, '')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
}
