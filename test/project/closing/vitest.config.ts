import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['*.case.ts'], reporters: ['default', '../closing-line.ts'] } });
