import { readFileSync } from 'node:fs';

/** uturn's own version. */
export function version(): string {
  const path = ['../package.json', '../../package.json'].map((relative) => new URL(relative, import.meta.url));
  for (const url of path) {
    try {
      const { name, version } = JSON.parse(readFileSync(url, 'utf8')) as { name: string; version: string };
      if (name === 'uturn') return version;
    } catch {
      // The other place it may be.
    }
  }
  return 'unknown';
}
