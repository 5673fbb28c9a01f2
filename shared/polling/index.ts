/** Changes found by comparing lists: what other parts use of it. */
export { manyAtOnce } from './compareList.ts';
export { changeItem, compareLists, type Poll } from './poll.ts';
export { changeKey } from '../webhooks/key.ts';
export { isNewFilter, isPollState } from './snapshot.ts';
export { Polls } from './pace.ts';
