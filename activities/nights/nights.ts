// The activities of a night: its run made, judged, and told of.
import { Context } from '@temporalio/activity';
import type { NightEnd, NightOrder, OpenedNight } from '../../domain/nights/night.ts';
import { beating } from '../run/beating.ts';
import { type Judged, judgedNight, type Rates } from './judge.ts';
import { tellOf, type Words } from './notify.ts';
import { type NightDeps, openNight } from './open.ts';
import { putVerdict } from './read.ts';

export function nightActivities(deps: NightDeps & { rates: Rates; words: Words }) {
  return {
    /** See `openNight`. */
    openNight: (at: { order: NightOrder; nominal: string }): Promise<OpenedNight> =>
      beating(() => openNight(deps, { ...at, signal: Context.current().cancellationSignal })),

    /** Judges a night whose run has ended, and writes the verdict down. */
    async judgeNight(at: Judged): Promise<NightEnd> {
      const verdict = await beating(() => judgedNight(deps.store, deps.rates, at));
      await putVerdict(deps.store, verdict);
      const { run, nominal, problem } = verdict;
      return { run, nominal, verdict: verdict.verdict, problem: problem?.slice(0, 500) ?? null };
    },

    /** Tells whoever wants to know of the verdict. @throws WorldProblem, ConfigProblem  nobody could be told */
    tellOfNight: (at: { order: NightOrder; run: string }): Promise<void> => tellOf(deps.store, deps.words, at),
  };
}

export type NightActivities = ReturnType<typeof nightActivities>;
