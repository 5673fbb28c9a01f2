import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hashing, ofTheWeb, verdictOn } from '../../sdk/webhooks/hashing.ts';
import { open, verify } from '../../sdk/webhooks/index.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { verify as verifyInCore } from '../../shared/webhooks/signature.ts';
import { eventNames } from '../../sdk/webhooks/events.ts';
import { mutants, secret } from '../soak/suites/mutations.ts';
import { bookingBody, headersOf, signatureOf, subscribed } from './deliveries.ts';

it('Node.js computes here, and Web Crypto on other runtimes', () => expect(hashing).not.toBe(ofTheWeb));

it('both ways, and the core, agree about any body, signature and secret', async () => {
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
        const expected = verifyInCore(body, given, key);
        expect(await verify(body, given, key)).toBe(expected);
        expect(await verdictOn(body, given, key, ofTheWeb)).toBe(expected);
      },
    ),
    { numRuns: 400 },
  );
});

it('both ways make the same key of the same delivery, which is the core’s key', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
      expect(await ofTheWeb.hash(text)).toBe(await hashing.hash(text));
    }),
  );
  const body = bookingBody();
  const delivery = { rawBody: body, headers: headersOf({ body }) };
  const opened = await open(delivery, subscribed);
  const inCore = openDelivery(delivery, { secret: subscribed.signing_secret, subscriptionId: subscribed.id, events: eventNames, now: 0 });
  if (opened.outcome !== 'accepted' || inCore.outcome !== 'accepted') throw new Error('A right delivery was refused.');
  expect(opened.event.delivery_key).toBe(inCore.delivery.delivery_key);
  expect([opened.claim]).toEqual(inCore.claims);
});

it('of 5,000 deliveries with one change, none passes Web Crypto', async () => {
  const deliveries = mutants(5);
  for (let count = 0; count < 5_000; count += 1) {
    const { rawBody, signature } = deliveries.next().value;
    expect(await verdictOn(rawBody, typeof signature === 'string' ? signature : undefined, secret, ofTheWeb)).not.toBe('valid');
  }
});

it.each([
  ['no secret', undefined],
  ['an empty secret', ''],
])('%s is never a reason to accept', async (_, known) => {
  const body = bookingBody();
  expect(await verify(body, signatureOf(body), known)).toBe('secretless');
});

it('a delivery that says it is too old is refused if a maximum age is set, and only then', async () => {
  const body = bookingBody();
  const delivery = { rawBody: body, headers: headersOf({ body }) };
  expect((await open(delivery, subscribed)).outcome).toBe('accepted');
  expect(await open(delivery, subscribed, { maximumAgeSeconds: 60 })).toMatchObject({ outcome: 'refused', check: 'age' });
});

it('missing bytes are refused', async () => {
  expect(await open({ rawBody: undefined, headers: {} }, subscribed)).toMatchObject({ outcome: 'refused', check: 'raw-body' });
});
