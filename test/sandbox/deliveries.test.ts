import { describe, expect, it } from '@jest/globals';
import { brand } from '../../shared/brand.ts';
import { type Booking, type SandboxClock, type Sandbox, type SandboxOptions, virtualClock } from '../../sandbox/service.ts';
import { until } from '../support/until.ts';
import {
  bookingInput,
  caller,
  deliveryHeader,
  hostCaller,
  listenToAll,
  type Reply,
  signatureOf,
  start,
  startReceiver,
  textAt,
  typeNamed,
} from './support.ts';
import { deliveredIn, pageIn, recordIn } from '../support/wire.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const known = { invitee_name: 'Ana Ruiz', invitee_email: 'ana.ruiz@example.com' };
const schedules = {
  minutes: [second, 5 * second, 30 * second, 2 * minute, 10 * minute],
  days: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
};

/** A sandbox with one subscription to new bookings, whose first answers have these statuses. */
async function listening(statuses: number[] = [], options: SandboxOptions = {}) {
  const sandbox = await start({ clock: virtualClock(), limits: false, ...options });
  const receiver = await startReceiver();
  receiver.answers.push(...statuses);
  const { body } = await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: ['BOOKING_CREATED'] });
  return { sandbox, receiver, id: textAt(recordIn(body), 'id'), secret: textAt(body, 'signing_secret') };
}
const always503 = Array<number>(200).fill(503);
const last = (sandbox: Sandbox) => sandbox.deliveries().at(-1);
const triesOf = (sandbox: Sandbox) => last(sandbox)?.attempts.map(({ at }) => Date.parse(at)) ?? [];

describe('a delivery (section 6)', () => {
  it('is a JSON POST with four headers, signed over exactly the bytes that are sent, and one line in the log without a secret', async () => {
    const lines: string[] = [];
    const { sandbox, receiver, secret } = await listening([], { log: (line) => lines.push(line) });
    sandbox.host.book({ ...known, notes: 'Grüße, 日本 \u{1f600}' });
    await sandbox.settled();
    const [delivery = { headers: {}, body: '' }] = receiver.received;
    expect([receiver.received.length, delivery.headers['content-type']]).toEqual([1, 'application/json']);
    expect(['Event', 'Delivery-ID', 'Timestamp', 'Signature'].map((name) => deliveryHeader(delivery, name))).toEqual([
      'BOOKING_CREATED',
      last(sandbox)?.id,
      new Date(sandbox.clock.now()).toISOString(),
      signatureOf(delivery, secret),
    ]);
    expect(lines).toEqual([
      expect.stringMatching(/^BOOKING_CREATED dlv_\w+ signed to http:\/\/127\.0\.0\.1:\d+\/hook, attempt 1, \d+ ms: delivered \(200\)$/),
    ]);
  });

  it('goes to each subscription of its account and event, with an id and a signature of its own, if it has a secret', async () => {
    const { sandbox, receiver } = await listening();
    const [second, unsigned, other] = [await startReceiver(), await startReceiver(), await startReceiver()];
    await caller(sandbox)('POST', '/hooks', { url: second.url, events: ['BOOKING_CANCELLED', 'BOOKING_CREATED'] });
    sandbox.host.addSecretlessSubscription({ url: unsigned.url, events: ['BOOKING_CREATED'] });
    await caller(sandbox)('POST', '/hooks', { url: other.url, events: ['BOOKING_CANCELLED'] });
    sandbox.host.book(known);
    sandbox.host.book(known, sandbox.addAccount().id);
    await sandbox.settled();
    expect([receiver, second, unsigned, other].map(({ received }) => received.length)).toEqual([1, 1, 1, 0]);
    const own = [receiver, second, unsigned].map(({ received: [one = { headers: {}, body: '' }] }) => one);
    expect(new Set(own.map((each) => deliveryHeader(each, 'Delivery-ID'))).size).toBe(3);
    expect(new Set(own.map((each) => deliveryHeader(each, 'Signature'))).size).toBe(3);
    expect(own[2]?.headers).not.toHaveProperty(`${brand.headerPrefix}-Signature`.toLowerCase());
  });
});

