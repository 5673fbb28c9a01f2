export { changesFile, fileStore } from './fileStore.ts';
export { ownAccount } from './ownAccount.ts';
export { withLock } from './lock.ts';
