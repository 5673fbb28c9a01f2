import { createReceiver, type Claim, type ReceiverOptions } from '../../sdk/webhooks/index.ts';
import { bookingBody, headersOf, subscribed } from './deliveries.ts';

/** What a store says to a claim, and what then becomes of it. */
type Says = 'mine' | 'kept' | 'busy' | 'fails' | 'mine, and fails later';

/** A store of the developer's own. */
function storeThat(delivery: Says, change: Says, isLate: boolean) {
  const settled: string[] = [];
  const soon = <Value>(value: () => Value): Value | Promise<Value> => (isLate ? Promise.resolve().then(value) : value());
  const claimed = (name: string, says: Says): (() => Claim | Promise<Claim>) => {
    const settle = (how: string) => (): void | Promise<void> =>
      soon(() => {
        settled.push(`${name} ${how}`);
        if (says === 'mine, and fails later') throw new Error(`${name} is not ${how}`);
      });
    return () =>
      soon((): Claim => {
        if (says === 'fails') throw new Error(`${name} cannot be claimed`);
        return says === 'kept' || says === 'busy' ? { state: says } : { state: 'mine', keep: settle('kept'), release: settle('released') };
      });
  };
  return { settled, claims: { claim: claimed('delivery', delivery), claimLast: claimed('change', change) } };
}

const cases: [Says, Says, 'handles' | 'fails', { status: number; handled: number; settled: string[]; failures: string[] }][] = [
  ['mine', 'mine', 'handles', { status: 200, handled: 1, settled: ['delivery kept', 'change kept'], failures: [] }],
  ['mine', 'mine', 'fails', { status: 500, handled: 1, settled: ['delivery released', 'change released'], failures: ['as asked for'] }],
  ['mine', 'kept', 'handles', { status: 200, handled: 0, settled: ['delivery kept'], failures: [] }],
  ['mine', 'busy', 'handles', { status: 503, handled: 0, settled: ['delivery released'], failures: [] }],
  ['mine', 'fails', 'handles', { status: 500, handled: 0, settled: ['delivery released'], failures: ['change cannot be claimed'] }],
  ['kept', 'mine', 'handles', { status: 200, handled: 0, settled: [], failures: [] }],
  ['busy', 'mine', 'handles', { status: 503, handled: 0, settled: [], failures: [] }],
  ['fails', 'mine', 'handles', { status: 500, handled: 0, settled: [], failures: ['delivery cannot be claimed'] }],
  [
    'mine, and fails later',
    'mine',
    'handles',
    { status: 200, handled: 1, settled: ['delivery kept', 'change kept'], failures: ['delivery is not kept'] },
  ],
  [
    'mine, and fails later',
    'mine, and fails later',
    'fails',
    {
      status: 500,
      handled: 1,
      settled: ['delivery released', 'change released'],
      failures: ['as asked for', 'delivery is not released', 'change is not released'],
    },
  ],
];

describe.each([
  ['at once', false],
  ['later', true],
])('a delivery and its change, claimed in a store that answers %s', (_, isLate) => {
  it.each(cases)('%s, %s: its handler %s', async (delivery, change, outcome, expected) => {
    const { settled, claims } = storeThat(delivery, change, isLate);
    const failures: string[] = [];
    let handled = 0;
    const options: ReceiverOptions = {
      subscription: subscribed,
      claims,
      alsoPolled: true,
      onError: (error) => void failures.push((error as Error).message),
    };
    const receiver = createReceiver(options).on('BOOKING_CREATED', () => {
      handled += 1;
      if (outcome === 'fails') throw new Error('as asked for');
    });
    const body = bookingBody();
    const { status } = await receiver.receive({
      method: 'POST',
      url: '/',
      headers: headersOf({ body }),
      body: async () => Buffer.from(body),
    });
    expect({ status, handled, settled, failures }).toEqual(expected);
  });
});
