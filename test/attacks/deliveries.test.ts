import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { brand } from '../../shared/brand.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { sign, verify } from '../../shared/webhooks/signature.ts';
import { emptyStore, method, runStep, type Surroundings } from '../soak/platforms/zapier.ts';
import { mutatedDeliveries } from './mutants.ts';
import { VirtualTime } from '../soak/time.ts';
import { receiveDelivery, type TriggerPlace } from './receiveDelivery.ts';

const secret = 'whsec_the-right-one';
const body = Buffer.from(
  JSON.stringify({
    event: 'BOOKING_CREATED',
    created_at: '2030-01-02T08:00:00Z',
    data: { id: 'bkg_1', status: 'CONFIRMED', invitee_email: 'ada@example.com' },
  }),
);
const name = (suffix: string) => `${brand.headerPrefix}-${suffix}`;
/** Computed here and not by the core, as an independent check of the signature. */
const rightSignature = (bytes: Buffer = body, key = secret) => `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`;

type Headers = Record<string, string | string[]>;
const headers = (signature: string | string[] | undefined, more: Headers = {}): Headers => ({
  'content-type': 'application/json',
  [name('Event')]: 'BOOKING_CREATED',
  [name('Delivery-ID')]: `dlv_${Math.random()}`,
  [name('Timestamp')]: '2030-01-02T08:00:00Z',
  ...(signature !== undefined && { [name('Signature')]: signature }),
  ...more,
});

const url = 'http://localhost:5678/webhook/5b0c/webhook';
let subscriptions = 0;
/** Each delivery gets a subscription of its own, so that what another one received does not count as a replay. */
const place = (signing_secret: string | undefined): TriggerPlace => ({
  url,
  events: ['BOOKING_CREATED'],
  staticData: { webhook: { id: `sub_${(subscriptions += 1)}`, url, ...(signing_secret !== undefined && { signing_secret }) } },
});
const inN8n = async (rawBody: Buffer | undefined, sent: Headers, known: string | undefined) =>
  (await receiveDelivery(place(known), rawBody, sent)).items.length;

const zapier = (): Surroundings => ({
  time: new VirtualTime(),
  store: emptyStore(),
  wire: () => Promise.reject(new Error('no request is expected')),
  connection: { id: '1', baseUrl: 'http://127.0.0.1:9/api/v1', clientId: '', clientSecret: '', accessToken: '', refreshToken: '' },
});
const inZapier = async (rawBody: Buffer | undefined, sent: Headers, known: string | undefined) => {
  // Zapier adds a prefix to header names and joins repeated headers.
  const handed = Object.fromEntries(Object.entries(sent).map(([key, value]) => [`Http-${key}`, String(value)]));
  const bundle = {
    rawRequest: { content: rawBody?.toString('utf8'), headers: handed, method: 'POST', querystring: '' },
    subscribeData: { id: 'sub_1', ...(known !== undefined && { signing_secret: known }) },
  };
  const told = await runStep(zapier(), method('triggers.booking_created.operation.perform'), bundle as never);
  if (told.outcome !== 'done') throw new Error(told.words);
  return (told.value as unknown[]).length;
};
const platforms = [
  ['n8n', inN8n],
  ['Zapier', inZapier],
] as const;

it('of 300,000 deliveries with one change, none is accepted and none ends in an exception', () => {
  const { mutated, accepted, thrown, refused } = mutatedDeliveries(300_000, 1);
  expect({ mutated, accepted, thrown }).toEqual({ mutated: 300_000, accepted: 0, thrown: 0 });
  expect(Object.keys(refused).sort()).toEqual(['signature', 'signature-format', 'signature-missing', 'signature-prefix']);
});

it('accepts only the one right signature, whatever bytes, headers and secret come', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ minLength: 1, maxLength: 60 }),
      fc.oneof(fc.string({ maxLength: 90 }), fc.stringMatching(/^sha256=[0-9a-f]{64}$/)),
      (bytes, key, header) => {
        const raw = Buffer.from(bytes);
        const right = rightSignature(raw, key);
        expect(verify(raw, right, key)).toBe('valid');
        expect(sign(raw, key)).toBe(right);
        if (header !== right) expect(verify(raw, header, key)).not.toBe('valid');
      },
    ),
    { numRuns: 3000 },
  );
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

