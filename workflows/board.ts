// What Temporal's own page shows of a workflow: its state among the search attributes, and how far it is among the details.
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { CampaignProgress, RunInput } from '../domain/plan/boundary.ts';
import type { Group } from '../domain/plan/graph.ts';
import { searchNames } from '../domain/plan/search.ts';

const keyword = <Name extends string>(name: Name) => ({ name, type: 'KEYWORD' as const });
const keys = {
  run: keyword(searchNames.run),
  model: keyword(searchNames.model),
  state: keyword(searchNames.state),
};

type Attribute = { key: ReturnType<typeof keyword>; value: string };

/** Attributes of a campaign to be started. */
export function campaignAttributes({ run }: RunInput, model: string, paused: boolean): Attribute[] {
  return [
    { key: keys.run, value: run },
    { key: keys.model, value: model },
    { key: keys.state, value: paused ? 'paused' : 'running' },
  ];
}

/** State and details of a run that is open. */
export function showRun(
  input: RunInput,
  { paused, used_up, models, ended }: { paused: boolean; used_up: boolean; models: string[]; ended: number },
): void {
  showState(input, paused || used_up ? 'paused' : 'running');
  const why = used_up ? ['paused: its budget is used up'] : [];
  setCurrentDetails([`models done: ${ended}/${models.length} (${models.join(', ')})`, ...why].join('\n\n'));
}

/** Writes down a state where it is another than the last: an event each time. */
export function showState({ searchable }: Pick<RunInput, 'searchable'>, state: string): void {
  if (!searchable || workflowInfo().typedSearchAttributes.get(keys.state) === state) return;
  upsertSearchAttributes([{ key: keys.state, value: state }]);
}

/** State and details of a campaign. Details are no event: they are asked for. `position`: trees that were begun. */
export function showProgress(
  input: Pick<RunInput, 'searchable'>,
  { state, tally, trees, parked, paused_by }: CampaignProgress,
  at: { groups: Group[]; position: number },
): void {
  showState(input, state);
  const { groups, position } = at;
  const cell = cellAt(groups, position);
  const group = groups[cell];
  const wanted = groups.reduce((sum, { items, samples }) => sum + items * samples, 0);
  const { records = 0 } = tally.user_turn ?? {};
  const errors = Object.values(tally).reduce((sum, one) => sum + one.errors, 0);
  const lines = [
    `cell ${cell + 1}/${groups.length}${group === undefined ? '' : ` (${group.data}, T ${group.temperature})`}`,
    `user turns ${records}/${wanted}, blocks ${trees.done}/${trees.total}`,
    ...(errors === 0 ? [] : [`${errors} errors`]),
    ...(paused_by === undefined ? [] : [`paused: the ${paused_by} is used up`]),
    ...new Set(parked.map(({ reason }) => `parked: ${reason}`)),
  ];
  setCurrentDetails(lines.join('\n\n'));
}

/** The group that a position lies in; the last one past the end. */
function cellAt(groups: Group[], position: number): number {
  let rest = Math.max(0, position - 1);
  for (const [index, { blocks, samples }] of groups.entries()) {
    if (rest < blocks * samples) return index;
    rest -= blocks * samples;
  }
  return Math.max(0, groups.length - 1);
}
