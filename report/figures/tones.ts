// The colours of figures. A specification holds those for light paper, so that any viewer shows it as it is; on the page each becomes
// the variable of its name, which follows dark mode and print.
import { type Label, labels } from '../../domain/records/record.ts';
import { oklch } from './oklch.ts';

export type Tone = { name: string; light: string; dark: string };

/** Those that the page itself has. */
export const ink: Tone = { name: 'ink', light: '#1c1d1f', dark: '#e7e6e2' };
export const soft: Tone = { name: 'soft', light: '#5a5d63', dark: '#a3a6ab' };
export const rule: Tone = { name: 'rule', light: '#dcdcd6', dark: '#35383d' };
export const paper: Tone = { name: 'paper', light: '#fdfdfb', dark: '#16181b' };
export const followUp: Tone = { name: 'follow-up', light: '#a8480f', dark: '#f0a06a' };
export const followUpWash: Tone = { name: 'follow-up-wash', light: '#f3d3bd', dark: '#5b361f' };

/** Hues that are not those of accuracy (blue) and follow-up (orange), far apart from each other. */
const hues = [300, 150, 0, 200, 95, 25];

/** Models of a family share its hue; the later ones are darker, or lighter on dark paper. */
export function modelTone(at: { family: number; member: number; of: number; model: number }): Tone {
  const hue = hues[at.family % hues.length] ?? 0;
  const place = at.of === 1 ? 0.5 : at.member / (at.of - 1);
  return {
    name: `model-${at.model}`,
    light: oklch(0.63 - 0.31 * place, 0.15, hue),
    dark: oklch(0.62 + 0.27 * place, 0.12, hue),
  };
}

const hueOfLabel: Record<Exclude<Label, 'plausible_followup'>, [light: number, chroma: number, hue: number]> = {
  previous_turn_restate: [0.46, 0.1, 255],
  new_task_prompt: [0.72, 0.09, 235],
  assistant_turn_restate: [0.48, 0.12, 320],
  malformed_artifact: [0.76, 0.08, 340],
  meta_planning: [0.55, 0.09, 165],
  degenerate_short: [0.8, 0.06, 120],
  other: [0.6, 0.01, 250],
};

export const labelTones: Record<Label | 'undecided', Tone> = {
  ...(Object.fromEntries(labels.map((label) => [label, toneOf(label)])) as Record<Label, Tone>),
  undecided: followUpWash,
};

function toneOf(label: Label): Tone {
  if (label === 'plausible_followup') return followUp;
  const [light, chroma, hue] = hueOfLabel[label];
  return { name: label.replaceAll('_', '-'), light: oklch(light, chroma, hue), dark: oklch(light + 0.05, chroma, hue) };
}
