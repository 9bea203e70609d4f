// What may name an item.

/** Up to 200 printable characters on one line, no space at either end. */
export function isId(id: string): boolean {
  return id.length <= 200 && id.trim() === id && !/\p{C}/u.test(id);
}
