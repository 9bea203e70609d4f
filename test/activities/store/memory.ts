// A store in memory: the same promises as the real ones, without a disk.
import { checkedFolder, checkedPath } from '../../../activities/store/paths.ts';
import type { Store } from '../../../activities/store/store.ts';

export type MemoryStore = Store & { files: Map<string, Uint8Array> };

export function memoryStore(): MemoryStore {
  const files = new Map<string, Uint8Array>();
  const grow = (path: string, text: string) => {
    files.set(path, Buffer.concat([files.get(path) ?? new Uint8Array(), Buffer.from(text)]));
  };
  return {
    uri: 'memory:',
    files,
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
    async segment(path) {
      if (files.has(checkedPath(path))) throw new Error(`${path} is there already`);
      grow(path, '');
      return {
        append: async (line) => grow(path, `${line}\n`),
        close: async () => {},
      };
    },
  };
}
