// First, so that the package finds a runtime without Node.js.
import { isLoaded } from './webRuntime.ts';
import { createReceiver, type ReceiverOptions, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { eventNames } from '../../sdk/webhooks/events.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { bookingBody, headersOf, signatureOf, subscribed } from './deliveries.ts';

isLoaded();

const other = { id: 'sub_0', signing_secret: 'whsec_another' };
const third = { id: 'sub_3', signing_secret: 'whsec_a-third' };

async function received(subscription: ReceiverOptions['subscription'], body: string, headers = headersOf({ body })) {
  const events: WebhookEvent[] = [];
  const receiver = createReceiver({ subscription }).on('BOOKING_CREATED', (event) => events.push(event));
  const incoming = { method: 'POST', url: '/', headers, body: async () => new TextEncoder().encode(body) };
  return { first: await receiver.receive(incoming), again: await receiver.receive(incoming), events };
}

test.each([
  ['one subscription', subscribed],
  ['the first of several', [subscribed, other, third]],
  ['one in the middle', [other, subscribed, third]],
  ['the last', [other, third, subscribed]],
])('a delivery of %s is handled once, under the core’s keys', async (_, subscription) => {
  const body = bookingBody();
  const headers = headersOf({ body });
  const { first, again, events } = await received(subscription, body, headers);
  expect([first.text, again.text]).toEqual(['Thank you.', 'This delivery was received before.']);
  const core = openDelivery(
    { rawBody: body, headers },
    { secret: subscribed.signing_secret, subscriptionId: subscribed.id, events: eventNames, now: 0 },
  );
  if (core.outcome !== 'accepted') throw new Error('The core refuses a right delivery.');
  const { delivery_key, change_key } = core.delivery;
  expect(events).toMatchObject([{ subscription_id: 'sub_1', delivery_key, change_key }]);
});

test.each([
  ['nobody', undefined],
  ['none', []],
  ['another', other],
  ['several others', [other, third]],
])('a delivery is refused if the subscription is that of %s', async (_, subscription) => {
  const { first, again, events } = await received(subscription, bookingBody());
  expect([first.status, again.status, events]).toEqual([401, 401, []]);
  const isUnknown = subscription === undefined || (Array.isArray(subscription) && subscription.length === 0);
  expect(first.text.startsWith('No signing secret is known here')).toBe(isUnknown);
});

test('a body that was changed is refused, with one secret and with several', async () => {
  const body = bookingBody();
  for (const subscription of [subscribed, [other, subscribed]])
    expect(await received(subscription, `${body} `, headersOf({ body, signature: signatureOf(body) }))).toMatchObject({
      first: { status: 401 },
      events: [],
    });
});
