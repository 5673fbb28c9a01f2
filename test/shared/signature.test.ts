import type * as Crypto from 'node:crypto';
import fc from 'fast-check';
import { nodeCrypto, sign } from '../../shared/webhooks/nodeCrypto.ts';
import { checkSignature } from '../../shared/webhooks/signature.ts';
import type * as Delivery from '../../shared/webhooks/delivery.ts';
import type * as Signature from '../../shared/webhooks/signature.ts';
import { bookingBody, headersOf, signatureOf, subscribed } from '../sdk/deliveries.ts';
import { delivered } from '../support/wire.ts';

const check = (rawBody: Uint8Array | string, header: string | undefined, secret: string | undefined) =>
  checkSignature(rawBody, header, secret, nodeCrypto);

const secret = 'whsec_a-secret-of-the-test';
const body = Buffer.from(JSON.stringify(delivered('BOOKING_CREATED', { id: 'bkg_1', invitee_name: 'Zoë Müller 🎉' })));

it('signs as RFC 4231 says, test case 2', () => {
  expect(sign('what do ya want for nothing?', 'Jefe')).toBe('sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
});

it('accepts a signature over the raw bytes, given as bytes or as text', () => {
  expect(check(body, sign(body, secret), secret)).toBe('valid');
  expect(check(body.toString('utf8'), sign(body, secret), secret)).toBe('valid');
});

it.each([
  ['no signature', undefined, 'missing'],
  ['an empty signature', '', 'missing'],
  ['no prefix', sign(body, secret).slice(7), 'prefix'],
  ['another algorithm', sign(body, secret).replace('sha256', 'sha1'), 'prefix'],
  ['an upper-case prefix', sign(body, secret).replace('sha256', 'SHA256'), 'prefix'],
  ['upper-case digits', `sha256=${sign(body, secret).slice(7).toUpperCase()}`, 'format'],
  ['a long digest', `${sign(body, secret)}00`, 'format'],
  ['two signatures folded into one header', `${sign(body, secret)}, ${sign(body, secret)}`, 'format'],
  ['a line break at the end', `${sign(body, secret).slice(0, -1)}\n`, 'format'],
  ["another secret's signature", sign(body, 'another'), 'mismatch'],
])('refuses %s', (_, header, verdict) => {
  expect(check(body, header, secret)).toBe(verdict);
});

it.each(['\n', '\r\n', ' ', '\t', '"', "'", '\u201d', '`', '\u200b', '\uFEFF', '\u00a0', '\u2060\n"'])(
  'a secret that was copied with %j at its ends is the same secret; in its middle, it makes another one',
  (end) => {
    for (const copy of [secret + end, end + secret, end + secret + end]) {
      expect(check(body, sign(body, secret), copy)).toBe('valid');
      expect(sign(body, copy)).toBe(sign(body, secret));
    }
    expect(check(body, sign(body, ''), end)).toBe('secretless');
    expect(check(body, sign(body, secret), `${secret.slice(0, 9)}${end}${secret.slice(9)}`)).toBe('mismatch');
  },
);

it('no delivery with one change is accepted, and none ends in an exception', () => {
  const right = sign(body, secret);
  const bytes = [...body.keys()];
  const places = [...right].map((_, index) => index);
  const bodies = [
    ...bytes.flatMap((index) =>
      Array.from({ length: 255 }, (_, bits) => body.map((byte, at) => (at === index ? byte ^ (bits + 1) : byte))),
    ),
    ...bytes.map((end) => body.subarray(0, end)),
  ];
  expect(bodies.filter((changed) => check(Buffer.from(changed), right, secret) === 'valid')).toEqual([]);
  const headers = [
    ...places.flatMap((index) => [...'0123456789abcdefA= ,'].map((sign) => right.slice(0, index) + sign + right.slice(index + 1))),
    ...places.map((end) => right.slice(0, end)),
  ];
  expect(headers.filter((header) => header !== right && check(body, header, secret) === 'valid')).toEqual([]);
  const others = (text: string) => [
    check(Buffer.concat([body, Buffer.from(text)]), right, secret),
    check(body, right + text, secret),
    check(body, text, secret),
    check(body, sign(body, text), secret),
  ];
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => !others(text).includes('valid')),
    { numRuns: 5_000 },
  );
});

it.each([[undefined], ['']])('never accepts anything without a secret, whatever the signature: %p', (none) => {
  expect(check(body, sign(body, ''), none)).toBe('secretless');
});

it('compares in constant time: everything that has the form of a signature is compared by timingSafeEqual alone, at equal lengths', () => {
  const compare = jest.spyOn(jest.requireActual<typeof Crypto>('node:crypto'), 'timingSafeEqual');
  try {
    const right = sign(body, secret);
    const lastDigit = right.endsWith('0') ? '1' : '0';
    const forged = [`sha256=${'0'.repeat(64)}`, right.slice(0, -1) + lastDigit, sign(body, 'another')];
    for (const signature of [right, ...forged]) check(body, signature, secret);
    expect(compare.mock.results.map(({ value }) => value as boolean)).toEqual([true, false, false, false]);
    for (const [ours, theirs] of compare.mock.calls) expect(ours.byteLength).toBe(theirs.byteLength);
    compare.mockReturnValue(false);
    expect(check(body, right, secret)).toBe('mismatch');
  } finally {
    compare.mockRestore();
  }
});

it('another form of the signature is one edit: of a service that signs each try anew, as `t=<time>,v1=<digest>`, each try still has the same key', () => {
  // The edit: the function that reads the header.
  jest.doMock('../../shared/webhooks/signature.ts', () => {
    const documented = jest.requireActual<typeof Signature>('../../shared/webhooks/signature.ts');
    const asDocumented: typeof checkSignature = (rawBody, header, ...given) =>
      documented.checkSignature(rawBody, header?.replace(/^t=\d+,v1=/, 'sha256='), ...given);
    return { ...documented, checkSignature: asDocumented };
  });
  let delivery: typeof Delivery | undefined;
  jest.isolateModules(() => void (delivery = jest.requireActual<typeof Delivery>('../../shared/webhooks/delivery.ts')));
  const expected = { secret: subscribed.signing_secret, subscriptionId: subscribed.id, events: ['BOOKING_CREATED'], now: 0 };
  let tries = 0;
  const tryOf = (body: string, rawBody = body) => {
    const signature = signatureOf(body).replace('sha256=', `t=${1_900_000_000 + (tries += 1)},v1=`);
    const opened = delivery?.verifyDelivery({ rawBody, headers: headersOf({ body, signature }) }, expected, nodeCrypto);
    return opened?.state === 'accepted' ? opened.repeatKeys : opened?.state;
  };
  const body = bookingBody();
  const first = tryOf(body);
  expect(first).toEqual([expect.any(String)]);
  expect(tryOf(body)).toEqual(first);
  expect(tryOf(body.replace('{', '{"more":1,'))).toEqual([expect.not.stringContaining(String(first))]);
  expect(tryOf(body, `${body} `)).toBe('refused');
});
