export { changesFile, fileStore } from './fileStore.ts';
export { ownAccount } from './settings.ts';
export { withLock } from './lock.ts';
