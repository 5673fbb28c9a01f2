export { createPoller, eventNames, type ChangeHandler, type Polled, type Poller, type PollerOptions, type RunOptions } from './poller.ts';
export type { Changed, ChangeEvent, ChangeOf, EventName, RecordOf } from '../webhooks/events.ts';
export { memoryClaims, type ChangeClaims, type Claim, type Claims } from '../stores/claims.ts';
export { memoryStore, type HandedOut, type KnownChanges, type Soon, type Store } from '../stores/store.ts';
export type { ListedEventName } from '../../shared/events.ts';
