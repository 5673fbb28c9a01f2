import type * as Webhooks from '../../sdk/webhooks/index.ts';
import type * as Delivery from '../../shared/webhooks/delivery.ts';
import type * as SignatureHeader from '../../shared/webhooks/signatureHeader.ts';
import { bookingBody, headersOf, signatureOf, subscribed } from '../sdk/deliveries.ts';

/** A service that signs each try anew: `t=<time>,v1=<digest>`. The only edit is the function that reads the header. */
jest.mock('../../shared/webhooks/signatureHeader.ts', () => {
  const documented = jest.requireActual<typeof SignatureHeader>('../../shared/webhooks/signatureHeader.ts');
  return {
    ...documented,
    readSignature: (header: string | undefined, secret: SignatureHeader.Secret) =>
      documented.readSignature(header?.replace(/^t=\d+,v1=/, 'sha256='), secret),
  };
});

const { verifyDelivery } = jest.requireActual<typeof Delivery>('../../shared/webhooks/delivery.ts');
const { createReceiver } = jest.requireActual<typeof Webhooks>('../../sdk/webhooks/index.ts');

let tries = 0;
const signedAnew = (body: string): string => signatureOf(body).replace('sha256=', `t=${1_900_000_000 + (tries += 1)},v1=`);

const tryOf = (body: string) => ({ rawBody: body, headers: headersOf({ body, signature: signedAnew(body) }) });

it('another form of the signature is one edit, and each try of a delivery still has the same key', () => {
  const body = bookingBody();
  const expected = { secret: subscribed.signing_secret, subscriptionId: subscribed.id, events: ['BOOKING_CREATED'], now: 0 };
  const [first, second] = [verifyDelivery(tryOf(body), expected), verifyDelivery(tryOf(body), expected)];
  if (first.outcome !== 'accepted' || second.outcome !== 'accepted') throw new Error('A right delivery was refused.');
  expect(second.repeatKeys).toEqual(first.repeatKeys);
  expect(verifyDelivery(tryOf(`${body} `), expected)).toMatchObject({
    outcome: 'accepted',
    repeatKeys: [expect.not.stringContaining(first.repeatKeys[0] ?? '')],
  });
});

it('the package handles it once, and refuses it with another body', async () => {
  const body = bookingBody();
  const handled: string[] = [];
  const receiver = createReceiver({ subscription: subscribed, onError: () => undefined }).on('BOOKING_CREATED', ({ record }) =>
    handled.push(record.id),
  );
  const send = (sent: string, { headers } = tryOf(sent)) =>
    receiver.receive({ method: 'POST', url: '/', headers, body: async () => new TextEncoder().encode(sent) });
  expect([(await send(body)).text, (await send(body)).text]).toEqual(['Thank you.', 'This delivery was received before.']);
  expect((await send(`${body} `, tryOf(body))).status).toBe(401);
  expect(handled).toHaveLength(1);
});
