import { createHmac } from 'node:crypto';
import { brand } from '../shared/brand.ts';
import type { SandboxBasis } from './context.ts';
import { instant, newId, newSecret } from './records.ts';
import type { Booking, Contact, Delivery, EventName, Subscription } from './records.ts';
import type { Forms } from './variants.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000] as const;

/** How long a receiver may take to respond (G20). */
const TIMEOUT_MS = 10 * second;

/** The waits between tries, in each form. `days` is typical of several services with webhooks. */
export const SCHEDULES: Readonly<Record<Forms['retries'], readonly number[]>> = {
  minutes: [second, 5 * second, 30 * second, 2 * minute, 10 * minute],
  days: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
};

/** A subscription that has accepted nothing for this long is paused until its host resumes it. */
const PAUSED_AFTER_MS: Readonly<Record<Forms['retries'], number>> = { minutes: Infinity, days: 5 * 24 * hour };

const AT_ONCE = 64;
/** How much of a response is kept, in characters. */
const ANSWER_MAX = 500;
const SIGNATURE = `${brand.headerPrefix}-Signature`;

type DeliveriesOptions = Pick<SandboxBasis, 'store' | 'present' | 'clock' | 'forms' | 'log'>;

export type Deliveries = ReturnType<typeof createDeliveries>;

/**
 * Sends events to their subscriptions (section 6 of the public document). A delivery is saved in the same transaction as its cause, and
 * sent until a 2xx: at least once, in no guaranteed order, and across restarts.
 */
