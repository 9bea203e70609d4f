export { campaign } from './campaign.ts';
export { sweep } from './sweep.ts';
