// How far turns that were generated again are the same, in sentences and as a list.

import { usualGate } from '../../domain/stats/verdict.ts';
import type { ComparedCell } from '../../report/compare.ts';
import { oneLine } from '../../report/escape.ts';
import { grouped, rateText } from '../../report/numbers.ts';
import type { Changes } from '../../report/replay/changes.ts';
import type { Agreement, Diverged, Regenerated } from '../../report/replay/regenerated.ts';
import type { AskedServers } from '../../report/replay/servers.ts';
import { columns } from '../columns.ts';
import { cellsText } from '../compare-text.ts';
import { kindsOfChange } from './changes-text.ts';
import { serversText } from './servers-text.ts';

/** Of many only the first are listed; `--json` has all. */
const most = 40;

type Told = Regenerated & {
  run: string;
  anew: string;
  equal: boolean;
  servers: AskedServers[];
  outcomes: ComparedCell[];
  verdicts: Changes;
};

export function regeneratedText(told: Told): string {
  const { run, anew, equal, servers, answers, user_turns, diverged, in_flight, outcomes, verdicts } = told;
  const lines = [
    `${anew}: turns of ${run}, generated again.`,
    ...serversText(servers, in_flight),
    `  answers     ${agreementText(answers)}`,
    `  user turns  ${agreementText(user_turns)}`,
    ...partedText([answers, user_turns]),
    `  verdicts    ${grouped(verdicts.compared - verdicts.changed.length)} of ${grouped(verdicts.compared)} the same`,
    equal ? alike : unlike(servers),
  ];
  if (diverged.length > 0) lines.push('', listed(diverged).trimEnd());
  if (verdicts.changed.length > 0) lines.push('', kindsOfChange(verdicts.changed).trimEnd());
  if (outcomes.length > 0) lines.push([...cellsText(outcomes, usualGate, { verdicts: 'hidden' })].join('').trimEnd());
  if (!equal) lines.push('', `Sample by sample: uturn compare ${run} ${anew} --common --items`);
  return `${lines.join('\n')}\n`;
}

const alike =
  'Every turn came out token for token: under this load the engine gave the same answer to the same request. Under another it may not.';

function unlike(servers: AskedServers[]): string {
  const others = servers.filter(({ differ }) => differ.length > 0);
  if (others.length > 0)
    return 'The same request brought another answer. The servers are not the same ones, so that may be theirs, or hang on what else they work on.';
  if (servers.every(({ after }) => after.batch_invariant === true))
    return 'The same request brought another answer of an engine that should be batch-invariant: something about it has changed, or it is not.';
  return 'The same request brought another answer: the engine depends on what else it works on, or something about it has changed.';
}

function agreementText({ compared, same, failed, apart, rate, tokens }: Agreement): string {
  return [
    `${grouped(same)} of ${grouped(compared)} exactly the same${compared === 0 ? '' : ` (${rateText(rate, 1)})`}`,
    ...(tokens.compared === 0
      ? []
      : [`${grouped(tokens.same)} of ${grouped(tokens.compared)} tokens before they part`]),
    ...(failed === 0 ? [] : [`${grouped(failed)} failed in one of the two`]),
    ...(apart === 0 ? [] : [`${grouped(apart)} more go on from another prompt`]),
  ].join('; ');
}

/** Where turns part, of answers and user turns each. */
function partedText(both: Agreement[]): string[] {
  const said = both.flatMap(({ parted }, at) => {
    if (parted === null) return [];
    const place = (tokens: number) => String(Math.round(tokens + 1));
    const { n, low, median, high } = parted;
    return [
      `${at === 0 ? 'answers' : 'user turns'} at token ${place(median)}, half of ${grouped(n)} from ${place(low)} to ${place(high)}`,
    ];
  });
  return said.length === 0 ? [] : [`  they part    ${said.join('; ')} (median, quartiles)`];
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
