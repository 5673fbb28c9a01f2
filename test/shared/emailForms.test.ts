import { matchBooking } from '../../shared/operations/booking/match.ts';
import { addressForms, isSameAddress, isSurelyAnotherAddress, mayBeSameAddress } from '../../shared/records/emailForms.ts';

describe('the forms of an email address', () => {
  test.each([
    ['ada@example.com', ['ada@example.com']],
    [' Ada@Example.com ', ['Ada@Example.com', 'ada@example.com']],
    ['Ada+Work@example.com', ['Ada+Work@example.com', 'ada+work@example.com', 'ada@example.com']],
    ['ada@bücher.example', ['ada@bücher.example', 'ada@xn--bcher-kva.example']],
    ['+ada@example.com', ['+ada@example.com']],
    ['a.da+x@gmail.com', ['a.da+x@gmail.com', 'a.da@gmail.com', 'ada@gmail.com']],
  ])('%s is asked for as it was typed, then in lower case, then in what else a service may make of it', (email, forms) => {
    expect(addressForms(email)).toEqual(forms);
  });

  test('a domain that no network accepts stays as it is', () => {
    expect(addressForms('ada@exa mple.cöm')).toEqual(['ada@exa mple.cöm']);
  });

  test.each([
    ['ADA@example.com', 'ada@Example.com'],
    ['ada@example.com', 'ada+x@example.com'],
    ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
    ['ada@bücher.example', 'Ada@xn--bcher-kva.example'],
    ['ada@gmail.com', 'A.da+x@googlemail.com'],
    [undefined, 'ada@example.com'],
    [null, 'ada@example.com'],
    ['', 'ada@example.com'],
    [7, 'ada@example.com'],
    ['a***@example.com', 'ada@example.com'],
    ['A•••@e******.com', 'ada+x@example.com'],
    ['***@example.com', 'ada@example.com'],
    ['Ada <ada@example.com>', 'ada@example.com'],
  ])('a record with %j may be for %s', (inRecord, email) => {
    expect(mayBeSameAddress(inRecord, email)).toBe(true);
    expect(isSurelyAnotherAddress(inRecord, email)).toBe(false);
  });

  test.each([
    ['grace@example.com', 'ada@example.com'],
    ['ada+y@example.com', 'ada+x@example.com'],
    ['ada+y@example.com', 'ada@example.com'],
    ['a.da@example.com', 'ada@example.com'],
    ['xada@example.com', 'ada@example.com'],
    ['g***@example.com', 'ada@example.com'],
    ['a***@e******.org', 'ada@example.com'],
  ])('a record with %s is certainly not for %s', (inRecord, email) => {
    expect(isSurelyAnotherAddress(inRecord, email)).toBe(true);
  });

  test('only letter case and the spelling of the domain leave an address the same', () => {
    expect(isSameAddress('ADA@bücher.example', 'ada@xn--bcher-kva.example')).toBe(true);
    expect(isSameAddress('ada@example.com', 'ada+x@example.com')).toBe(false);
    expect(isSameAddress(undefined, 'ada@example.com')).toBe(false);
  });
});

it.each([
  ['ada@example.com', 'person', 'same'],
  ['a***@example.com', 'person', 'possible'],
  ['a***@example.com', 'everybody', 'possible'],
  ['b***@example.com', 'everybody', 'possible'],
] as const)(
  'a booking of this slot for %s, among those of %s and without a name, may be the one that was sent: %s',
  (invitee_email, foundIn, match) => {
    const slot = { event_type_id: 'evt_1', start_time: '2030-01-02T09:00:00Z' };
    const sent = { ...slot, invitee_name: 'Ada', invitee_email: 'ada@example.com' };
    expect(matchBooking({ id: 'a', ...slot, invitee_email }, sent, 0, foundIn)).toBe(match);
  },
);
