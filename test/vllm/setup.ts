// One vLLM for all tests that only ask it. They find it under `inject('vllm')`.
import type { TestProject } from 'vitest/node';
import { startVllm } from './server.ts';

export type GivenVllm = { url: string; base: string; adapter: string };

declare module 'vitest' {
  export interface ProvidedContext {
    vllm: GivenVllm;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...served } = await startVllm();
  project.provide('vllm', served);
  return stop;
}
