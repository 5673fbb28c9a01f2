import type * as Crypto from 'node:crypto';
import { isGenuine, sign, verify } from '../../shared/webhooks/signature.ts';

const secret = 'whsec_a-secret-of-the-test';
const body = Buffer.from('{"event":"BOOKING_CREATED","data":{"id":"bkg_1","invitee_name":"Zoë Müller 🎉"}}');

it('signs as RFC 4231 says, test case 2', () => {
  expect(sign('what do ya want for nothing?', 'Jefe')).toBe('sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
});

it('accepts a signature over the raw bytes, given as bytes or as text', () => {
  expect(verify(body, sign(body, secret), secret)).toBe('valid');
  expect(verify(body.toString('utf8'), sign(body, secret), secret)).toBe('valid');
});

it('refuses a body if any byte was changed after signing', () => {
  const signature = sign(body, secret);
  for (let index = 0; index < body.length; index += 1) {
    const changed = Buffer.from(body);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(verify(changed, signature, secret)).toBe('mismatch');
  }
});

it.each([
  ['no signature', undefined, 'missing'],
  ['an empty signature', '', 'missing'],
  ['no prefix', sign(body, secret).slice(7), 'prefix'],
  ['another algorithm', sign(body, secret).replace('sha256', 'sha1'), 'prefix'],
  ['an upper-case prefix', sign(body, secret).replace('sha256', 'SHA256'), 'prefix'],
  ['upper-case digits', `sha256=${sign(body, secret).slice(7).toUpperCase()}`, 'format'],
  ['a short digest', sign(body, secret).slice(0, -2), 'format'],
  ['a long digest', `${sign(body, secret)}00`, 'format'],
  ['a digit that takes more than one byte', `${sign(body, secret).slice(0, -1)}\u0660`, 'format'],
  ['two signatures folded into one header', `${sign(body, secret)}, ${sign(body, secret)}`, 'format'],
  ['a line break at the end', `${sign(body, secret).slice(0, -1)}\n`, 'format'],
  ["another secret's signature", sign(body, 'another'), 'mismatch'],
])('refuses %s', (_, header, verdict) => {
  expect(verify(body, header, secret)).toBe(verdict);
});

it('the lines that the documents show accept only the right signature, whatever the length of the given one', () => {
  const right = sign(body, secret);
  expect(
    [right, undefined, '', right.slice(0, -1), `${right}0`, `${right.slice(0, -1)}\u0660`, sign(body, 'another')].map((header) =>
      isGenuine(body, header, secret),
    ),
  ).toEqual([true, false, false, false, false, false, false]);
});

it.each([[undefined], ['']])('never accepts anything without a secret, whatever the signature: %p', (none) => {
  expect(verify(body, sign(body, ''), none)).toBe('secretless');
});

it('compares in constant time: everything that has the form of a signature is compared by timingSafeEqual alone, at equal lengths', () => {
  const compare = jest.spyOn(jest.requireActual<typeof Crypto>('node:crypto'), 'timingSafeEqual');
  try {
    const right = sign(body, secret);
    const lastDigit = right.endsWith('0') ? '1' : '0';
    const forged = [`sha256=${'0'.repeat(64)}`, right.slice(0, -1) + lastDigit, sign(body, 'another')];
    for (const signature of [right, ...forged]) verify(body, signature, secret);
    expect(compare.mock.results.map(({ value }) => value as boolean)).toEqual([true, false, false, false]);
    for (const [ours, theirs] of compare.mock.calls) expect(ours.byteLength).toBe(theirs.byteLength);
    compare.mockReturnValue(false);
    expect(verify(body, right, secret)).toBe('mismatch');
  } finally {
    compare.mockRestore();
  }
});
