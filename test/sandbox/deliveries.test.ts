import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { brand } from '../../shared/brand.ts';
import { virtualClock, type Clock, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { until } from '../support/until.ts';
import { caller, start, startReceiver, stopAll, textAt, type Receiver } from './support.ts';

afterEach(stopAll);

const header = (name: string) => `${brand.headerPrefix}-${name}`.toLowerCase();
const invitee = { invitee_name: 'Ana Ruiz', invitee_email: 'ana.ruiz@example.com' };

async function listening(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; receiver: Receiver; secret: string; id: string }> {
  const sandbox = await start({ clock: virtualClock(), ...options });
  const receiver = await startReceiver();
  const { body } = await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: ['BOOKING_CREATED'] });
  return { sandbox, receiver, secret: textAt(body, 'signing_secret'), id: textAt(body, 'data', 'id') };
}

/** Every reading takes a millisecond, and a sleep ends a millisecond early, as Node's timers may. Nothing here waits for five seconds. */
function ruggedClock(): Clock {
  let time = Date.UTC(2027, 0, 4, 9);
  return {
    now: () => time++,
    async sleep(ms, signal) {
      const due = time - 1 + ms;
      if (ms < 5_000) await new Promise(setImmediate);
      else await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      if (signal?.aborted !== true) time = Math.max(time, due - 1);
    },
    async advance(ms) {
      time += ms;
    },
  };
}

describe('a delivery (section 6)', () => {
  it('is a JSON POST with four headers, signed over exactly the bytes that are sent', async () => {
    const { sandbox, receiver, secret } = await listening();
    sandbox.host.book({ ...invitee, notes: 'Grüße, 日本 \u{1f600}' });
    await sandbox.settled();
    const [delivery] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      [header('Event')]: 'BOOKING_CREATED',
      [header('Delivery-ID')]: sandbox.deliveries()[0]?.id,
      [header('Timestamp')]: new Date(sandbox.clock.now()).toISOString(),
      [header('Signature')]: `sha256=${createHmac('sha256', secret)
        .update(delivery?.body ?? '')
        .digest('hex')}`,
    });
  });

  it('of a subscription without a secret is not signed', async () => {
    const sandbox = await start();
    const receiver = await startReceiver();
    sandbox.host.addSecretlessSubscription({ url: receiver.url, events: ['BOOKING_CREATED'] });
    sandbox.host.book(invitee);
    await sandbox.settled();
    expect(
      Object.keys(receiver.received[0]?.headers ?? {})
        .filter((name) => name.startsWith(brand.headerPrefix.toLowerCase()))
        .sort(),
    ).toEqual([header('Delivery-ID'), header('Event'), header('Timestamp')]);
    expect(sandbox.deliveries()[0]).toMatchObject({ signed: false, status: 'delivered' });
  });

  it('goes to each subscription of the event with an id and a secret of its own, and to no other', async () => {
    const { sandbox, receiver } = await listening();
    const [second, other] = [await startReceiver(), await startReceiver()];
    await caller(sandbox)('POST', '/hooks', { url: second.url, events: ['BOOKING_CANCELLED', 'BOOKING_CREATED'] });
    await caller(sandbox)('POST', '/hooks', { url: other.url, events: ['BOOKING_CANCELLED'] });
    sandbox.host.book(invitee);
    await sandbox.settled();
    expect([receiver, second, other].map(({ received }) => received.length)).toEqual([1, 1, 0]);
    for (const name of ['Delivery-ID', 'Signature'])
      expect(receiver.received[0]?.headers[header(name)]).not.toBe(second.received[0]?.headers[header(name)]);
  });

  it("does not reach another account's subscriptions", async () => {
    const { sandbox, receiver } = await listening();
    sandbox.host.book(invitee, sandbox.addAccount().id);
    await sandbox.settled();
    expect(receiver.received).toEqual([]);
  });

  it('is one line in the log, without secret, query or body', async () => {
    const lines: string[] = [];
    const { sandbox, secret } = await listening({ log: (line) => lines.push(line) });
    sandbox.host.book(invitee);
    await sandbox.settled();
    expect(lines).toEqual([
      expect.stringMatching(/^BOOKING_CREATED dlv_\w+ signed to http:\/\/127\.0\.0\.1:\d+\/hook, attempt 1, \d+ ms: delivered \(200\)$/),
    ]);
    expect(lines.join()).not.toContain(secret);
  });
});

