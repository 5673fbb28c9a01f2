import { addressesIn, addressesOfOthers, addressForms, isSameAddress, letterCases, mayBeSameAddress } from '../../shared/reading/index.ts';

const ada = 'ada@example.com';

// G30 and G43
it.each([
  [ada, [ada]],
  [' Ada@Example.com ', ['Ada@Example.com', ada]],
  ['Ada+Work@Example.com', ['Ada+Work@Example.com', 'Ada@Example.com', 'ada+work@example.com', ada]],
  ['+ada@example.com', ['+ada@example.com']],
  ['a.da+x@gmail.com', ['a.da+x@gmail.com', 'a.da@gmail.com', 'ada@gmail.com']],
  ['ada@bücher.example', ['ada@bücher.example', 'ada@xn--bcher-kva.example']],
  // No domain: it stays as it is.
  ['ada@ü<', ['ada@ü<']],
])(
  '%s is asked for as it was typed, also without its tag, then in lower case, then in what else a service may make of it',
  (email, forms) => {
    expect(addressForms(email)).toEqual(forms);
  },
);

it('where one request is enough for most addresses, only the letter case is tried', () => {
  expect([letterCases(' Ada+x@Gmail.com '), letterCases(ada)]).toEqual([['Ada+x@Gmail.com', 'ada+x@gmail.com'], [ada]]);
});

it.each([
  ['ADA@example.com', 'ada@Example.com'],
  [ada, 'ada+x@example.com'],
  [' mailto:ada@example.com', ada],
  [' ada@example.com', ada],
  ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
  ['ada@gmail.com', 'A.da+x@googlemail.com'],
  ['a.da@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  [undefined, ada],
  [null, ada],
  [7, ada],
  [' a***@example.com ', ada],
  ['a***a@gmail.com', 'ada+x@gmail.com'],
  // Nobody can compare these.
  ['b***@', ada],
  ['b***@x@example.com', ada],
  ['Bob <bob@example.com>', ada],
  ['Bob bob@example.com', ada],
  ['bob@example.com (Bob)', ada],
])('a record with %j may be for %s', (inRecord, email) => {
  expect(mayBeSameAddress(inRecord, email)).toBe(true);
});

it.each([
  ['grace@example.com', ada],
  ['ada+y@example.com', 'ada+x@example.com'],
  ['xada@example.com', ada],
  ['a***@e******.org', ada],
  ['b***@example.com', ada],
])('a record with %s is certainly not for %s', (inRecord, email) => {
  expect(mayBeSameAddress(inRecord, email)).toBe(false);
});

it('only letter case, the spelling of the domain and what is written around it leave an address the same', () => {
  expect(isSameAddress('ADA@bücher.example', 'ada@xn--bcher-kva.example')).toBe(true);
  expect(isSameAddress(ada, 'ada+x@example.com')).toBe(false);
  expect([undefined, 'it&#39;s@example.com'].map((shown) => isSameAddress(shown, "it's@example.com"))).toEqual([false, true]);
});

it.each<[object, string[]]>([
  [{ invitee_email: ada, attendees: [{ email: 'bob@example.com' }] }, [ada]],
  [{ invitee_email: ' a***@example.com ', attendees: [{ email: ada }] }, [' a***@example.com ']],
  [{ invitee_email: null, notes: undefined, count: 7, ghost: { email: ada } }, [ada]],
  [{ host: { email: 'maya@example.com' }, cancelled_by: ada, attendees: [{ email: null }, { email: ada }] }, [ada]],
  [{ last_modified_by: 'maya@example.com', LastModifiedBy: { email: 'maya@example.com' }, hostemail: 'maya@example.com' }, []],
  [Object.fromEntries(['organizer', 'staff', 'assignee', 'calendar'].map((who) => [who, { email: 'maya@example.com' }])), []],
  [{ a: { b: { email: ada } } }, [ada]],
  [{ a: { b: { c: { email: ada } } } }, []],
])('the addresses of the invitee in %j are %j', (record, addresses) => {
  expect(addressesIn(record as never)).toEqual(addresses);
});

describe('the one other address that all records of a filtered list show', () => {
  const others = async (shown: string, email: string, listed: readonly unknown[] = []) => {
    const asked: string[] = [];
    const found = await addressesOfOthers([{ invitee_email: shown }], email, async (each) => (asked.push(each), listed));
    return [found, asked.length];
  };
  it('is theirs, unless the service does not filter', async () => {
    expect(await others('Countess@example.org', ada)).toEqual([[], 1]);
    expect(await others('Countess@example.org', ada, [{}])).toEqual([['countess@example.org'], 1]);
  });
  it("is somebody else's if only a part of it was compared, or if there are more", async () => {
    expect(await others('xada@example.com', ' Ada@example.com ')).toEqual([['xada@example.com'], 0]);
    const list = [{ invitee_email: 'countess@example.org' }, { invitee_email: ada }];
    const find = () => Promise.reject(new Error('It was asked.'));
    expect(await addressesOfOthers(list, ada, find)).toEqual(['countess@example.org']);
    expect(await addressesOfOthers(list.slice(1), ada, find)).toEqual([]);
  });
});