export function createDeliveries(options: DeliveriesOptions) {
  const { store, clock, forms, log } = options;
  const inFlight = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  let alarm = new AbortController();

  const dueAfter = (now: number) => store.deliveries.all({ where: 'due > ?', values: [now], by: 'due', limit: 1 })[0]?.next_attempt_at;

  /** Sends everything due, and runs again when the next delivery is due. */
  function wake(): void {
    if (isStopped()) return;
    // Read once: a delivery that becomes due between two readings would be neither sent now nor waited for.
    const now = clock.now();
    // In the order of the index. Any other order would read every delivery ever made.
    for (const delivery of store.deliveries.all({ where: 'due <= ?', values: [now], by: 'due', limit: AT_ONCE })) {
      if (inFlight.has(delivery.id)) continue;
      const tried = attempt(delivery).finally(() => {
        inFlight.delete(delivery.id);
        wake();
      });
      inFlight.set(delivery.id, tried);
    }
    alarm.abort();
    const { signal } = (alarm = new AbortController());
    const next = dueAfter(now);
    if (next != null) void clock.sleep(Math.max(0, next - clock.now()), signal).then(() => signal.aborted || wake());
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const subscription = store.subscriptions.find(delivery.subscription_id);
    if (subscription?.active !== true) {
      const ended: Partial<Delivery> =
        subscription === undefined ? { status: 'dropped' } : { status: 'failed', given_up: 'its subscription is paused' };
      store.deliveries.update({ ...delivery, ...ended, next_attempt_at: null });
      return;
    }
    const at = clock.now();
    const outcome = await send(options, delivery, subscription, stopping.signal);
    if (isStopped()) return;
    const took_ms = clock.now() - at;
    const attempts = [...delivery.attempts, { at: instant(at), took_ms, ...outcome }];
    const delivered = outcome.error === null;
    const wait = SCHEDULES[forms.retries][attempts.length - 1];
    // The receiver says that it is gone for good (G38). Nobody will respond there, and its place among the 25 is free again.
    const gone = outcome.status === 410 && forms.gone === 'removed';
    const retried = !delivered && !gone && wait !== undefined;
    const kept: Delivery = {
      ...delivery,
      attempts,
      status: delivered ? 'delivered' : retried ? 'pending' : 'failed',
      next_attempt_at: retried ? clock.now() + wait : null,
      ...(!delivered && !retried && { given_up: gone ? 'the receiver is gone for good' : `after ${attempts.length} tries` }),
    };
    store.transaction(() => {
      store.deliveries.update(kept);
      if (gone) store.subscriptions.delete(subscription.id);
      else note(options, subscription.id, delivered);
    });
    const { origin, pathname } = new URL(delivery.url);
    const after = retried ? `again in ${wait / 1000} s` : gone ? 'subscription removed' : 'given up';
    const said = delivered ? `delivered (${outcome.status})` : `${outcome.error}; ${after}`;
    log(
      `${delivery.event} ${delivery.id} ${delivery.signed ? 'signed' : 'unsigned'} to ${origin}${pathname}, attempt ${attempts.length}, ${took_ms} ms: ${said}`,
    );
  }

  /** Resolves when nothing is being sent or due. Retries that are not due yet stay. */
  async function settled(): Promise<void> {
    for (wake(); inFlight.size > 0; wake()) await Promise.all(inFlight.values());
  }

  return {
    wake,
    settled,
    /** Saves one delivery for each active subscription to an event. Call `wake` after the transaction. */
    enqueue: (event: EventName, record: Booking | Contact): void => enqueue(options, event, record),
    /** Sends a delivery again, with the same id and body. */
    again(delivery: Delivery): void {
      store.deliveries.update({ ...delivery, status: 'pending', given_up: null, next_attempt_at: clock.now() });
      wake();
    },
    /**
     * Moves time forward as if it had passed by itself: each delivery that becomes due is sent, and answered, before the clock continues.
     * Takes as long as the receivers take to respond.
     */
    async forward(ms: number): Promise<void> {
      const until = clock.now() + ms;
      for (;;) {
        await settled();
        const next = dueAfter(clock.now());
        if (next == null || next > until || isStopped()) break;
        await clock.advance(next - clock.now());
      }
      await clock.advance(Math.max(0, until - clock.now()));
      await settled();
    },
    /** Interrupts the deliveries being sent. They stay pending, and are sent again after the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      alarm.abort();
      await Promise.all(inFlight.values());
    },
  };
}

function enqueue({ store, present, clock }: DeliveriesOptions, event: EventName, record: Booking | Contact): void {
  const subscriptions = store.subscriptions
    .all({ where: 'account = ?', values: [record.account_id] })
    .filter(({ active, events }) => active && events.includes(event));
  if (subscriptions.length === 0) return;
  const about = { account_id: record.account_id, event, record_id: record.id, body: JSON.stringify(present.delivered(event, record)) };
  const begun = { ...about, status: 'pending', next_attempt_at: clock.now(), created_at: instant(clock.now()) } as const;
  for (const { id: subscription_id, url, signing_secret } of subscriptions)
    store.deliveries.insert({ id: newId('dlv'), ...begun, subscription_id, url, signed: signing_secret !== null, attempts: [] });
}

/** Records since when a subscription has accepted nothing, and pauses it after too long. */
function note({ store, clock, forms, log }: DeliveriesOptions, id: string, delivered: boolean): void {
  const subscription = store.subscriptions.find(id);
  if (subscription === undefined || (delivered && subscription.failing_since == null)) return;
  const failing_since = delivered ? null : (subscription.failing_since ?? instant(clock.now()));
  const paused = failing_since !== null && clock.now() - Date.parse(failing_since) >= PAUSED_AFTER_MS[forms.retries];
  if (!paused && failing_since === subscription.failing_since) return;
  store.subscriptions.update({ ...subscription, failing_since, active: subscription.active && !paused });
  if (paused) log(`${id} has accepted nothing since ${failing_since} and is paused`);
}

/** @param stopping interrupts the request */
async function send({ clock, forms }: DeliveriesOptions, delivery: Delivery, subscription: Subscription, stopping: AbortSignal) {
  const tooLong = new AbortController();
  const answered = new AbortController();
  void clock.sleep(TIMEOUT_MS, answered.signal).then(() => tooLong.abort());
  // The only difference between tries: the time in the headers (G37).
  const created_at = forms.timestamp === 'first' ? delivery.created_at : instant(clock.now());
  const { body } = delivery;
  const headers = headersOf({ ...delivery, created_at }, subscription);
  // Two secrets are valid while a new one replaces the old.
  if (forms.signing === 'list' && headers[SIGNATURE] !== undefined)
    headers[SIGNATURE] = `${signatureOf(body, newSecret('whsec'))}, ${headers[SIGNATURE]}`;
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `${brand.slug}-webhooks/1`, ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([tooLong.signal, stopping]),
    });
    // The status already decides, so a body that comes too late changes nothing.
    const answer = (await response.text().catch(() => '')).slice(0, ANSWER_MAX);
    const error = response.ok ? null : `the receiver answered ${response.status}`;
    return { status: response.status, error, ...(answer !== '' && { answer }) };
  } catch (error) {
    return { status: null, error: tooLong.signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} seconds` : reasonOf(error as Error) };
  } finally {
    answered.abort();
  }
}

/** The headers of section 6; without a signature if the subscription is older than signing. */
export function headersOf({ id, event, body, created_at }: Delivery, { signing_secret }: Subscription): Record<string, string> {
  return {
    [`${brand.headerPrefix}-Event`]: event,
    [`${brand.headerPrefix}-Delivery-ID`]: id,
    [`${brand.headerPrefix}-Timestamp`]: created_at,
    ...(signing_secret === null ? {} : { [SIGNATURE]: signatureOf(body, signing_secret) }),
  };
}

/** The signature over the sent bytes, in lowercase hexadecimal (section 6, signing rule 2). */
function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
}

/** The message of the innermost cause, because fetch itself only says that it failed. */
function reasonOf({ cause, code, message }: NodeJS.ErrnoException): string {
  if (cause != null) return reasonOf(cause as Error);
  return code === 'ECONNREFUSED' ? 'nothing answers at this address' : message || (code ?? 'no reason given');
}
