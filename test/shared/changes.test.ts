import { changeKey } from '../../shared/polling/key.ts';
import { changeItem, poll, type ChangeStore, type Kept, type Wanted } from '../../shared/polling/feed.ts';
import { Known } from '../../shared/polling/known.ts';
import { eventRows } from '../../shared/events.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import { startReceiver } from '../support/receiver.ts';
import { serve, type TestService } from '../support/served.ts';
import { testStart } from '../support/service.ts';

let service: TestService;
beforeEach(async () => (service = await serve({ limits: false })));

const all = eventRows.map(({ name }) => name);

/** The stored state of one trigger, and how often it was written. */
class Memory implements ChangeStore {
  kept: unknown;
  writes = 0;
  read = () => structuredClone(this.kept);
  write(kept: Kept): void {
    this.kept = structuredClone(kept);
    this.writes += 1;
  }
}

let memory: Memory;
beforeEach(() => (memory = new Memory()));

const polled = async (wanted: Partial<Wanted> = {}) =>
  (await poll(service.client, memory, { events: all, ...wanted }, sha256)).changes.map(({ row, record }) => [row.name, record['id']]);

const type = (name: string): string => service.sandbox.eventTypes().find((each) => each.name === name)?.id ?? '';
let day = 0;
const book = (eventType = 'Intro Call') => {
  day += 1;
  const start = new Date(Date.parse('2031-01-01T09:00:00Z') + day * 86_400_000).toISOString();
  const answers = eventType === 'Design Review' ? { link: 'https://example.com/drafts' } : {};
  return service.sandbox.host.book({
    event_type_id: type(eventType),
    start_time: start,
    invitee_email: 'ana.ruiz@example.com',
    invitee_name: 'Ana Ruiz',
    question_responses: answers,
  });
};
const move = (id: string, start_time = '2032-02-02T10:00:00Z') => service.sandbox.host.reschedule(id, { start_time });

describe('the first poll', () => {
  it('takes stock and gives nothing', async () => {
    book();
    expect(await polled()).toEqual([]);
    expect(memory.writes).toBe(1);
  });
  it('reports the upcoming confirmed bookings as created if it is asked to, and none of them again', async () => {
    const upcoming = service.sandbox
      .bookings()
      .filter(({ status, start_time }) => status === 'CONFIRMED' && Date.parse(start_time) > service.sandbox.clock.now());
    expect(upcoming.length).toBeGreaterThan(0);
    const given = await polled({ upcomingAtFirst: true });
    expect(given.map(([, id]) => id).sort()).toEqual(upcoming.map(({ id }) => id).sort());
    expect(new Set(given.map(([event]) => event))).toEqual(new Set(['BOOKING_CREATED']));
    expect(await polled({ upcomingAtFirst: true })).toEqual([]);
  });
});

