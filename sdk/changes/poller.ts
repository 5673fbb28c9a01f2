import { ignoredFiltersNote } from '../../shared/operations/refusedForm.ts';
import { checkEventTypes, chosenEventTypes } from '../../shared/operations/eventTypeFilter.ts';
import { isNewFilter } from '../../shared/polling/snapshot.ts';
import { compareLists, stateWithout, type Change, type PollState } from '../../shared/polling/poll.ts';
import { leastBetween } from '../../shared/polling/pace.ts';
import { eventRows, listedRows, type ListedEventName } from '../../shared/events.ts';
import { present } from '../../shared/records/outputs.ts';
import type { AnyClient } from '../client/picked.ts';
import { callOf } from '../client/calls.ts';
import type { CallOptions } from '../client/options.ts';
import { typed } from '../client/typed.ts';
import { ownTime } from '../time.ts';
import { guarded } from '../errors.ts';
import { memoryClaims, processOnce, type ChangeClaims, type Claim } from '../stores/claims.ts';
import type { HandedOut, KnownChanges, Soon, Store } from '../stores/store.ts';
import { thingOf, type ChangeEvent, type ChangeOf, handlersBy, type Handlers } from '../webhooks/events.ts';
import { sha256 } from '../crypto.ts';

/** The names of the events that lists show. A poller can find only these. */
export const eventNames = listedRows(eventRows).map(({ name }) => name) as readonly ListedEventName[];

/** Settings of a poller. */
export interface PollerOptions {
  client: AnyClient;
  /**
   * Keeps the poller's state between two polls: `changes()` of the stores in `./stores`, `changesFile` of `./node`, or `memoryStore()`,
   * which forgets it at each restart. Use one store for each account.
   */
  store: Store<KnownChanges>;
  /**
   * Remembers which changes were handled. If there is also a receiver, pass its claims, and set the receiver's `alsoPolled`. By default,
   * only this process remembers: if it dies during a poll, some changes are reported again.
   */
  claims?: ChangeClaims | undefined;
  /**
   * Only bookings of these event types. Default: all; an empty list also means all. If the stored state does not know them yet, the first
   * poll makes one request to check that they exist.
   */
  eventTypeIds?: readonly string[] | undefined;
  /** Whether the first poll reports every upcoming confirmed booking as `BOOKING_CREATED`. By default it reports nothing. */
  upcomingAtFirst?: boolean | undefined;
  /** Called for each failure: of a handler, with its change, and in `run` also of a poll, without one. Default: `console.error`. */
  onError?: ((error: unknown, change?: ChangeEvent) => void) | undefined;
}

/** The result of one poll. */
export interface Polled {
  /** Changes that a handler handled. */
  handled: number;
  /** Changes that were already handled: after a delivery, or by an interrupted poll. */
  duplicates: number;
  /** Changes that the next poll reports again: the handler failed, or they are being handled right now. */
  remaining: number;
  /** How many records the poll read, and how many API calls it made. */
  records: number;
  calls: number;
  /**
   * Number of known records that have disappeared from the lists since these were last read completely. They are remembered, and nothing is
   * reported for them.
   */
  missing: number;
  /**
   * Number of records that the lists show in an older state, because a copy of the service's database lags behind. Nothing is reported for
   * them.
   */
  outdated: number;
  /**
   * Set if the poll only recorded the current state and reported nothing. The reason: it was the first poll; the stored state cannot be
   * read; the client now uses another account or service; or most records changed at once and none was updated.
   */
  baseline?: 'first' | 'unreadable' | 'elsewhere' | 'otherForm';
  /** What the caller should know about the result: nothing was filtered, because `eventTypeIds` is empty. */
  note?: string;
  /** How long to wait after this poll, so that polls use at most a tenth of the account's API calls. Milliseconds. */
  nextMs: number;
}

/** Settings of repeated polling. */
export interface RunOptions {
  /** Stops polling, once the running handler has finished. */
  signal: AbortSignal;
  /** Milliseconds between two polls. Default: one minute, or longer if the lists need more API calls. */
  everyMs?: number | undefined;
  /** Called after each poll that succeeded. */
  onPolled?: ((polled: Polled) => void) | undefined;
}

/** Handles a change. If it fails, the next poll reports the change again. */
export type ChangeHandler<Name extends ListedEventName> = (change: ChangeOf<Name>) => unknown;

/** Finds changes and passes them to handlers. */
export interface Poller {
  /**
   * Sets the handler for one or more events. The poller looks only for events that have a handler. An event that is added later counts from
   * the next poll. Only events that lists show can be found.
   *
   * @throws Error if one of them already has a handler, or is not shown by lists
   */
  on<Name extends ListedEventName>(names: Name | readonly Name[], handler: ChangeHandler<Name>): Poller;
  /**
   * Sets a handler for every event that lists show. If a handler is missing, or a new version adds an event, the code does not compile.
   *
   * @throws Error if one of the events already has a handler
   */
  onEvery(handlers: { readonly [Name in ListedEventName]: ChangeHandler<Name> }): Poller;
  /**
   * Polls once: reads the parts of the lists that are due, compares them with the stored state, and passes each change to its handler, one
   * after another, oldest first. If several processes share the store, they poll one at a time.
   *
   * @throws ServiceError if a list cannot be read, or an event type of `eventTypeIds` does not exist; then nothing was reported and nothing
   * is lost
   * @throws the signal's reason; changes handled until then are not reported again
   */
  poll(options?: CallOptions): Promise<Polled>;
  /** Polls until the signal stops it. Never throws: a failed poll is passed to `onError`, and the next one finds the same changes. */
  run(options: RunOptions): Promise<void>;
}

