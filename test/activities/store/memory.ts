// A store in memory: the same promises as the real ones, without a disk.
import { checkedFolder, checkedPath } from '../../../activities/store/paths.ts';
import type { Store } from '../../../activities/store/store.ts';

/** `writing`: segments that are open. */
export type MemoryStore = Store & { files: Map<string, Uint8Array>; writing: Set<string> };

export function memoryStore(): MemoryStore {
  const files = new Map<string, Uint8Array>();
  const writing = new Set<string>();
  const grow = (path: string, text: string) => {
    files.set(path, Buffer.concat([files.get(path) ?? new Uint8Array(), Buffer.from(text)]));
  };
  return {
    uri: 'memory:',
    fileOf: () => null,
    files,
    writing,
    async read(path) {
      return files.get(checkedPath(path)) ?? null;
    },
    async create(path, data) {
      if (files.has(checkedPath(path))) return 'exists';
      files.set(path, Buffer.from(data));
      return 'created';
    },
    async list(folder) {
      const above = checkedFolder(folder) === '' ? '' : `${checkedFolder(folder)}/`;
      const below = [...files.keys()].filter((path) => path.startsWith(above)).map((path) => path.slice(above.length));
      return [...new Set(below.map((path) => path.replace(/\/.*/, '/')))].sort();
    },
    async *below(folder) {
      const above = checkedFolder(folder) === '' ? '' : `${checkedFolder(folder)}/`;
      yield* [...files.keys()].filter((path) => path.startsWith(above));
    },
    async segment(path) {
      if (files.has(checkedPath(path))) throw new Error(`${path} is there already`);
      grow(path, '');
      writing.add(path);
      return {
        append: async (line) => grow(path, `${line}\n`),
        close: async () => {
          writing.delete(path);
        },
      };
    },
  };
}