describe.each(platforms)('the downgrade matrix in %s', (_, deliver) => {
  const signatures: [string, string | string[] | undefined][] = [
    ['no signature', undefined],
    ['an empty one', ''],
    ['the prefix alone', 'sha256='],
    ['a short one', rightSignature().slice(0, 40)],
    ['one in capitals', rightSignature().toUpperCase().replace('SHA256', 'sha256')],
    ['two right ones', [rightSignature(), rightSignature()]],
    ['a right and a wrong one', [rightSignature(), `sha256=${'0'.repeat(64)}`]],
    ['a folded one', `sha256=${'0'.repeat(64)}, ${rightSignature()}`],
    ['another algorithm', `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`],
    ['a digest without prefix', rightSignature().slice(7)],
    ['one in base64', `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`],
    ['one with the empty secret', rightSignature(body, '')],
    ['one with a former secret', rightSignature(body, 'whsec_former')],
    ['"none"', 'none'],
  ];
  const cases = signatures.flatMap(([words, signature]) =>
    [secret, undefined, '', 'whsec_rotated'].map(
      (known) =>
        [words, known === undefined ? 'lost' : known === '' ? 'empty' : known === secret ? 'known' : 'rotated', signature, known] as const,
    ),
  );

  it.each(cases)('%s, with the secret %s, starts nothing', async (_words, _state, signature, known) => {
    // Zapier joins two equal headers into one; everywhere else they stay two.
    expect(await deliver(body, headers(signature), known)).toBe(0);
  });

  it.each([
    ['the secret is lost', body, undefined],
    ['the secret is empty', body, ''],
    ['the secret has been renewed', body, 'whsec_rotated'],
    ['the body is empty', Buffer.alloc(0), secret],
    ['the body is a form', Buffer.from('event=BOOKING_CREATED&id=bkg_1'), secret],
    ['the body is XML', Buffer.from('<event>BOOKING_CREATED</event>'), secret],
    ['the body is still packed', Buffer.from('1f8b08000000000000', 'hex'), secret],
    ['the body is multipart', Buffer.from('--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{}\r\n--x--'), secret],
    ['the body is a list', Buffer.from('[{"id":"bkg_1"}]'), secret],
    ['the body is the word null', Buffer.from('null'), secret],
    ['the bytes did not come along', undefined, secret],
  ])('a right signature does not help if %s', async (_words, bytes, known) => {
    expect(await deliver(bytes, headers(rightSignature(bytes ?? body)), known)).toBe(0);
  });

  it('and the right one starts one run', async () => {
    expect(await deliver(body, headers(rightSignature()), secret)).toBe(1);
  });
});

describe.each(platforms)('header confusion in %s', (_, deliver) => {
  it('takes the headers in any letter case', async () => {
    const lower = Object.fromEntries(Object.entries(headers(rightSignature())).map(([key, value]) => [key.toLowerCase(), value]));
    const upper = Object.fromEntries(Object.entries(headers(rightSignature())).map(([key, value]) => [key.toUpperCase(), value]));
    expect(await deliver(body, lower, secret)).toBe(1);
    expect(await deliver(body, upper, secret)).toBe(1);
  });

  it('one header name in two cases with two values counts as two signatures, and is refused', async () => {
    expect(
      await deliver(body, { ...headers(`sha256=${'0'.repeat(64)}`), [name('Signature').toLowerCase()]: rightSignature() }, secret),
    ).toBe(0);
    expect(
      await deliver(body, { ...headers(rightSignature()), [name('Signature').toUpperCase()]: `sha256=${'0'.repeat(64)}` }, secret),
    ).toBe(0);
  });

  it('a signature under a foreign prefix counts for nothing', async () => {
    expect(
      await deliver(
        body,
        { ...headers(undefined), 'X-Other-Signature': rightSignature(), 'X-Hub-Signature-256': rightSignature() },
        secret,
      ),
    ).toBe(0);
  });
});

describe('one million bytes and more', () => {
  const open = (raw: Buffer, signature = rightSignature(raw)) =>
    openDelivery({ rawBody: raw, headers: headers(signature) }, { secret, events: ['BOOKING_CREATED'], subscriptionId: 'sub_1', now: 0 });

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
