/** Changes found by comparing lists: what other parts use of it. */
export { changeItem, type ChangeStore, type PollState, manyAtOnce, poll, type Poll } from './poll.ts';
export { changeKey } from '../webhooks/key.ts';
export { Polls } from './pace.ts';
