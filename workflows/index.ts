export { campaign } from './campaign.ts';
export { engine } from './engine.ts';
export { epoch } from './epoch.ts';
export { nightly } from './nightly.ts';
export { sweep } from './sweep.ts';
