// How far turns that were generated again are the same, in sentences and as a list.
import { oneLine } from '../../report/escape.ts';
import { grouped, percent } from '../../report/numbers.ts';
import type { Changes } from '../../report/replay/changes.ts';
import type { Agreement, Diverged, Regenerated } from '../../report/replay/regenerated.ts';
import { columns } from '../columns.ts';
import { kindsOfChange } from './changes-text.ts';

/** Of many only the first are listed; `--json` has all. */
const most = 40;

type Told = Regenerated & { run: string; anew: string; equal: boolean; verdicts: Changes };

export function regeneratedText({ run, anew, equal, answers, user_turns, diverged, verdicts }: Told): string {
  const lines = [
    `${anew}: turns of ${run}, generated again.`,
    `  answers     ${agreementText(answers)}`,
    `  user turns  ${agreementText(user_turns)}${apartText(user_turns)}`,
    `  verdicts    ${grouped(verdicts.compared - verdicts.changed.length)} of ${grouped(verdicts.compared)} the same`,
    equal
      ? 'Every turn came out token for token: under this load the engine gave the same answer to the same request.'
      : 'The same request brought another answer: the engine depends on what else it works on, or something about it has changed.',
  ];
  if (diverged.length > 0) lines.push('', listed(diverged).trimEnd());
  if (verdicts.changed.length > 0) lines.push('', kindsOfChange(verdicts.changed).trimEnd());
  if (!equal) lines.push('', `What that does to the rates: uturn compare ${run} ${anew} --common`);
  return `${lines.join('\n')}\n`;
}

function agreementText({ compared, same, failed }: Agreement): string {
  const share = compared === 0 ? '' : ` (${percent(same / compared, 1)} %)`;
  return `${grouped(same)} of ${grouped(compared)} exactly the same${share}${failed === 0 ? '' : `, ${grouped(failed)} failed in one of the two`}`;
}

function apartText({ apart }: Agreement): string {
  return apart === 0 ? '' : `; ${grouped(apart)} more go on from another answer`;
}

function listed(diverged: Diverged[]): string {
  const rows = diverged
    .slice(0, most)
    .map(({ model, data, temperature, item, sample, stage, at, unit, before, after }) => [
      model,
      data,
      `T ${temperature}`,
      oneLine(item),
      String(sample),
      stage.replace('_', ' '),
      `${unit} ${grouped(at + 1)}`,
      unit === 'token' ? `${before ?? 'end'} → ${after ?? 'end'}` : '',
    ]);
  const more = diverged.length > most ? `and ${grouped(diverged.length - most)} more: --json\n` : '';
  return `${columns(['model', 'data', 'T', 'item', 'sample', 'turn', 'first differs at', 'ids'], rows)}${more}`;
}