describe('retries (G20)', () => {
  it('send the same id, body and headers again after a failure, until a 2xx', async () => {
    const { sandbox, receiver } = await listening([500, 404, 204]);
    sandbox.host.book(known);
    await sandbox.forward(999);
    expect(receiver.received).toHaveLength(1);
    await sandbox.forward(hour);
    const [first, ...again] = receiver.received.map((each) => [
      each.body,
      ...['Delivery-ID', 'Signature', 'Timestamp'].map((name) => deliveryHeader(each, name)),
    ]);
    expect(again).toEqual([first, first]);
    expect(last(sandbox)).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      attempts: [
        { status: 500, error: 'the receiver answered 500' },
        { status: 404, error: 'the receiver answered 404' },
        { status: 204, error: null },
      ],
    });
  });

  it('are also made on a clock whose timers end a little early', async () => {
    // Every reading takes a millisecond, and a sleep ends a millisecond early, as Node's timers may. Nothing here waits for five seconds.
    let time = Date.UTC(2027, 0, 4, 9);
    const clock: SandboxClock = {
      now: () => time++,
      async sleep(ms, signal) {
        const due = time - 1 + ms;
        if (ms < 5_000) await new Promise(setImmediate);
        else await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
        if (signal?.aborted !== true) time = Math.max(time, due - 1);
      },
      advance: async () => undefined,
    };
    const { sandbox, receiver } = await listening([500], { clock });
    sandbox.host.book(known);
    await until(() => last(sandbox)?.status === 'delivered');
    expect(receiver.received).toHaveLength(2);
  });

  it.each(['minutes', 'days'] as const)('end after the last try of the schedule of %s, with the reason', async (retries) => {
    const { sandbox, receiver } = await listening(always503, { forms: { retries } });
    sandbox.host.book(known);
    await sandbox.forward(2 * day);
    const tries = triesOf(sandbox);
    expect(tries.slice(1).map((time, index) => time - (tries[index] ?? 0))).toEqual(schedules[retries]);
    expect(receiver.received).toHaveLength(schedules[retries].length + 1);
    expect(last(sandbox)).toMatchObject({ status: 'failed', given_up: `after ${tries.length} tries`, next_attempt_at: null });
  });

  it('come after no answer within ten seconds', async () => {
    const { sandbox, receiver } = await listening([0]);
    sandbox.host.book(known);
    await until(() => receiver.received.length === 1);
    await sandbox.clock.advance(10_000);
    await sandbox.settled();
    const timedOut = { status: null, error: 'no answer within 10 seconds', took_ms: 10_000 };
    expect(last(sandbox)).toMatchObject({ status: 'pending', attempts: [timedOut] });
    await sandbox.forward(second);
    expect(last(sandbox)?.status).toBe('delivered');
  });

  it('come after a receiver that cannot be reached, and after a redirect, which is not followed', async () => {
    const { sandbox, receiver } = await listening();
    const target = await startReceiver();
    const redirecting = await startReceiver({ location: target.url });
    redirecting.answers.push(307);
    await caller(sandbox)('POST', '/hooks', { url: redirecting.url, events: ['BOOKING_CREATED'] });
    receiver.stop();
    sandbox.host.book(known);
    await sandbox.settled();
    expect(target.received).toEqual([]);
    expect(sandbox.deliveries()).toMatchObject([
      { status: 'pending', attempts: [{ status: null, error: 'nothing answers at this address' }] },
      { status: 'pending', attempts: [{ status: 307 }] },
    ]);
  });

  it('are not made after a 410: the receiver is gone, and so is its subscription', async () => {
    const { sandbox, receiver } = await listening([410]);
    sandbox.host.book(known);
    await sandbox.forward(hour);
    expect([receiver.received.length, sandbox.subscriptions()]).toEqual([1, []]);
    expect(last(sandbox)).toMatchObject({ status: 'failed', given_up: 'the receiver is gone for good' });
  });

  it('stop when the subscription is deleted', async () => {
    const { sandbox, receiver, id } = await listening([500]);
    sandbox.host.book(known);
    await sandbox.settled();
    await caller(sandbox)('DELETE', `/hooks/${id}`);
    await sandbox.forward(hour);
    expect([receiver.received.length, last(sandbox)?.status]).toEqual([1, 'dropped']);
  });

  it('of one receiver delay no other', async () => {
    const { sandbox, receiver } = await listening();
    const slow = await startReceiver();
    slow.answers.push(0, 0, 0, 0, 0);
    await caller(sandbox)('POST', '/hooks', { url: slow.url, events: ['BOOKING_CREATED'] });
    for (let index = 0; index < 5; index++) sandbox.host.book(known);
    const delivered = () => sandbox.deliveries().filter(({ status }) => status === 'delivered');
    await until(() => delivered().length === 5 && slow.received.length === 5);
    expect(delivered().map(({ url }) => url)).toEqual(Array(5).fill(receiver.url));
  });
});

describe('a subscription that accepts nothing for five days', () => {
  /** Books once a day; only this day is accepted. */
  const days = async (count: number, accepted?: number) => {
    const all = await listening([], { forms: { retries: 'days' } });
    for (let index = 0; index < count; index += 1) {
      all.receiver.answers.splice(0, Infinity, ...(index === accepted ? [] : always503));
      all.sandbox.host.book(known);
      await all.sandbox.forward(day);
    }
    return all;
  };

  it('is paused: the list says so, later events are not kept for it, and waiting deliveries are given up for that reason', async () => {
    const { sandbox, receiver, id } = await days(6);
    expect(pageIn((await caller(sandbox)('GET', '/hooks')).body).records).toMatchObject([{ id, active: false }]);
    const before = [receiver.received.length, sandbox.deliveries().length];
    await sandbox.forward(2 * day);
    sandbox.host.book(known);
    await sandbox.forward(2 * day);
    expect([receiver.received.length, sandbox.deliveries().length]).toEqual(before);
    expect(new Set(sandbox.deliveries().map(({ status, given_up }) => `${status} ${given_up}`))).toEqual(
      new Set(['failed after 8 tries', 'failed its subscription is paused']),
    );
  });

  it('is resumed by its host: events reach it again, and what was given up can be sent', async () => {
    const { sandbox, receiver, id } = await days(6);
    receiver.answers.splice(0);
    receiver.received.splice(0);
    const first = sandbox.deliveries()[0]?.id ?? '';
    expect(() => sandbox.host.redeliver(first)).toThrow('is paused. Resume it');
    const resumed = await hostCaller(sandbox)('POST', `/subscriptions/${id}/resume`);
    expect([resumed.status, resumed.text.includes('whsec'), sandbox.subscriptions()[0]?.active]).toEqual([200, false, true]);
    sandbox.host.redeliver(first);
    sandbox.host.book(known);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(2);
    await hostCaller(sandbox)('POST', `/subscriptions/${id}/pause`);
    expect(sandbox.subscriptions()).toMatchObject([{ active: false }]);
    sandbox.host.book(known);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(2);
  });

  it('is not paused if one delivery in between was accepted', async () => {
    const { sandbox, id } = await days(7, 3);
    expect(sandbox.subscriptions()).toMatchObject([{ id, active: true }]);
  });
});

