import { Accounts } from '../../n8n/adapter/accounts.ts';

let now = 0;
beforeEach(() => (now = 1_000_000));

interface Account {
  busy: boolean;
  isBusy(): boolean;
}

/** Accounts, each used long after the previous one. */
function accounts(most: number) {
  const kept = new Accounts<Account>(
    () => ({
      busy: false,
      isBusy() {
        return this.busy;
      },
    }),
    () => now,
    most,
  );
  return (credential: string, address = 'https://example.com/api/v1') => {
    now += 121_000;
    return kept.of(credential, address);
  };
}

it.each([
  'https://example.com/api/v1/',
  'https://example.com/api/v1///',
  ' https://example.com/api/v1 ',
  'https://EXAMPLE.com/api/v1',
  'https://example.com:443/api/v1',
  'HTTPS://example.com/api/v1\n',
])('the address %j is that of the same account', (spelling) => {
  const use = accounts(10);
  expect(use('a', spelling)).toBe(use('a'));
});

it.each([
  ['b', 'https://example.com/api/v1'],
  ['a', 'https://example.com/eu/api/v1'],
  ['a', 'https://example.com:8443/api/v1'],
  ['a', 'https://other.example.com/api/v1'],
])('credential %s at %s is another account', (credential, address) => {
  const use = accounts(10);
  expect(use(credential, address)).not.toBe(use('a'));
});

it('an address that cannot be used creates no account', () => {
  expect(() => accounts(10)('a', 'http://example.com/api/v1')).toThrow('it must begin with https://');
});

it('the least recently used account makes room, not the oldest', () => {
  const use = accounts(2);
  const [a, b] = [use('a'), use('b')];
  use('a');
  use('c');
  expect(use('a')).toBe(a);
  expect(use('b')).not.toBe(b);
});

it('an account with something open never makes room, however long ago it was used', () => {
  const use = accounts(2);
  const a = use('a');
  a.busy = true;
  const b = use('b');
  for (const name of ['c', 'd', 'e']) use(name);
  expect(use('a')).toBe(a);
  expect(use('b')).not.toBe(b);
});
