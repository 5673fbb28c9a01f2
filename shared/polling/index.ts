/** Finding changes by comparing lists. The exports of this folder for other folders. */
export { manyAtOnce } from './compareList.ts';
export { changeItem, compareLists, type Poll } from './poll.ts';
export { changeKey } from '../webhooks/key.ts';
export { isNewFilter, isPollState } from './snapshot.ts';
export { Polls } from './pace.ts';
