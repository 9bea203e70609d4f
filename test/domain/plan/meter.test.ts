import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gpusOf } from '../../../domain/plan/gpus.ts';
import { gpusAtWork, hoursOf, type Meter, note, without } from '../../../domain/plan/meter.ts';

const hour = 3_600_000;
const of = (model: string, engine: string, up: boolean, gpus = 1) => ({ model, engine, gpus, up });

test('an engine counts while somebody uses it, once for all of them, times its GPUs', () => {
  const meter: Meter = new Map();
  note(meter, of('a', 'big', true, 8), 0);
  note(meter, of('b', 'big', true, 8), hour);
  note(meter, of('c', 'small', true, 1), hour);
  expect([hoursOf(meter, 2 * hour), gpusAtWork(meter)]).toEqual([8 * 2 + 1, 9]);
  note(meter, of('a', 'big', false, 8), 2 * hour);
  expect(gpusAtWork(meter)).toBe(9);
  without(meter, 'b', 3 * hour);
  without(meter, 'c', 3 * hour);
  expect([hoursOf(meter, 9 * hour), gpusAtWork(meter)]).toEqual([8 * 3 + 2, 0]);
});

test('hours are those of the union of all uses, whatever is said twice', () => {
  const words = fc.array(fc.record({ wait: fc.nat(1_000), model: fc.nat(3), up: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(words, (said) => {
      const meter: Meter = new Map();
      const users = new Set<number>();
      let [at, used] = [0, 0];
      for (const { wait, model, up } of said) {
        if (users.size > 0) used += wait;
        at += wait;
        if (up) users.add(model);
        else users.delete(model);
        note(meter, of(`m${model}`, 'one', up, 2), at);
      }
      expect(hoursOf(meter, at)).toBeCloseTo((2 * used) / hour, 9);
      expect(gpusAtWork(meter)).toBe(users.size > 0 ? 2 : 0);
    }),
  );
});

test.each([
  [1, [], 1],
  [8, ['--gpu-memory-utilization=0.8'], 8],
  [4, ['--pipeline-parallel-size', '2'], 8],
  [2, ['--data_parallel_size=4', '-pp=2'], 16],
  [2, ['--pipeline-parallel-size'], 2],
])('%i side by side with %o take %i GPUs', (tensor_parallel, args, gpus) => {
  expect(gpusOf({ tensor_parallel, args })).toBe(gpus);
});
