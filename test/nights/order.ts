// What a schedule begins each night, where nobody looks at the experiment.
import type { NightOrder } from '../../domain/nights/night.ts';

export function order(schedule: string): NightOrder {
  return {
    schedule,
    experiment: { file: 'sweep.yaml', text: '0'.repeat(64) },
    baseline: { run: null, nights: 7 },
    gate: { measures: ['accuracy'], alpha: 0.05, power: 0.8, at_least: 0.05 },
    notify: { webhook: null, when: 'always', folder: null, beside: '.' },
  };
}