describe('retries (G20)', () => {
  it('send the same id and body again after a failure, until a 2xx', async () => {
    const { sandbox, receiver } = await listening();
    receiver.answers.push(500, 404, 204);
    sandbox.host.book(invitee);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(1);
    await sandbox.clock.advance(999);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(1);
    await sandbox.clock.advance(1);
    await sandbox.settled();
    await sandbox.clock.advance(5_000);
    await sandbox.settled();
    const [first, second, third] = receiver.received;
    for (const again of [second, third]) {
      expect(again?.body).toBe(first?.body);
      for (const name of ['Delivery-ID', 'Signature', 'Timestamp']) expect(again?.headers[header(name)]).toBe(first?.headers[header(name)]);
    }
    expect(sandbox.deliveries()).toEqual([expect.objectContaining({ status: 'delivered', next_attempt_at: null })]);
    expect(sandbox.deliveries()[0]?.attempts.map(({ status, error }) => [status, error])).toEqual([
      [500, 'the receiver answered 500'],
      [404, 'the receiver answered 404'],
      [204, null],
    ]);
  });

  it('are also made on a clock whose timers end a little early', async () => {
    const { sandbox, receiver } = await listening({ clock: ruggedClock() });
    receiver.answers.push(500);
    sandbox.host.book(invitee);
    await until(() => sandbox.deliveries()[0]?.status === 'delivered');
    expect(receiver.received).toHaveLength(2);
  });

  it('end after six attempts in about 13 minutes', async () => {
    const { sandbox, receiver } = await listening();
    receiver.answers.push(...Array<number>(10).fill(503));
    sandbox.host.book(invitee);
    const waits: number[] = [];
    for (;;) {
      await sandbox.settled();
      const [delivery] = sandbox.deliveries();
      if (delivery?.next_attempt_at == null) break;
      waits.push(delivery.next_attempt_at - sandbox.clock.now());
      await sandbox.clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([1_000, 5_000, 30_000, 120_000, 600_000]);
    expect(receiver.received).toHaveLength(6);
    expect(sandbox.deliveries()[0]?.status).toBe('failed');
    await sandbox.clock.advance(86_400_000);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(6);
  });

  it('come after a receiver does not answer within ten seconds', async () => {
    const { sandbox, receiver } = await listening();
    receiver.answers.push(0);
    sandbox.host.book(invitee);
    while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await sandbox.clock.advance(10_000);
    await sandbox.settled();
    expect(sandbox.deliveries()[0]).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'no answer within 10 seconds', took_ms: 10_000 }],
    });
    await sandbox.clock.advance(1_000);
    await sandbox.settled();
    expect(sandbox.deliveries()[0]?.status).toBe('delivered');
  });

  it('come after a receiver cannot be reached', async () => {
    const { sandbox, receiver } = await listening();
    await receiver.stop();
    sandbox.host.book(invitee);
    await sandbox.settled();
    expect(sandbox.deliveries()[0]).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: expect.stringContaining('ECONNREFUSED') }],
    });
  });

  it('do not follow a redirect: it counts as a failed attempt', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const target = await startReceiver();
    const receiver = await startReceiver({ location: target.url });
    await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: ['BOOKING_CREATED'] });
    receiver.answers.push(307);
    sandbox.host.book(invitee);
    await sandbox.settled();
    expect(target.received).toEqual([]);
    expect(sandbox.deliveries()[0]).toMatchObject({ status: 'pending', attempts: [{ status: 307 }] });
  });

  it('do not come after 410: the receiver is gone for good, and its subscription is removed', async () => {
    const { sandbox, receiver } = await listening();
    receiver.answers.push(410);
    sandbox.host.book(invitee);
    await sandbox.settled();
    expect(sandbox.subscriptions()).toEqual([]);
    expect(sandbox.deliveries()[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  it('stop when the subscription is deleted', async () => {
    const { sandbox, receiver, id } = await listening();
    receiver.answers.push(500);
    sandbox.host.book(invitee);
    await sandbox.settled();
    await caller(sandbox)('DELETE', `/hooks/${id}`);
    await sandbox.clock.advance(1_000);
    await sandbox.settled();
    expect(receiver.received).toHaveLength(1);
    expect(sandbox.deliveries()[0]?.status).toBe('dropped');
  });

  it('of one receiver delay no other', async () => {
    const { sandbox, receiver } = await listening({ limits: false });
    const slow = await startReceiver();
    slow.answers.push(...Array<number>(5).fill(0));
    await caller(sandbox)('POST', '/hooks', { url: slow.url, events: ['BOOKING_CREATED'] });
    for (let index = 0; index < 5; index++) sandbox.host.book(invitee);
    const delivered = () => sandbox.deliveries().filter(({ status }) => status === 'delivered');
    while (delivered().length < 5 || slow.received.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(delivered().map(({ url }) => url)).toEqual(Array(5).fill(receiver.url));
  });

  it('can be requested by hand: the same delivery arrives again', async () => {
    const { sandbox, receiver } = await listening();
    sandbox.host.book(invitee);
    await sandbox.settled();
    sandbox.host.redeliver(sandbox.deliveries()[0]?.id ?? '');
    await sandbox.settled();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    expect(sandbox.deliveries()[0]?.attempts).toHaveLength(2);
  });
});
