// The workflows as workers have them that poll as a version. Others must not say how a workflow goes with versions: Temporal would
// refuse every step of it.
import { setWorkflowOptions } from '@temporalio/workflow';
import { engine } from './engine.ts';
import { epoch } from './epoch.ts';

export * from './index.ts';

// Runs of several versions share an engine, so it stays with none of them, and neither do its epochs.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, engine);
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, epoch);
