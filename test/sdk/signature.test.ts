import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { ownSha256, sha256 } from '../../sdk/changes/sha256.ts';
import { forgedDeliveries, signedDelivery, type TestDelivery } from '../../sdk/testing/index.ts';
import { createReceiver, explainSignature, fetchHandler, open, verify, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { sign } from '../../sdk/webhooks/signature.ts';
import { verifyDelivery } from '../../shared/webhooks/delivery.ts';
import { sign as signInCore, verdictOn } from '../../shared/webhooks/signature.ts';
import { eventNames } from '../../sdk/webhooks/events.ts';
import { bookingBody, headersOf, signatureOf, subscribed } from './deliveries.ts';

it('the package and the core agree about any body, signature and secret', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 100 })),
      fc.string({ minLength: 1, maxLength: 200 }),
      fc.constantFrom('right', 'other', 'short', 'none', 'capitals'),
      async (body, key, kind) => {
        const right = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
        const given = {
          right,
          other: `sha256=${'0'.repeat(64)}`,
          short: right.slice(0, 70),
          none: undefined,
          capitals: right.toUpperCase(),
        }[kind];
        const expected = verdictOn(body, given, key);
        expect(await explainSignature(body, given, key)).toBe(expected);
        expect(await verify(body, given, key)).toBe(kind === 'right');
        expect(await sign(body, key)).toBe(signInCore(body, key));
      },
    ),
    { numRuns: 400 },
  );
});

it('the package makes the core’s keys', async () => {
  const body = bookingBody();
  const delivery = { rawBody: body, headers: headersOf({ body }) };
  const opened = await open(delivery, subscribed);
  const inCore = verifyDelivery(delivery, { secret: subscribed.signing_secret, subscriptionId: subscribed.id, events: eventNames, now: 0 });
  if (inCore.outcome !== 'accepted') throw new Error('A right delivery was refused.');
  expect(opened?.event.delivery_key).toBe(inCore.delivery.delivery_key);
  expect([opened?.claim]).toEqual(inCore.repeatKeys);
});

describe('the shortest use lets nothing in', () => {
  const body = bookingBody();
  it('`if (await verify(...))` without a signature, and without a secret', async () => {
    for (const signature of [undefined, null, '']) expect(await verify(body, signature, 'a secret')).toBe(false);
    for (const secret of [undefined, '']) expect(await verify(body, signatureOf(body, ''), secret)).toBe(false);
  });

  it('`if (await open(...))` with a delivery that is refused, and with an event that nobody knows', async () => {
    const forged = headersOf({ body, signature: signatureOf(body, 'another') });
    await expect(open({ rawBody: body, headers: forged }, subscribed)).rejects.toThrow('The signature does not match');
    for (const unknown of [undefined, []])
      await expect(open({ rawBody: body, headers: headersOf({ body }) }, unknown)).rejects.toThrow(/^No signing secret is known here/);
    await expect(open({ rawBody: undefined, headers: {} }, subscribed)).rejects.toMatchObject({ status: 400, check: 'raw-body' });
    const unknown = '{"event":"BOOKING_PONDERED","data":{"id":"x"}}';
    expect(await open({ rawBody: unknown, headers: headersOf({ body: unknown, event: 'BOOKING_PONDERED' }) }, subscribed)).toBeUndefined();
  });
});

it.each(['hex', 'base64url'] as const)('the hashes of keys are the same without Node.js, in %s', (form) => {
  // Lengths around each boundary of the padding, and texts that are not ASCII.
  const texts = [...Array.from({ length: 140 }, (_, length) => 'a'.repeat(length)), 'Grüße, 東京 😀', 'b'.repeat(10_000)];
  for (const text of texts) {
    const right = createHash('sha256').update(text).digest(form);
    expect([ownSha256(text, form), sha256(text, form)]).toEqual([right, right]);
  }
});

describe('a delivery for a test', () => {
  const secret = 'whsec_of-a-test';
  let received: WebhookEvent[];
  let deliver: (delivery: TestDelivery) => Promise<number>;
  beforeEach(() => {
    received = [];
    const receiver = createReceiver({ subscription: { id: 'sub_1', signing_secret: secret } }).on(
      eventNames,
      (event) => void received.push(event),
    );
    const handle = fetchHandler(receiver);
    deliver = async ({ headers, body }) =>
      (await handle(new Request('https://app.example/deliveries', { method: 'POST', headers, body }))).status;
  });

  it('a signed delivery of each event is accepted, with a whole record', async () => {
    for (const event of eventNames) expect(await deliver(await signedDelivery(event, secret))).toBe(200);
    expect(received.map(({ event, record }) => [event, typeof record.id])).toEqual(eventNames.map((event) => [event, 'string']));
  });

  it('a test sets fields of the record, the time and the id; the same delivery again is handled once, and another one is', async () => {
    const at = new Date('2031-01-02T08:00:00Z');
    const options = { record: { invitee_email: 'grace@example.com' }, deliveryId: 'dlv_1', at };
    const delivery = await signedDelivery('BOOKING_CREATED', secret, options);
    expect([await deliver(delivery), await deliver(delivery)]).toEqual([200, 200]);
    expect(await deliver(await signedDelivery('CONTACT_UPDATED', secret))).toBe(200);
    expect(received).toHaveLength(2);
    expect(received[0]).toMatchObject({
      delivery_id: 'dlv_1',
      delivered_at: '2031-01-02T08:00:00Z',
      record: { invitee_email: 'grace@example.com', status: 'CONFIRMED' },
    });
  });

  it('every forged delivery is refused, and each is as good as the real one but for what it says', async () => {
    const forged = await forgedDeliveries('BOOKING_CREATED', secret);
    expect(Object.keys(forged)).toHaveLength(4);
    for (const [what, delivery] of Object.entries(forged)) expect([what, await deliver(delivery)]).toEqual([what, 401]);
    expect(received).toEqual([]);
  });
});
