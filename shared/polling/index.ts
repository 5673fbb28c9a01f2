/** Changes found by comparing lists: what other parts use of it. */
export { changeItem, type ChangeStore, type Kept, manyAtOnce, poll, type Poll, TooLong } from './feed.ts';
export { changeKey } from './key.ts';
export { pollEvery, Polls } from './pace.ts';