describe('a later poll reports', () => {
  beforeEach(() => polled());

  it('nothing if nothing changed, and writes nothing', async () => {
    expect(await polled()).toEqual([]);
    expect(memory.writes).toBe(1);
  });
  it('every event once', async () => {
    const [waiting, refused] = [book('Design Review'), book('Design Review')];
    const [moved, cancelled] = [book(), book()];
    const contact = service.sandbox.contacts()[0];
    expect((await polled()).sort()).toEqual(
      [
        ['BOOKING_CREATED', moved.id],
        ['BOOKING_CREATED', cancelled.id],
      ].sort(),
    );
    service.sandbox.host.approve(waiting.id);
    service.sandbox.host.deny(refused.id);
    move(moved.id);
    service.sandbox.host.cancel(cancelled.id);
    service.sandbox.host.editContact(contact?.id ?? '', { notes: 'Likes tea' });
    const created = service.sandbox.host.book({ event_type_id: type('Intro Call'), invitee_email: 'new@example.com', invitee_name: 'New' });
    const added = service.sandbox.contacts().find(({ email }) => email === 'new@example.com');
    expect((await polled()).sort()).toEqual(
      [
        ['BOOKING_APPROVED', waiting.id],
        ['BOOKING_CANCELLED', cancelled.id],
        ['BOOKING_CREATED', created.id],
        ['BOOKING_CREATED', waiting.id],
        ['BOOKING_DENIED', refused.id],
        ['BOOKING_RESCHEDULED', moved.id],
        ['CONTACT_CREATED', added?.id],
        ['CONTACT_UPDATED', contact?.id],
      ].sort(),
    );
    expect(await polled()).toEqual([]);
  });
  it('a booking that was made and approved since the last poll as both, and one that was made and denied as denied', async () => {
    const [approved, denied] = [book('Design Review'), book('Design Review')];
    service.sandbox.host.approve(approved.id);
    service.sandbox.host.deny(denied.id);
    expect((await polled()).sort()).toEqual([
      ['BOOKING_APPROVED', approved.id],
      ['BOOKING_CREATED', approved.id],
      ['BOOKING_DENIED', denied.id],
    ]);
  });
  it('of two changes the later one: moved and cancelled is cancelled, made and cancelled is cancelled, made and moved is created', async () => {
    const known = book();
    await polled();
    const [gone, moved] = [book(), book()];
    move(known.id);
    service.sandbox.host.cancel(known.id);
    service.sandbox.host.cancel(gone.id);
    move(moved.id, '2033-02-02T10:00:00Z');
    expect((await polled()).sort()).toEqual(
      [
        ['BOOKING_CANCELLED', gone.id],
        ['BOOKING_CANCELLED', known.id],
        ['BOOKING_CREATED', moved.id],
      ].sort(),
    );
  });
  it('only what was chosen, and reads no list that is not needed for it', async () => {
    service.sandbox.forgetRequests();
    const { id } = book('Coffee Chat');
    book();
    const wanted = { events: ['BOOKING_CREATED'], eventTypeIds: [type('Coffee Chat')] };
    await polled(wanted);
    const later = book('Coffee Chat');
    book();
    expect(await polled(wanted)).toEqual([['BOOKING_CREATED', later.id]]);
    expect(id).not.toBe(later.id);
    expect(service.sandbox.requests().filter(({ path }) => path.includes('contacts'))).toEqual([]);
  });
  it('an event that is added later only from then on', async () => {
    await polled({ events: ['BOOKING_CANCELLED'] });
    const { id } = book();
    expect(await polled({ events: ['BOOKING_CANCELLED', 'BOOKING_CREATED'] })).toEqual([]);
    service.sandbox.host.cancel(id);
    const next = book();
    expect((await polled({ events: ['BOOKING_CANCELLED', 'BOOKING_CREATED'] })).sort()).toEqual([
      ['BOOKING_CANCELLED', id],
      ['BOOKING_CREATED', next.id],
    ]);
  });
  it('the record as a trigger gives it, with the event and a key, and nothing of a delivery', async () => {
    const { id } = book();
    const [change] = (await poll(service.client, memory, { events: all }, sha256)).changes;
    if (change === undefined) throw new Error('Nothing was found.');
    const whole = changeItem(change, 'presented');
    expect(whole).toMatchObject({
      id,
      event: 'BOOKING_CREATED',
      invitee_first_name: 'Ana',
      change_key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
    expect(Object.keys(whole).filter((key) => key.startsWith('deliver'))).toEqual([]);
    expect(changeItem(change, 'simplified')).toMatchObject({ id, event: 'BOOKING_CREATED', change_key: whole['change_key'] });
  });
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

  const keys = async () =>
    (await poll(service.client, memory, { events: all }, sha256)).changes.map(({ row, key }) => [row.name, key] as const);

  it('is different for each move of a booking and each edit of a contact', async () => {
    const { id } = book();
    const contact = service.sandbox.contacts()[0]?.id ?? '';
    await polled();
    const told: (readonly [string, string])[] = [];
    for (const turn of [1, 2]) {
      move(id, `2032-02-0${turn}T10:00:00Z`);
      service.sandbox.host.editContact(contact, { notes: `Turn ${turn}` });
      told.push(...(await keys()));
    }
    expect(told.map(([event]) => event).sort()).toEqual([
      'BOOKING_RESCHEDULED',
      'BOOKING_RESCHEDULED',
      'CONTACT_UPDATED',
      'CONTACT_UPDATED',
    ]);
    expect(new Set(told.map(([, key]) => key)).size).toBe(4);
  });

  it('is the same as that of the delivery, whatever happened', async () => {
    const receiver = await startReceiver();
    try {
      const [waiting, refused, moved, gone] = [book('Design Review'), book('Design Review'), book(), book()];
      await polled();
      const { id: subscriptionId, signing_secret: secret } = await subscribe(service.client, { url: receiver.url, events: all });
      service.sandbox.host.approve(waiting.id);
      service.sandbox.host.deny(refused.id);
      move(moved.id);
      service.sandbox.host.cancel(gone.id);
      service.sandbox.host.editContact(service.sandbox.contacts()[0]?.id ?? '', { notes: 'Likes tea' });
      service.sandbox.host.book({ event_type_id: type('Intro Call'), invitee_email: 'new@example.com', invitee_name: 'New' });
      await service.sandbox.settled();
      const delivered = receiver.received.map((delivery) => {
        const opened = openDelivery(delivery, { secret, subscriptionId, events: all, now: testStart });
        if (opened.outcome !== 'accepted') throw new Error(`${opened.outcome}: ${opened.message}`);
        return [opened.event, opened.delivery.change_key];
      });
      expect(new Set(delivered.map(([event]) => event))).toEqual(new Set(all));
      expect((await keys()).sort()).toEqual(
        // The list also shows an approved booking as created.
        expect.arrayContaining(delivered.sort()),
      );
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
