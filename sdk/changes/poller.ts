import { compareLists, knownWithout, type Change, type Compared, type Kept } from '../../shared/changes/feed.ts';
import { leastBetween } from '../../shared/changes/pace.ts';
import { present } from '../../shared/outputs.ts';
import type { Client } from '../client/api/methods.ts';
import { callOf } from '../client/core.ts';
import type { CallOptions } from '../client/options.ts';
import { typed } from '../client/typed.ts';
import { sleep } from '../sleep.ts';
import { actUnder } from '../stores/acting.ts';
import { memoryClaims, type ChangeClaims } from '../stores/claims.ts';
import type { HandedOut, KnownChanges } from '../stores/knownChanges.ts';
import type { Store } from '../stores/store.ts';
import { thingOf, type ChangeEvent, type ChangeOf, type EventName } from '../webhooks/events.ts';
import { handlersBy, type Handlers } from '../webhooks/handlers.ts';
import { sha256 } from './sha256.ts';

/** What a poller is made with. */
export interface PollerOptions {
  client: Client;
  /**
   * Keeps what is known between two polls: `changes()` of the stores in `./stores`, `changesFile` of `./node`, or `memoryStore()`,
   * with which every start begins by taking stock. One store belongs to one account.
   */
  store: Store<KnownChanges>;
  /**
   * Where it is remembered which changes were taken: the receiver's own where there is one, which then has to be made with
   * `alsoPolled`. In this process alone where it is absent: a process that dies while it hands out changes gives some of them again.
   */
  claims?: ChangeClaims;
  /** Only bookings of these event types; all where it is absent. */
  eventTypeIds?: readonly string[];
  /** Whether the first poll gives every upcoming confirmed booking as `BOOKING_CREATED`; it gives nothing where this is absent. */
  upcomingAtFirst?: boolean;
  /** Told of each failure: of a handler with its change, and in `run` of a poll. `console.error` where it is absent. */
  onError?: (error: unknown, change?: ChangeEvent) => void;
}

/** What became of one poll. */
export interface Polled {
  /** Changes that a handler has taken. */
  taken: number;
  /** Changes that were taken before: from a delivery, or by a poll that did not come to its end. */
  known: number;
  /** Changes that the next poll gives: the handler failed, or somebody is acting on them right now. */
  left: number;
  /** How many records the lists hold, and how many calls they took. */
  records: number;
  calls: number;
  /**
   * Why stock was taken and nothing was given, where it was so: it was the first poll; what was kept cannot be read; the lists are of
   * another account or service; or most contacts differ at once and none was updated.
   */
  stock?: 'first' | 'unreadable' | 'elsewhere' | 'other form';
  /** How long after this poll the next may begin, so that all polls use a tenth of the account's calls at most. Milliseconds. */
  nextMs: number;
}

/** How to go on polling. */
export interface RunOptions {
  /** Ends it, once the handler that is under way has ended. */
  signal: AbortSignal;
  /** How long to wait between two polls; a minute where it is absent, and longer where the lists cost more than that. Milliseconds. */
  everyMs?: number;
  /** Told of each poll that came to its end. */
  onPolled?: (polled: Polled) => void;
}

/** What is done with a change. What fails is given again by the next poll. */
export type ChangeHandler<Name extends EventName> = (change: ChangeOf<Name>) => unknown;

/** Finds what has changed, and has it handled. */
export interface Poller {
  /**
   * Says what is done with an event, or with several. Events without a handler are not polled for; one that is added later begins with
   * the next poll.
   *
   * @throws Error where one of them has a handler already
   */
  on<Name extends EventName>(names: Name | readonly Name[], handler: ChangeHandler<Name>): Poller;
  /** The same for every event there is: one that is left out, or added to the service later, does not compile. */
  onEvery(handlers: { readonly [Name in EventName]: ChangeHandler<Name> }): Poller;
  /**
   * Polls once: reads the lists, compares them with what is known, and hands each change to its handler, the oldest first, one after
   * the other. Of several who have the store one polls at a time.
   *
   * @throws ServiceError as reading a list does; then nothing was given, and nothing is forgotten
   * @throws the signal's reason; what was taken until then is not given again
   */
  poll(options?: CallOptions): Promise<Polled>;
  /** Polls until the signal ends it. Never throws: a poll that fails is told to `onError`, and made up for by the next. */
  run(options: RunOptions): Promise<void>;
}

/** Whatever the lists cost, no more often than people would. Milliseconds. */
const usualMs = 60_000;

/**
 * Compares the account's lists with what was known, for applications that the service cannot reach, and for those that must not miss
 * anything. The service has no order and no filter by date in its lists (G31), so each poll reads them as a whole, 100 records a call.
 *
 * The first poll only records the current state. What is known is written only where it changed, and of a change only once it was
 * taken. Two changes of a record between two polls are one.
 *
 * @example
 * ```ts
 * const { changes, claims } = sqliteStores(database);
 * const poller = createPoller({ client, store: changes(), claims }).on('BOOKING_CREATED', ({ record }) => welcome(record.invitee_email));
 * await poller.run({ signal });
 * ```
 */
