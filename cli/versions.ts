// Which version of a lab's workers a workflow stays with, and why no worker takes it up.
import type { Client } from '@temporalio/client';
import { queues } from '../domain/plan/boundary.ts';

type Description = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>['raw'];

export const noWorker = 'no worker takes up the work';

// As temporal.api.enums.v1.VersioningBehavior and TaskQueueType number them.
const pinned = 1;
const workflowTasks = 1;
const versioned = 2;

/** `build of deployment`; null where it goes on with whichever worker is there. */
export function pinnedTo({ workflowExecutionInfo }: Pick<Description, 'workflowExecutionInfo'>): string | null {
  const info = workflowExecutionInfo?.versioningInfo;
  const at = info?.deploymentVersion;
  return info?.behavior === pinned && at?.buildId ? `${at.buildId} of ${at.deploymentName}` : null;
}

/** What keeps work from being taken up, as far as its workflow tells. */
export function notTakenUp(description: Pick<Description, 'workflowExecutionInfo'>): string {
  const version = pinnedTo(description);
  return version === null
    ? noWorker
    : `no worker of build ${version} takes up the work, and this run stays with that one`;
}

/** Where workers poll and get nothing, since none of their builds was made the current one; null otherwise. */
export async function noneIsCurrent(client: Client): Promise<string | null> {
  const { namespace } = client.options;
  const asked = { namespace, taskQueue: { name: queues.control }, taskQueueType: workflowTasks };
  const { pollers, versioningInfo } = await client.workflowService.describeTaskQueue(asked);
  const all = (pollers ?? []).map(({ deploymentOptions }) => deploymentOptions);
  const [one] = all;
  if (!one || all.some((options) => options?.workerVersioningMode !== versioned)) return null;
  if (versioningInfo?.currentDeploymentVersion) return null;
  const { deploymentName, buildId } = one;
  return (
    `workers of ${deploymentName} poll, and no build of theirs is the current one; make one so: ` +
    `temporal worker deployment set-current-version --deployment-name ${deploymentName} --build-id ${buildId}`
  );
}

/** Of an open workflow; null where it stays with none, or cannot be asked. */
export async function versionOf(client: Client, workflow: string): Promise<string | null> {
  const description = await client.workflow
    .getHandle(workflow)
    .describe()
    .catch(() => null);
  return description === null ? null : pinnedTo(description.raw);
}
