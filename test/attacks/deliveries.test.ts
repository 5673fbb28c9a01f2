import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { brand } from '../../shared/brand.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { mutatedDeliveries } from './mutants.ts';

const secret = 'whsec_the-right-one';
const name = (suffix: string) => `${brand.headerPrefix}-${suffix}`;
/** Computed here and not by the core, as an independent check of the signature. */
const rightSignature = (bytes: Buffer) => `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;

it('of 300,000 deliveries with one change, none is accepted and none ends in an exception', () => {
  const { mutated, accepted, thrown, refused } = mutatedDeliveries(300_000, 1);
  expect({ mutated, accepted, thrown }).toEqual({ mutated: 300_000, accepted: 0, thrown: 0 });
  expect(Object.keys(refused).sort()).toEqual(['signature', 'signature-format', 'signature-missing', 'signature-prefix']);
});

it('a delivery of any shape is opened without an exception, and accepted only when it is signed', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
  );
  const strange = fc.dictionary(
    fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom(...['Signature', 'Event', 'Delivery-ID', 'Timestamp'].map(name))),
    fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 })),
  );
  fc.assert(
    fc.property(anything, strange, fc.boolean(), (raw, sent, isSigned) => {
      const given = isSigned ? { ...sent, [name('Signature')]: rightSignature(raw) } : sent;
      const opened = openDelivery(
        { rawBody: raw, headers: given },
        { secret, events: ['BOOKING_CREATED'], subscriptionId: 'sub_1', now: 0, maximumAgeSeconds: 60 },
      );
      if (!isSigned) expect(opened.outcome).toBe('refused');
    }),
    { numRuns: 3000 },
  );
});

describe('one million bytes and more', () => {
  const open = (raw: Buffer, signature = rightSignature(raw)) =>
    openDelivery(
      { rawBody: raw, headers: { [name('Event')]: 'BOOKING_CREATED', [name('Signature')]: signature } },
      { secret, events: ['BOOKING_CREATED'], subscriptionId: 'sub_1', now: 0 },
    );

  it('a forged body of 50 MB is refused before it is read', () => {
    expect(open(Buffer.alloc(50 * 1024 * 1024, '{'), `sha256=${'0'.repeat(64)}`)).toMatchObject({ outcome: 'refused', check: 'signature' });
  });

  it('a signed body of 50 MB that is not JSON is refused', () => {
    expect(open(Buffer.alloc(50 * 1024 * 1024, ' '))).toMatchObject({ outcome: 'refused', check: 'body' });
  });

  it.each([1_000, 100_000, 5_000_000])('a signed body nested %d deep ends in a verdict', (depth) => {
    const raw = Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(open(raw)).toMatchObject({ outcome: 'refused', check: 'body' });
    const inside = Buffer.from(`{"event":"BOOKING_CREATED","data":{"id":"bkg_1","notes":${'['.repeat(depth)}${']'.repeat(depth)}}}`);
    expect(['accepted', 'refused']).toContain(open(inside).outcome);
  });

  it('a signed body with 200,000 keys is read', () => {
    const many = Buffer.from(
      JSON.stringify({
        event: 'BOOKING_CREATED',
        data: { id: 'bkg_1', ...Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`key ${index}`, index])) },
      }),
    );
    expect(open(many).outcome).toBe('accepted');
  });
});
