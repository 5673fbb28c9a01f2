export { fileStore } from './fileStore.ts';
export { withLock } from './lock.ts';
