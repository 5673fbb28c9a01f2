import { createReceiver, fetchHandler, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import { eventNames } from '../../sdk/webhooks/events.ts';
import { forgedDeliveries, signedDelivery, type TestDelivery } from '../../sdk/testing/index.ts';

const secret = 'whsec_of-a-test';
let received: WebhookEvent[];
let deliver: (delivery: TestDelivery) => Promise<number>;
beforeEach(() => {
  received = [];
  const receiver = createReceiver({ subscription: { id: 'sub_1', signing_secret: secret } }).on(
    eventNames,
    (event) => void received.push(event),
  );
  const handle = fetchHandler(receiver);
  deliver = async ({ headers, body }) =>
    (await handle(new Request('https://app.example/deliveries', { method: 'POST', headers, body }))).status;
});

test('a signed delivery of each event is accepted, with a whole record', async () => {
  for (const event of eventNames) expect(await deliver(await signedDelivery(event, secret))).toBe(200);
  expect(received.map(({ event, record }) => [event, typeof record.id])).toEqual(eventNames.map((event) => [event, 'string']));
});

test('a test sets fields of the record, the time and the id; the same delivery again is handled once, and another one is', async () => {
  const at = new Date('2031-01-02T08:00:00Z');
  const options = { record: { invitee_email: 'grace@example.com' }, deliveryId: 'dlv_1', at };
  const delivery = await signedDelivery('BOOKING_CREATED', secret, options);
  expect([await deliver(delivery), await deliver(delivery)]).toEqual([200, 200]);
  expect(await deliver(await signedDelivery('CONTACT_UPDATED', secret))).toBe(200);
  expect(received).toHaveLength(2);
  expect(received[0]).toMatchObject({
    delivery_id: 'dlv_1',
    delivered_at: '2031-01-02T08:00:00Z',
    record: { invitee_email: 'grace@example.com', status: 'CONFIRMED' },
  });
});

test('every forged delivery is refused, and each is as good as the real one but for what it says', async () => {
  const forged = await forgedDeliveries('BOOKING_CREATED', secret);
  expect(Object.keys(forged)).toHaveLength(4);
  for (const [what, delivery] of Object.entries(forged)) expect([what, await deliver(delivery)]).toEqual([what, 401]);
  expect(received).toEqual([]);
});
