// What the bench takes on its command line.
import { expect, test } from 'vitest';
import { optionsOf } from '../../bench/options.ts';

test('asked for nothing, it measures everything', () => {
  expect(optionsOf([])).toMatchInlineSnapshot(`
    {
      "inFlight": [
        64,
        256,
      ],
      "items": null,
      "json": false,
      "latencies": [
        0,
        50,
        1000,
      ],
      "only": null,
      "profile": null,
      "rounds": 5,
      "show": "results",
    }
  `);
});

test('--quick is small, and gives way to what is said', () => {
  expect(optionsOf(['--quick', '--n', '50', '--latency', '0,5'])).toMatchObject({
    latencies: [0, 5],
    inFlight: [16],
    items: 50,
    rounds: 1,
  });
});

test.each([[['--n', 'ten']], [['--latency', '0,,5']], [['--rounds', '-1']], [['--in-flight', '1.5']], [['--fast']]])(
  '%j is refused',
  (args) => {
    expect(() => optionsOf(args)).toThrow();
  },
);
