// Which limits of a budget can be told to be reached.
import type { Budget } from './budget.ts';

/** What of the config a budget is counted with. */
export type Countable = {
  models: { id: string; priced: boolean; place: 'serve' | 'url' | 'local' }[];
  judge: { priced: boolean } | null;
};

/** A limit that nobody could tell to be reached. */
export type Uncountable = { unit: 'usd' | 'gpu_hours'; message: string; advice: string };

export function uncountable(wanted: Budget, at: Countable): Uncountable[] {
  const found: Uncountable[] = [];
  const priceless = [
    ...at.models.flatMap(({ id, priced }) => (priced ? [] : [id])),
    ...(at.judge?.priced === false ? ['the judge'] : []),
  ];
  if (wanted.usd !== undefined && priceless.length > 0) {
    const message = `cannot be counted: no price is stated for ${priceless.join(', ')}.`;
    found.push({
      unit: 'usd',
      message,
      advice: 'State `prices` for every model and for the judge, or limit `tokens`.',
    });
  }
  const elsewhere = at.models.flatMap(({ id, place }) => (place === 'url' ? [id] : []));
  const isServed = at.models.some(({ place }) => place === 'serve');
  if (wanted.gpu_hours !== undefined && (elsewhere.length > 0 || !isServed)) {
    const whose = elsewhere.length > 0 ? elsewhere : at.models.map(({ id }) => id);
    const message = `cannot be counted: uturn does not serve ${whose.join(', ')}.`;
    const advice = 'Hours are counted of models under `serve:` alone; limit `tokens` or `usd`.';
    found.push({ unit: 'gpu_hours', message, advice });
  }
  return found;
}
