// How each model looks in every figure: a short name, its family's shape and hue.
import { familiesOf } from '../../domain/family.ts';
import { oneLine } from '../escape.ts';
import { cut, displayWidth } from '../width.ts';
import { modelTone, type Tone } from './tones.ts';

export type Shape = (typeof shapes)[number];
/** Circles, squares and so on, as Vega names them. */
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'triangle-down', 'cross'] as const;

/** `short`: another one for every model, fit to be drawn. */
export type Look = { model: string; short: string; family: string; shape: Shape; tone: Tone };
export type Looks = ReadonlyMap<string, Look>;

/** In the order of the models. */
export function looksOf(models: string[]): Looks {
  const families = familiesOf(models);
  const order = [...new Set(models)];
  const taken = new Set<string>();
  const looks = order.map((model, at): Look => {
    const family = families.findIndex((one) => one.models.includes(model));
    const { family: name = model, models: members = [model] } = families[family] ?? {};
    const tone = modelTone({ family, member: members.indexOf(model), of: members.length, model: at });
    return {
      model,
      short: shortName(model, taken),
      family: name,
      shape: shapes[family % shapes.length] ?? 'circle',
      tone,
    };
  });
  return new Map(looks.map((look) => [look.model, look]));
}

const longest = 17;

/** The name, or its two ends where it is long; with a number where two would be the same. */
export function shortName(name: string, taken: Set<string> = new Set()): string {
  const whole = oneLine(name) || '?';
  const one = shortened(whole);
  for (let number = 1; ; number += 1) {
    const short = number === 1 ? one : `${cut(one, longest - 3)} ${number}`;
    if (taken.has(short)) continue;
    taken.add(short);
    return short;
  }
}

function shortened(name: string): string {
  if (displayWidth(name) <= longest) return name;
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (last !== '' && displayWidth(last) <= longest) return last;
  const characters = [...new Intl.Segmenter('en').segment(last || name)].map(({ segment }) => segment);
  return cut(`${characters.slice(0, 8).join('')}…${characters.slice(-8).join('')}`, longest);
}