/** The shortest default interval between two polls, even if the lists are short. Milliseconds. */
const usualMs = 60_000;

/**
 * Finds events by comparing the account's lists with their last known state. For applications that the service cannot reach, or that must
 * not miss anything. The service's lists have no order and no date filter (G31), so everything is read, 100 records per call. Each poll
 * reads lists of up to 1,000 records completely. Of longer lists, it reads both ends, the future bookings and a part of the rest, so that
 * an hour of polls reads everything.
 *
 * The first poll only records the current state. A change is saved as known only after it was handled. Two changes of a record between two
 * polls count as one.
 *
 * @example
 * ```ts
 * const { changes, claims } = sqliteStores(database);
 * const poller = createPoller({ client, store: changes(), claims }).on('BOOKING_CREATED', ({ record }) => welcome(record.invitee_email));
 * await poller.run({ signal });
 * ```
 */
export function createPoller(options: PollerOptions): Poller {
  const { client, store, claims = memoryClaims(), upcomingAtFirst = false, onError = (error: unknown) => console.error(error) } = options;
  const note = options.eventTypeIds?.length === 0 ? ignoredFiltersNote([{ label: 'eventTypeIds' }]) : undefined;
  const failed = (error: unknown, change?: ChangeEvent): void => guarded(() => onError(error, change));

  async function pollOnce(handlers: Handlers<ChangeEvent>, signal: AbortSignal | undefined): Promise<Polled> {
    const stored = await store.read();
    const known = await knownNow(stored, claims);
    const call = callOf(client, 'poller.poll', signal);
    const eventTypeIds = chosenEventTypes(options.eventTypeIds);
    if (isNewFilter(known, eventTypeIds)) await call.guard(() => checkEventTypes(call.client, eventTypeIds));
    const wanted = { events: [...handlers.keys()], eventTypeIds, upcomingAtFirst, place: call.baseUrl };
    const { clock } = call.client;
    const began = clock.now();
    const found = await call.guard(() => compareLists(call.client, known, wanted, sha256));
    const { changes, state, records, calls, missing, outdated, baseline } = found;
    // If this process crashes, the next one must find the changes that may already have been handled.
    if (changes.length > 0) await store.write({ known, next: state, handedOut: changes.map((change) => handedOut(change)) });
    const counts = { handled: 0, duplicates: 0, remaining: 0, records, calls, missing, outdated };
    const unhandled: HandedOut[] = [];
    for (const change of changes) {
      const event = eventOf(change);
      // If a delivery has reported a later change in the meantime, the next poll finds what is still unreported.
      const claim = (): Soon<Claim> => claims.claimLast(thingOf(handedOut(change)), change.key, clock.now() - began);
      const handle = (): unknown => handlers.get(event.event)?.(event);
      const outcome = signal?.aborted === true ? 'inProgress' : await processOnce([claim], handle, (error) => failed(error, event));
      if (outcome === 'processed') counts.handled += 1;
      else if (outcome === 'duplicate') counts.duplicates += 1;
      else unhandled.push(handedOut(change));
    }
    counts.remaining = unhandled.length;
    if (found.isChanged || stored?.handedOut !== undefined || changes.length > 0)
      await store.write({ known: unhandled.length === 0 ? state : stateWithout(known, state, unhandled, sha256) });
    signal?.throwIfAborted();
    return { ...counts, ...(baseline !== undefined && { baseline }), ...(note !== undefined && { note }), nextMs: leastBetween(calls) };
  }

  return handlersBy<ChangeEvent, Poller>((handlers) => {
    const poll: Poller['poll'] = ({ signal } = {}) => alone(store, () => pollOnce(handlers, signal), signal);
    return {
      poll,
      async run({ signal, everyMs = usualMs, onPolled }) {
        let least = 0;
        while (!signal.aborted) {
          try {
            const found = await poll({ signal });
            least = found.nextMs;
            onPolled?.(found);
          } catch (error) {
            if (!signal.aborted) failed(error);
          }
          // An aborted signal ends the wait early, and with it the loop.
          await ownTime.sleep(Math.max(everyMs, least), signal).catch(() => undefined);
        }
      },
    };
  }, eventNames);
}

/** Waits for its turn, unless the signal aborts. Work that has started is not interrupted. */
function alone<Result>(store: Store<KnownChanges>, work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const giveUp = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('The poll was given up.'));
    signal?.addEventListener('abort', giveUp);
    const begin = (): Promise<Result> => {
      signal?.removeEventListener('abort', giveUp);
      signal?.throwIfAborted();
      return work();
    };
    store.withLock(async () => begin()).then(resolve, reject);
  });
}

const handedOut = ({ row, record, key }: Change): HandedOut => ({ event: row.name, id: String(record['id']), key });

/** The known state of the lists. If a process died while it was passing on changes, the claims say which of them were handled. */
async function knownNow(stored: KnownChanges | undefined, claims: ChangeClaims): Promise<unknown> {
  if (stored?.handedOut === undefined) return stored?.known;
  const unhandled: HandedOut[] = [];
  for (const each of stored.handedOut) {
    const claim = await claims.claimLast(thingOf(each), each.key);
    if (claim.state === 'mine') await claim.release();
    if (claim.state !== 'kept') unhandled.push(each);
  }
  return stateWithout(stored.known, stored.next as PollState, unhandled, sha256);
}

/** The cast is safe: the table of events gives each event's kind of record, and the list was read as that kind. */
const eventOf = ({ row, record, key }: Change): ChangeEvent =>
  ({ event: row.name, record: typed(row.record, present(row.record, record)), change_key: key }) as ChangeEvent;
