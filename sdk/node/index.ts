export { changesFile, fileStore, ownAccount } from './fileStore.ts';
export { withLock } from './lock.ts';
