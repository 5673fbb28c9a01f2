export { memoryStore, pendingForMs, PendingWrites, type PendingStore, type WriteKeys } from './pendingWrites.ts';
export { runWrite } from './runWrite.ts';
export type { Lookup, SearchFor, Write } from './write.ts';
