/** Writes that may have happened although no answer came: what other parts use of it. */
export {
  InProcess,
  memoryStore,
  pendingForMs,
  PendingWrites,
  type PendingStore,
  type WriteCoordination,
  type WriteKeys,
} from '../client/pendingWrites.ts';
export { runWrite } from './runWrite.ts';
export type { EffectLookup, SearchFor, Write } from './write.ts';
export { RepeatableRun, Runs } from './finishedItems.ts';