export function createPoller(options: PollerOptions): Poller {
  const asked = askedWith(options);
  return handlersBy<ChangeEvent, Poller>((handlers) => {
    const poll: Poller['poll'] = ({ signal } = {}) => alone(asked.store, () => polled(asked, handlers, signal), signal);
    return { poll, run: (runOptions) => run(poll, runOptions, asked.failed) };
  });
}

/** Waits for its turn as long as nobody gives it up. What has begun ends by itself. */
function alone<Result>(store: Store<KnownChanges>, work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const giveUp = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('The poll was given up.'));
    signal?.addEventListener('abort', giveUp, { once: true });
    const begin = (): Promise<Result> => {
      signal?.removeEventListener('abort', giveUp);
      signal?.throwIfAborted();
      return work();
    };
    store.alone(async () => begin()).then(resolve, reject);
  });
}

type Asked = ReturnType<typeof askedWith>;

const askedWith = ({ claims = memoryClaims(), onError = (error) => console.error(error), ...rest }: PollerOptions) => ({
  ...rest,
  claims,
  failed: (error: unknown, change?: ChangeEvent): void => {
    try {
      onError(error, change);
    } catch (worse) {
      // Who listens cannot keep the others from their changes.
      console.error(worse);
    }
  },
});

async function run(poll: Poller['poll'], { signal, everyMs = usualMs, onPolled }: RunOptions, failed: Asked['failed']): Promise<void> {
  let least = 0;
  while (!signal.aborted) {
    try {
      const found = await poll({ signal });
      least = found.nextMs;
      onPolled?.(found);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    // It ends early where the signal says so, and the loop with it.
    await sleep(Math.max(everyMs, least), signal).catch(() => undefined);
  }
}

async function polled(asked: Asked, handlers: Handlers<ChangeEvent>, signal: AbortSignal | undefined): Promise<Polled> {
  const { client, store, claims, eventTypeIds = [], upcomingAtFirst = false } = asked;
  const stored = await store.read();
  const known = await knownNow(stored, claims);
  const call = callOf(client, signal);
  const wanted = { events: [...handlers.keys()], eventTypeIds, upcomingAtFirst, place: call.baseUrl };
  const { clock } = call.client;
  const began = clock.now();
  const found = await call.guard(() => compareLists(call.client, known, wanted, sha256));
  const { changes, kept, records, calls, stock } = found;
  // Whoever goes on after a crash has to find what may have been taken.
  if (changes.length > 0)
    await store.write({ ...(known !== undefined && { known }), next: kept, handedOut: changes.map((change) => handedOut(change)) });
  const { taken, before, untaken } = await handOut(found, handlers, asked, { signal, age: () => clock.now() - began });
  if (found.isOther || stored?.handedOut !== undefined || changes.length > 0)
    await store.write({ known: untaken.length === 0 ? kept : knownWithout(known, kept, untaken, sha256) });
  signal?.throwIfAborted();
  return { taken, known: before, left: untaken.length, records, calls, ...(stock !== undefined && { stock }), nextMs: leastBetween(calls) };
}

const handedOut = ({ row, record, key }: Change): HandedOut => ({ event: row.name, id: String(record['id']), key });

/** What is known of the lists; where a process ended while it handed out changes, the claims say which of them were taken. */
async function knownNow(stored: KnownChanges | undefined, claims: ChangeClaims): Promise<unknown> {
  if (stored?.handedOut === undefined) return stored?.known;
  const untaken: HandedOut[] = [];
  for (const each of stored.handedOut) {
    const claim = await claims.claimLast(thingOf(each), each.key);
    if (claim.state === 'mine') await claim.release();
    if (claim.state !== 'kept') untaken.push(each);
  }
  return knownWithout(stored.known, stored.next as Kept, untaken, sha256);
}

interface HandedOutAll {
  taken: number;
  before: number;
  untaken: HandedOut[];
}

async function handOut(
  { changes }: Compared,
  handlers: Handlers<ChangeEvent>,
  { claims, failed }: Asked,
  { signal, age }: { signal: AbortSignal | undefined; age: () => number },
): Promise<HandedOutAll> {
  const result: HandedOutAll = { taken: 0, before: 0, untaken: [] };
  for (const change of changes) {
    const event = eventOf(change);
    const handler = handlers.get(event.event);
    const outcome =
      signal?.aborted === true || handler === undefined
        ? 'busy'
        : await actUnder(
            // A delivery may have told meanwhile what came after it: then the next poll sees which of them is left to tell.
            [() => claims.claimLast(thingOf(handedOut(change)), change.key, age())],
            () => handler(event),
            (error) => failed(error, event),
          );
    if (outcome === 'taken') result.taken += 1;
    else if (outcome === 'kept') result.before += 1;
    else result.untaken.push(handedOut(change));
  }
  return result;
}

/** The table of events says which kind of record each has, and the list was read as one of that kind. */
const eventOf = ({ row, record, key }: Change): ChangeEvent =>
  ({ event: row.name, record: typed(row.record, present(row.record, record)), change_key: key }) as unknown as ChangeEvent;
