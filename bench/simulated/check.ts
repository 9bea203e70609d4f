// One claim about chances, and whether many seeds bear it out.
import { rate } from '../../domain/stats/wilson.ts';
import { type Chance, chances } from './worlds.ts';

/** `once`: whether it happened, in one made-up experiment. `allowance`: by how much the nominal level may be missed. */
export type Check = {
  what: string;
  setting: string;
  limit: 'at least' | 'at most';
  nominal: number;
  allowance: number;
  once(chance: Chance): boolean;
};

export type Measured = Omit<Check, 'once'> & { share: number; seeds: number; kept: boolean };

/** Standard errors of a share that chance may account for: with a hundred checks, one in ten benches would have one beyond. */
const errors = 3.3;

/** The same for a number of seeds, always. */
export function measure({ once, ...check }: Check, seeds: number): Measured {
  const { nominal, allowance, limit } = check;
  let hits = 0;
  for (let seed = 0; seed < seeds; seed++) if (once(chances(seed, streamOf(check)))) hits += 1;
  const share = hits / seeds;
  const slack = allowance + errors * Math.sqrt((nominal * (1 - nominal)) / seeds);
  const kept = limit === 'at least' ? share >= nominal - slack : share <= nominal + slack;
  return { ...check, share, seeds, kept };
}

/** Checks share no chance with each other. */
function streamOf({ what, setting }: Pick<Check, 'what' | 'setting'>): number {
  return [...`${what} ${setting}`].reduce((sum, one) => (Math.imul(sum, 31) + (one.codePointAt(0) ?? 0)) | 0, 7);
}

/** With Wilson's 95 % interval of the share. */
export function lineOf({ what, setting, limit, nominal, share, seeds, kept }: Measured): string {
  const verdict = kept ? 'ok    ' : 'MISSED';
  const { low, high } = rate(Math.round(share * seeds), seeds);
  const range = `${low?.toFixed(3)}–${high?.toFixed(3)}`;
  return `${verdict} ${share.toFixed(4)} [${range}] (${limit} ${nominal.toFixed(3)})  ${what}: ${setting}`;
}

/** Of each kind of claim the share farthest to its wrong side. */
export function summaryOf(all: Measured[]): string {
  const kinds = [...new Set(all.map(({ what }) => what))].map((what) => {
    const shares = all.filter((one) => one.what === what).map(({ share }) => share);
    const isLeast = all.some((one) => one.what === what && one.limit === 'at least');
    return `${what} ${isLeast ? '≥' : '≤'} ${(isLeast ? Math.min(...shares) : Math.max(...shares)).toFixed(3)}`;
  });
  const missed = all.filter(({ kept }) => !kept).length;
  return `${kinds.join(' · ')} · ${missed === 0 ? `all ${all.length} kept` : `${missed} of ${all.length} MISSED`}`;
}
