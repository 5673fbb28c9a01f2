/** Writes that may have been done although no response arrived. The exports of this folder for other folders. */
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
