// What changed between two judgings or scorings of the same turns, as a table and a list.
import { oneLine } from '../../report/escape.ts';
import { grouped } from '../../report/numbers.ts';
import type { Change, Changes } from '../../report/replay/changes.ts';
import { columns } from '../columns.ts';

/** Of many only the first are listed; `--json` has all. */
const most = 40;

export function changesText({ run, anew, compared, changed }: Changes & { run: string; anew: string }): string {
  const same = compared - changed.length;
  const head = `${anew}: ${grouped(compared)} verdicts over the turns of ${run}, ${grouped(same)} the same, ${grouped(changed.length)} changed.\n`;
  if (changed.length === 0) return head;
  return `${head}\n${kindsOfChange(changed)}\n${listed(changed)}\nIts table: uturn report ${anew}\n`;
}

/** How often each verdict became which. */
export function kindsOfChange(changed: Change[]): string {
  const groups = Map.groupBy(changed, ({ stage, before, after }) => JSON.stringify([stage, before, after]));
  const rows = [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((some) => [some[0]?.stage ?? '', some[0]?.before ?? '', some[0]?.after ?? '', grouped(some.length)]);
  return columns(['stage', 'was', 'is', 'n'], rows, ['left', 'left', 'left', 'right']);
}

function listed(changed: Change[]): string {
  const rows = changed
    .slice(0, most)
    .map(({ model, data, temperature, item, sample, before, after }) => [
      model,
      data,
      `T ${temperature}`,
      oneLine(item),
      String(sample),
      before,
      after,
    ]);
  const more = changed.length > most ? `and ${grouped(changed.length - most)} more: --json\n` : '';
  return `${columns(['model', 'data', 'T', 'item', 'sample', 'was', 'is'], rows)}${more}`;
}
