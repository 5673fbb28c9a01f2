import { changeKey, sha256 } from '../../shared/webhooks/key.ts';
import { changeItem, poll, type PollState } from '../../shared/polling/poll.ts';
import { Known } from '../../shared/polling/known.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import { eventRows } from '../../shared/events.ts';
import { startReceiver } from '../support/receiver.ts';
import { serve, type TestService, testStart } from '../support/service.ts';

const all = eventRows.map(({ name }) => name);

let service: TestService;
let kept: unknown;
const begin = async (forms: NonNullable<Parameters<typeof serve>[0]>['forms'] = {}) => {
  service = await serve({ limits: false, forms });
  kept = undefined;
};
const changes = async () => {
  const store = { read: () => kept, write: (next: PollState) => void (kept = structuredClone(next)) };
  return (await poll(service.client, store, { events: all }, sha256)).changes;
};

let day = 0;
const book = (eventType = 'Intro Call', invitee_email = 'ana.ruiz@example.com') =>
  service.sandbox.host.book({
    event_type_id: service.sandbox.eventTypes().find(({ name }) => name === eventType)?.id ?? '',
    start_time: new Date(Date.parse('2031-01-01T09:00:00Z') + (day += 1) * 86_400_000).toISOString(),
    invitee_email,
    invitee_name: 'Ana Ruiz',
    question_responses: eventType === 'Design Review' ? { link: 'https://example.com/drafts' } : {},
  }).id;
const firstContact = () => service.sandbox.contacts()[0]?.id ?? '';

/** Something of every kind happens at the service. @returns what is reported of it */
async function happening(meanwhile: () => Promise<unknown>): Promise<string[]> {
  const { host, contacts } = service.sandbox;
  const [approved, denied, moved, cancelled] = [book('Design Review'), book('Design Review'), book(), book()];
  await meanwhile();
  host.approve(approved);
  host.deny(denied);
  host.reschedule(moved, { start_time: '2032-02-02T10:00:00Z' });
  host.cancel(cancelled);
  host.editContact(firstContact(), { notes: 'Likes tea' });
  const created = book('Intro Call', 'new@example.com');
  return [
    `BOOKING_APPROVED ${approved}`,
    `BOOKING_CANCELLED ${cancelled}`,
    // The list also shows an approved booking as created.
    `BOOKING_CREATED ${approved}`,
    `BOOKING_CREATED ${created}`,
    `BOOKING_DENIED ${denied}`,
    `BOOKING_RESCHEDULED ${moved}`,
    `CONTACT_CREATED ${contacts().find(({ email }) => email === 'new@example.com')?.id}`,
    `CONTACT_UPDATED ${firstContact()}`,
  ].sort();
}

it('a change is the record as a trigger gives it, with the event and a key, and nothing of a delivery', async () => {
  await begin();
  await changes();
  const id = book();
  const [change] = await changes();
  if (change === undefined) throw new Error('Nothing was found.');
  const whole = changeItem(change, 'presented');
  const change_key = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
  expect(whole).toMatchObject({ id, event: 'BOOKING_CREATED', invitee_first_name: 'Ana', change_key });
  expect(Object.keys(whole).filter((key) => key.startsWith('deliver'))).toEqual([]);
  expect(changeItem(change, 'simplified')).toMatchObject({ id, event: 'BOOKING_CREATED', change_key: whole['change_key'] });
});

describe('the key of a change', () => {
  it('is the same as in earlier releases', () => {
    const record = { id: 'bkg_1', start_time: '2030-01-31T10:00:00+01:00', name: 'Ada', email: 'ada@example.com' };
    expect(Object.fromEntries(eventRows.map((row) => [row.name, changeKey(row, record)]))).toEqual({
      BOOKING_CREATED: '2799602b509e5d40f220a8f567c44062c63028908fe2caa405e54c0ed6cbf7fd',
      BOOKING_CANCELLED: '48d6aafb782667856c35642580856318f36e9346102e7c314fb453e6bbc1e85a',
      BOOKING_RESCHEDULED: '150624069fc3bc7858419f254a0988889f3daca8e6d935e93bdbe94531b63255',
      BOOKING_APPROVED: '08c7cf09f6e0ff9aea0d141937d92b5827d6c04f644cacba42e7014f7292fa1a',
      BOOKING_DENIED: '765bfcd58758ea04338c1f565f353f5ae472e424d2fdf99d1ff510e0ba9dbeee',
      CONTACT_CREATED: 'e61adb2f200f6ad0becd8991757e2032fc8f0827386a5ae933c963c0a9ddc8b5',
      CONTACT_UPDATED: '4d69f398eb5f9dd9fb9703763a63eda39d5d04a73a2441d2a4c422c40b0b3cf0',
    });
  });

  it('is the same as that of the delivery, whatever happened', async () => {
    await begin();
    const receiver = await startReceiver();
    try {
      let subscription: Awaited<ReturnType<typeof subscribe>> | undefined;
      await happening(async () => {
        await changes();
        subscription = await subscribe(service.client, { url: receiver.url, events: all });
      });
      await service.sandbox.settled();
      const { id: subscriptionId = '', signing_secret: secret } = subscription ?? {};
      const delivered = receiver.received.map((delivery) => {
        const opened = openDelivery(delivery, { secret, subscriptionId, events: all, now: testStart });
        if (opened.outcome !== 'accepted') throw new Error(`${opened.outcome}: ${opened.message}`);
        return `${opened.event} ${opened.delivery.change_key}`;
      });
      expect(new Set(delivered.map((each) => each.split(' ')[0]))).toEqual(new Set(all));
      expect((await changes()).map(({ row, key }) => `${row.name} ${key}`)).toEqual(expect.arrayContaining(delivered));
    } finally {
      await receiver.close();
    }
  });
});

it('uses the first version of a record that one reading shows twice', () => {
  const known = Known.nothing('booking', sha256);
  const confirmed = (text: string) => ({ state: 'confirmed' as const, text, updatedAt: undefined });
  expect(known.see('bkg_1', confirmed('2031-01-01T09:00:00Z'))).toMatchObject({ isNew: true });
  expect(known.see('bkg_1', confirmed('2032-01-01T09:00:00Z'))).toBeUndefined();
});
