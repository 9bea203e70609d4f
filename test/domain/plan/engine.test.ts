import { expect, test } from 'vitest';
import { type EngineOrder, engineId, together } from '../../../domain/plan/engine.ts';

const order: EngineOrder = {
  model: '/models/small',
  revision: null,
  weights: 'a'.repeat(64),
  dtype: 'bfloat16',
  tensor_parallel: 1,
  max_model_len: null,
  adapters: [],
  mixes: true,
  args: [],
  version: '0.32.0',
};
const adapted = (name: string): EngineOrder => ({
  ...order,
  adapters: [{ name, path: `/adapters/${name}`, weights: 'b'.repeat(64), rank: 8 }],
});
const servers = (orders: EngineOrder[]) => new Set(together(orders).map(engineId)).size;
const unmixed = (orders: EngineOrder[]) => orders.map((one) => ({ ...one, mixes: false }));

test('a model and its adapters share one server, whoever comes first', () => {
  const orders = [adapted('b'), order, adapted('a')];
  expect(servers(orders)).toBe(1);
  expect(together(orders)[1]?.adapters.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('where adapters leak into the requests of others, the model alone has a server of its own', () => {
  const [first, alone, second] = together(unmixed([adapted('b'), order, adapted('a')]));
  expect(alone?.adapters).toEqual([]);
  expect(first).toEqual(second);
  expect(first?.adapters).toHaveLength(2);
});

test('another number format, length or option is another server', () => {
  expect(
    servers([order, { ...order, dtype: 'float32' }, { ...order, args: ['--x=1'] }, { ...order, max_model_len: 8 }]),
  ).toBe(4);
});
