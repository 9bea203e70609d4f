// Adapted items as they lie in the store: one canonical JSON object per line.
import type { Item } from '../../domain/data/item.ts';
import { canonicalJson } from '../../domain/records/canonical.ts';

/** The blob's text. The same items give the same bytes on every machine. */
export function itemsBlob(items: Item[]): string {
  return items.map((item) => `${canonicalJson(item)}\n`).join('');
}

/** The items of a blob's text. What `itemsBlob` wrote is checked by its digest, so it is not checked again here. */
export function parseItems(text: string): Item[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Item]));
}
