import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { brand } from '../../shared/brand.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { chance, seedOf, type Chance } from '../soak/random.ts';

const secret = 'whsec_the-right-one';
const name = (suffix: string) => `${brand.headerPrefix}-${suffix}`;
/** Computed here and not by the core, as an independent check of the signature. */
const rightSignature = (bytes: Buffer, key = secret) => `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`;

const open = (rawBody: Buffer, signature: string | string[] = rightSignature(rawBody)) =>
  openDelivery(
    { rawBody, headers: { [name('Event')]: 'BOOKING_CREATED', [name('Signature')]: signature } },
    { secret, events: ['BOOKING_CREATED'], subscriptionId: 'sub_1', now: 0 },
  );

const record = { id: 'bkg_1', status: 'CONFIRMED', invitee_name: 'Ada Lovelace', start_time: '2030-01-09T09:00:00.000Z' };
const bodies: readonly [Buffer, ...Buffer[]] = [
  Buffer.from(JSON.stringify({ event: 'BOOKING_CREATED', created_at: '2030-01-02T08:00:00Z', data: record })),
  Buffer.from(JSON.stringify({ data: record })),
  Buffer.from(JSON.stringify({ event: 'BOOKING_CREATED', payload: { ...record, notes: 'ü – €'.repeat(40) } })),
];

interface Delivery {
  rawBody: Buffer;
  signature: string | string[];
}
type Mutation = (rawBody: Buffer, signature: string, luck: Chance) => Partial<Delivery>;

const spliced = (bytes: Buffer, at: number, left: number, ...more: number[]) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(more), bytes.subarray(at + left)]);

/** Each turns a valid delivery into one that must be refused. */
const mutations: readonly [Mutation, ...Mutation[]] = [
  (rawBody, _, luck) => {
    const at = luck.below(rawBody.length);
    return { rawBody: spliced(rawBody, at, 1, (rawBody[at] ?? 0) ^ (1 + luck.below(255))) };
  },
  (rawBody, _, luck) => ({ rawBody: rawBody.subarray(0, luck.below(rawBody.length)) }),
  (rawBody, _, luck) => ({ rawBody: spliced(rawBody, luck.below(rawBody.length + 1), 0, luck.below(256)) }),
  (_, signature, luck) => {
    const at = 7 + luck.below(64);
    const other = '0123456789abcdef'.replace(signature[at] ?? '', '')[luck.below(15)] ?? 'g';
    return { signature: signature.slice(0, at) + other + signature.slice(at + 1) };
  },
  (_, signature, luck) => ({ signature: signature.slice(0, luck.below(71)) }),
  (_, signature, luck) => ({ signature: signature + luck.pick(['0', ' ', ',', '\n', ';v=1']) }),
  (_, signature) => ({ signature: `sha256=${signature.slice(7).toUpperCase()}` }),
  (_, signature, luck) => ({
    signature: signature.replace('sha256=', luck.pick(['', 'sha1=', 'SHA256=', 'sha256', 'sha512=', ' sha256='])),
  }),
  (_, signature) => ({ signature: [signature, signature] }),
  (rawBody, _, luck) => ({
    signature: rightSignature(rawBody, luck.pick(['', 'whsec_another', `${secret} `, secret.slice(1), secret.toUpperCase()])),
  }),
];

it('of 300,000 deliveries with one change, none is accepted and none ends in an exception', () => {
  const luck = chance(seedOf('mutations', 1));
  const rights = new Map(bodies.map((body) => [body, rightSignature(body)]));
  const checks = new Set<string>();
  for (let mutated = 0; mutated < 300_000; ) {
    const right = luck.pick(bodies);
    const signature = rights.get(right) ?? '';
    const given: Delivery = { rawBody: right, signature, ...luck.pick(mutations)(right, signature, luck) };
    // A byte inserted beside an equal byte can give the same text again, which is no mutation.
    if (given.rawBody.equals(right) && given.signature === signature) continue;
    mutated += 1;
    const opened = open(given.rawBody, given.signature);
    if (opened.outcome !== 'refused') throw new Error(`This was accepted: ${JSON.stringify(given)}`);
    checks.add(opened.check);
  }
  expect([...checks].sort()).toEqual(['signature', 'signature-format', 'signature-missing', 'signature-prefix']);
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