const post = (sandbox: Sandbox, more: Record<string, unknown> = {}): Promise<Reply> =>
  caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { ...known, ...more }));
const request = (sandbox: Sandbox) =>
  sandbox.host.book({ ...known, event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'x' } });
const contact = (sandbox: Sandbox) => sandbox.contacts()[0]?.id ?? '';

const nadia = { invitee_name: 'Nadia', invitee_email: 'n@example.com', invitee_timezone: 'Asia/Tokyo', locale: 'fr' };
const nadiasContact = { name: 'Nadia', timezone: 'Asia/Tokyo', locale: 'fr', phone: null };
const renamed = { invitee_name: 'Ana Lopez' };
const sameAna = { invitee_email: 'ANA.RUIZ@example.com', invitee_timezone: 'Europe/Madrid' };
const phone = '+34 699 999 999';
const postWithPhone = (of: Sandbox) => post(of, { event_type_id: typeNamed(of, 'Support Session'), question_responses: { phone } });
const [ten, quarterPast] = ['2027-06-01T10:00:00.000Z', '2027-06-01T10:15:00.000Z'];
const atTen = (of: Sandbox) => of.host.book({ ...known, start_time: ten });
const noTime = { reason: 'No time' };
const denied = { status: 'CANCELLED', cancellation_reason: 'No time' };
const moved = { start_time: quarterPast, previous_start_time: ten };

type Events = Record<string, unknown>;
/** What is done, after a booking that was there before where there is one, and each event that it fires, with what its record shows at least. */
const CASES: [what: string, Events, act: (sandbox: Sandbox, id: string) => unknown, before?: (sandbox: Sandbox) => Booking][] = [
  ['a confirmed booking of a known contact', { BOOKING_CREATED: { status: 'CONFIRMED' } }, (of) => post(of)],
  ['a first booking by an unknown email', { BOOKING_CREATED: {}, CONTACT_CREATED: nadiasContact }, (of) => post(of, nadia)],
  ['another name of a known contact', { BOOKING_CREATED: {}, CONTACT_UPDATED: { name: 'Ana Lopez' } }, (of) => post(of, renamed)],
  ['a booking with the email in another case and the same zone', { BOOKING_CREATED: {} }, (of) => post(of, sameAna)],
  ['a booking whose answers contain another phone number', { BOOKING_CREATED: {}, CONTACT_UPDATED: { phone } }, postWithPhone],
  ['a pending booking', {}, request],
  ['an approval', { BOOKING_APPROVED: { status: 'CONFIRMED' }, BOOKING_CREATED: {} }, (of, id) => of.host.approve(id), request],
  ['a denial', { BOOKING_DENIED: denied }, (of, id) => of.host.deny(id, noTime), request],
  ['a cancellation', { BOOKING_CANCELLED: { status: 'CANCELLED' } }, (of, id) => caller(of)('POST', `/bookings/${id}/cancel`, {}), atTen],
  [
    'a move onto a part of its own time',
    { BOOKING_RESCHEDULED: moved },
    (of, id) => of.host.reschedule(id, { start_time: quarterPast }),
    atTen,
  ],
  ['an edited contact', { CONTACT_UPDATED: { phone: '1' } }, (of) => of.host.editContact(contact(of), { phone: '1' })],
];

describe('which events fire (G22)', () => {
  it.each(CASES)('%s', async (...[, expected, act, before]) => {
    const sandbox = await start({ clock: virtualClock() });
    const listener = await listenToAll(sandbox);
    const id = before?.(sandbox).id ?? '';
    await sandbox.settled();
    listener.received.splice(0);
    await act(sandbox, id);
    expect(await listener.heard()).toEqual(Object.keys(expected).sort());
    const records = listener.received
      .map(({ body }) => JSON.parse(body) as unknown)
      .map((body) => [textAt(body, 'event'), deliveredIn(body)]);
    expect(Object.fromEntries(records)).toMatchObject(expected);
    expect(sandbox.contacts().filter(({ email }) => email.toLowerCase() === known.invitee_email)).toHaveLength(1);
  });
});
