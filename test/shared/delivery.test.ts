import fc from 'fast-check';
import type { ServiceRecord } from '../../shared/records/fields.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows, listedRows } from '../../shared/events.ts';
import { compareLists } from '../../shared/polling/poll.ts';
import { changeKey } from '../../shared/webhooks/key.ts';
import { nodeCrypto, sha256, sign } from '../../shared/webhooks/nodeCrypto.ts';
import { asDelivered, recentRecords } from '../../shared/webhooks/testData.ts';
import {
  deliveredAlone,
  deliveredRecord,
  verifyDelivery,
  type ExpectedDelivery,
  type DeliveryResult,
  type RawDelivery,
} from '../../shared/webhooks/delivery.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import { FORMS } from '../../sandbox/service.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { serve, type TestService, testStart } from '../support/service.ts';

const names = eventRows.map(({ name }) => name);
const shown = (opened: DeliveryResult | undefined): unknown =>
  opened?.state === 'accepted' ? deliveredRecord(opened, 'presented') : opened;
const header = (name: string) => `${brand.headerPrefix}-${name}`;

describe('real deliveries of the sandbox', () => {
  let service: TestService;
  let receiver: Receiver;
  const begin = async (options: Parameters<typeof serve>[0] = {}) => {
    [service, receiver] = await Promise.all([serve({ limits: false, ...options }), startReceiver()]);
    return subscribe(service.client, { url: receiver.url, events: names });
  };
  afterEach(() => receiver.close());

  const book = () => {
    const type = service.sandbox.eventTypes().find(({ name }) => name === 'Intro Call');
    return service.sandbox.host.book({
      event_type_id: type?.id ?? '',
      start_time: '2030-01-09T09:00:00Z',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
    });
  };
  const openAll = (subscription: { id: string; signing_secret: string }) =>
    receiver.received.map((raw) =>
      verifyDelivery(
        raw,
        { secret: subscription.signing_secret, events: names, subscriptionId: subscription.id, now: testStart },
        nodeCrypto,
      ),
    );

  const eventOf = (opened: DeliveryResult) => (opened.state === 'accepted' ? opened.event : '');

  const forms = (['deliveryRecord', 'deliveryEvent'] as const).flatMap((name) => FORMS[name].values.map((value) => ({ name, value })));
  it.each(forms)('reads the record of a delivery with $name = $value (G13)', async ({ name, value }) => {
    const subscription = await begin({ forms: { [name]: value } });
    const { id } = book();
    await service.sandbox.settled();
    const created = openAll(subscription).find((each) => eventOf(each) === 'BOOKING_CREATED');
    expect(shown(created)).toMatchObject({ id, event: 'BOOKING_CREATED', invitee_email: 'ada@example.com', answers: [] });
  });

  it('test records have exactly the keys of a live delivery where nothing is polled, and the event that was asked for', async () => {
    const subscription = await begin();
    book();
    await service.sandbox.settled();
    const live = openAll(subscription).find((each) => eventOf(each) === 'BOOKING_CREATED');
    if (live?.state !== 'accepted') throw new Error('No booking was delivered.');
    const { delivery_id: _label, change_key: _polled, question_responses: answers, ...others } = shown(live) as ServiceRecord;
    const whole = { ...others, ...(answers !== undefined && { answers }) };
    expect(deliveredAlone(live)).toEqual(whole);
    const liveKeys = Object.keys(whole).sort();
    for (const row of eventRows.filter(({ record }) => record === 'booking')) {
      const [recent] = await recentRecords(service.client, row, { limit: 1 });
      expect(recent?.['event']).toBe(row.name);
      expect(Object.keys(recent ?? {}).sort()).toEqual(liveKeys);
      expect(Object.keys(asDelivered(row, row.sample)).sort()).toEqual(liveKeys);
    }
  });

  it('has the change key that a poll gives, whatever happened', async () => {
    const listed = listedRows(eventRows).map(({ name }) => name);
    const { id: subscriptionId, signing_secret: secret } = await begin();
    const { sandbox, client } = service;
    const forApproval = (start_time: string) =>
      sandbox.host.book({
        event_type_id: sandbox.eventTypes().find(({ name }) => name === 'Design Review')?.id ?? '',
        start_time,
        question_responses: { link: 'https://example.com/drafts' },
      }).id;
    const [approved, denied, moved] = [forApproval('2030-02-04T09:00:00Z'), forApproval('2030-02-05T09:00:00Z'), book().id];
    const cancelled = sandbox.host.book({ start_time: '2030-02-06T09:00:00Z' }).id;
    await sandbox.settled();
    receiver.received.length = 0;
    const before = await compareLists(client, undefined, { events: listed }, sha256);
    sandbox.host.approve(approved);
    sandbox.host.deny(denied);
    sandbox.host.reschedule(moved, { start_time: '2032-02-02T10:00:00Z' });
    sandbox.host.cancel(cancelled);
    sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { notes: 'Likes tea' });
    sandbox.host.book({ start_time: '2030-02-07T09:00:00Z', invitee_email: 'new@example.com' });
    await sandbox.settled();
    const delivered = openAll({ id: subscriptionId, signing_secret: secret }).map((opened) =>
      opened.state === 'accepted' ? `${opened.event} ${opened.delivery.change_key}` : opened.message,
    );
    expect(new Set(delivered.map((each) => each.split(' ')[0]))).toEqual(new Set(listed));
    const { changes } = await compareLists(client, before.state, { events: listed }, sha256);
    expect(changes.map(({ row, key }) => `${row.name} ${key}`)).toEqual(expect.arrayContaining(delivered));
  });
});

const secret = 'whsec_of-this-test';
const body = JSON.stringify({
  event: 'BOOKING_CREATED',
  created_at: '2030-01-02T08:00:00Z',
  data: { id: 'bkg_1', event_type_id: 'evt_1' },
});
const raw = (change: { rawBody?: RawDelivery['rawBody']; headers?: Record<string, string | string[] | undefined> } = {}): RawDelivery => {
  const rawBody = 'rawBody' in change ? change.rawBody : body;
  return {
    rawBody,
    headers: {
      [header('Signature')]: sign(rawBody ?? '', secret),
      [header('Event')]: 'BOOKING_CREATED',
      [header('Delivery-ID')]: 'dlv_1',
      [header('Timestamp')]: '2030-01-02T08:00:00Z',
      ...change.headers,
    },
  };
};
const open = (delivery: RawDelivery, change: Partial<ExpectedDelivery> = {}) =>
  verifyDelivery(delivery, { secret, events: names, subscriptionId: 'sub_1', now: testStart, ...change }, nodeCrypto);

describe('the record of a delivery (G13)', () => {
  const opened = (content: object, event: string) => {
    const rawBody = JSON.stringify({ event, ...content });
    return open(raw({ rawBody, headers: { [header('Event')]: event } }));
  };
  it('is the contact if a booking is beside it', () =>
    expect(opened({ booking: { id: 'bkg_1' }, contact: { id: 'con_1' } }, 'CONTACT_CREATED')).toMatchObject({ record: { id: 'con_1' } }));
  it('is the booking at the root, whatever contact it holds', () =>
    expect(opened({ id: 'bkg_1', start_time: '2030-01-09T09:00:00Z', contact: { id: 'con_1' } }, 'BOOKING_CREATED')).toMatchObject({
      state: 'accepted',
      record: { id: 'bkg_1', contact: { id: 'con_1' } },
    }));
  const whole = { id: 'bkg_1', status: 'CONFIRMED', start_time: '2030-01-09T09:00:00Z', invitee_email: 'ada@example.com' };
  it.each([
    ['after an empty one', { data: {}, booking: { id: 'bkg_1' } }],
    ['under its own name inside `data`', { id: 'whk_1', data: { booking: { id: 'bkg_1' } } }],
    ['under a name that nobody knows inside `data`', { data: { reservation: whole } }],
    ['only named, inside two objects', { data: { hook: { topic: 'VISIT_CREATE', appId: 'a1', itemId: 'bkg_1' } } }],
    ['only named, beside its kind', { resource_id: 'bkg_1', resource_id_type: 'Appointment', event_type: 'appointment.created' }],
    ['only named, by its own name', { booking_id: 'bkg_1', company: 'studio', notification_type: 'create' }],
    ['beside what it was before', { old_record: { ...whole, id: 'bkg_0' }, record: whole }],
    ['under a name that nobody knows', { reservation: whole, invitee: { id: 'inv_1', email: 'ada@example.com' } }],
  ])('is found %s', (_, content) =>
    expect(opened(content, 'BOOKING_CREATED')).toMatchObject({ state: 'accepted', record: { id: 'bkg_1' } }),
  );
  it('that is only named has nothing of what happened to it', () =>
    expect(opened({ booking_id: 'bkg_1', payload: { status: 'paid' } }, 'BOOKING_CREATED')).toMatchObject({
      record: expect.not.objectContaining({ status: 'paid' }) as object,
    }));
  it.each([
    ['two bookings under names that nobody knows', { data: { one: whole, other: { ...whole, status: 'CANCELLED' } } }],
    ['a record without an id', { id: 'whk_1', data: { reference: 'bkg_1' } }],
    ['a payment that names it', { data: { id: 'pay_1', booking_id: 'bkg_1' } }],
    ['a room', { event_type: 'opened', resource_id: 'r1' }],
  ])('is never the envelope, even if that has an id of its own: %s is refused', (_, content) =>
    expect(opened(content, 'BOOKING_CREATED')).toMatchObject({ state: 'refused', status: 400, check: 'body' }),
  );
});

describe('fails closed', () => {
  const right = sign(body, secret);
  const named = (name: string, value?: string | string[]) => ({ headers: { [header(name)]: value } });
  const signature = (value?: string | string[]) => named('Signature', value);
  const noUtf8 = Buffer.concat([Buffer.from('{"data":{"id":"bkg_1","notes":"'), Buffer.from([0xff]), Buffer.from('"}}')]);
  const aged = { maximumAgeSeconds: 60 };

  it.each<[string, Parameters<typeof raw>[0], string, Partial<ExpectedDelivery>?]>([
    ['the subscription has lost its secret', {}, 'secret', { secret: undefined }],
    ['it was signed with the secret of another subscription', signature(sign(body, 'another')), 'signature'],
    ['the signature comes twice, and differs', signature([right, sign(body, 'another')]), 'signature-missing'],
    ['it comes twice, in two letter cases, and differs', { headers: { [header('Signature').toLowerCase()]: 'x' } }, 'signature-missing'],
    ['it comes twice in one, and differs', signature(`${right}, ${sign(body, 'another')}`), 'signature-format'],
    ['the platform has not kept the raw body', { rawBody: undefined }, 'raw-body'],
    ['the signed body is no JSON', { rawBody: 'hello' }, 'body'],
    ['the signed body is a list', { rawBody: '[1]' }, 'body'],
    ['the signed body is no UTF-8', { rawBody: noUtf8 }, 'body'],
    ['the header names another event than the signed body', named('Event', 'BOOKING_CANCELLED'), 'event'],
    ['the event is empty', { rawBody: '{"event":"","data":{"id":"bkg_1"}}', ...named('Event', '') }, 'event'],
    ['nothing names the event', { rawBody: '{"data":{"id":"bkg_1"}}', ...named('Event') }, 'event'],
    ['it is older than the maximum age that was asked for', {}, 'age', { ...aged, now: testStart + 61_000 }],
    ['it is from further ahead than that', {}, 'age', { ...aged, now: testStart - 61_000 }],
    ['it has no timestamp, and a maximum age was asked for', named('Timestamp'), 'age', aged],
  ])('refuses when %s', (_, given, check, change = {}) => {
    const opened = open(raw(given), change);
    expect(opened).toMatchObject({ state: 'refused', status: check === 'secret' ? 503 : /^s/.test(check) ? 401 : 400, check });
    expect(JSON.stringify(opened)).not.toContain(secret);
    const messages: Partial<Record<string, string>> = {
      'signature-missing': `The delivery has several ${header('Signature')} headers.`,
      age: `The ${header('Timestamp')} header does not name a time within the last 60 seconds.`,
    };
    if (check in messages) expect(opened).toHaveProperty('message', messages[check]);
  });

  it.each([[[right, right]], [`${right}, ${right}`], [`${right},${right}, ${right}`]])(
    'but counts a header once that relays have added again: %j',
    (twice) => {
      expect(open(raw(signature(twice)))).toMatchObject({ state: 'accepted' });
      expect(open(raw(named('Delivery-ID', ['dlv_1', 'dlv_1'])))).toMatchObject({ delivery: { delivery_id: 'dlv_1' } });
    },
  );

  it('names the keys of a body without a record, and cuts what could fill a log', () => {
    const long = 'k'.repeat(500);
    const opened = open(raw({ rawBody: JSON.stringify({ event: 'BOOKING_CREATED', [long]: 1 }) }));
    const message = `The body has no booking with an id under "data", only the keys "event", "${'k'.repeat(40)}".`;
    expect(opened).toMatchObject({ check: 'body', message });
    const other = open(raw(named('Event', long)));
    expect('message' in other && other.message.length).toBeLessThan(150);
  });

  it('names the header that came under another prefix, and the setting', () => {
    const opened = open({ rawBody: body, headers: { 'X-Elsewhere-Signature': right, 'X-Elsewhere-Event': 'BOOKING_CREATED' } });
    expect(opened).toMatchObject({ state: 'refused', status: 401, check: 'signature-missing' });
    const advice = 'It has X-Elsewhere-Signature instead: set "headerPrefix" in brand.json to "X-Elsewhere".';
    expect(opened).toHaveProperty('message', expect.stringContaining(advice));
  });

  it('ignores an event that was not subscribed to, or that is unknown', () => {
    expect(open(raw(), { events: ['BOOKING_CANCELLED'] }).state).toBe('ignored');
    expect(open(raw({ rawBody: '{"data":{"id":"x"}}', headers: { [header('Event')]: 'BOOKING_PONDERED' } })).state).toBe('ignored');
  });
});

it('does not check an old timestamp unless asked to, because late retries are real, and then to the second', () => {
  expect(open(raw(), { now: testStart + 90 * 86_400_000 }).state).toBe('accepted');
  for (const now of [testStart - 60_000, testStart + 60_000]) expect(open(raw(), { maximumAgeSeconds: 60, now }).state).toBe('accepted');
});

it.each(['2030-01-02 08:00:00,000000', '1893571200'])('reads a timestamp without an offset, or since the epoch: %s', (text) => {
  const delivery = raw({ headers: { [header('Timestamp')]: text } });
  expect(open(delivery, { maximumAgeSeconds: 60, now: Date.UTC(2030, 0, 2, 8) }).state).toBe('accepted');
  expect(open(delivery, { maximumAgeSeconds: 60, now: Date.UTC(2030, 0, 2, 8, 2) }).state).toBe('refused');
});

it('reads a body that begins with a byte order mark, as text and as bytes', () => {
  const marked = `\ufeff${body}`;
  for (const rawBody of [marked, new TextEncoder().encode(marked)]) expect(open(raw({ rawBody })).state).toBe('accepted');
});

it.each(['booking.created', 'Booking Created', 'bookingCreated'])('knows the event in another notation: %s', (event) => {
  const [named, inBody] = [{ [header('Event')]: event }, body.replace('BOOKING_CREATED', event)];
  expect(open(raw({ headers: named }))).toMatchObject({ state: 'accepted', event: 'BOOKING_CREATED' });
  expect(open(raw({ rawBody: inBody, headers: { [header('Event')]: undefined } }))).toMatchObject({ event: 'BOOKING_CREATED' });
  // Only the body is signed: what a header says against it is refused, in any notation.
  expect(open(raw({ rawBody: inBody, headers: { [header('Event')]: 'BOOKING_CANCELLED' } })).state).toBe('refused');
});

describe('what only an unsigned header says', () => {
  it('is taken from the signed body if that says when it was made', () => {
    expect(open(raw({ headers: { [header('Timestamp')]: undefined } }))).toMatchObject({
      delivery: { delivered_at: '2030-01-02T08:00:00Z' },
    });
    expect(open(raw({ headers: { [header('Timestamp')]: 'the header' } }))).toMatchObject({ delivery: { delivered_at: 'the header' } });
  });

  it.each([
    ['the time in the body is not a text', '{"event":"BOOKING_CREATED","created_at":5,"data":{"id":"bkg_1"}}'],
    ["the body is the record, and the time is the booking's own", '{"id":"bkg_1","created_at":"2029-01-01T00:00:00Z"}'],
  ])('is null if %s', (_, rawBody) => {
    const opened = open(raw({ rawBody, headers: { [header('Timestamp')]: undefined, [header('Delivery-ID')]: undefined } }));
    expect(opened).toMatchObject({ state: 'accepted', delivery: { delivered_at: null, delivery_id: null } });
  });
});

describe('a delivery is recognised again', () => {
  const numbered = '{"event":"BOOKING_CREATED","event_id":7,"data":{"id":"bkg_1"}}';
  const timeless = '{"event":"BOOKING_CREATED","data":{"id":"bkg_1"}}';
  const atRoot = '{"id":"bkg_1","start_time":"2030-01-09T09:00:00Z","created_at":"2030-01-02T08:00:00Z"}';
  const opened = (rawBody: string, deliveryId?: string, change: Partial<ExpectedDelivery> = {}) => {
    const found = open(
      raw({
        rawBody,
        headers: { [header('Signature')]: sign(rawBody, String(change.secret ?? secret)), [header('Delivery-ID')]: deliveryId },
      }),
      change,
    );
    if (found.state !== 'accepted') throw new Error(found.message);
    return found;
  };
  const keyOf = (...given: Parameters<typeof opened>) => opened(...given).delivery.delivery_key;

  const unnamed = '{"event":"BOOKING_CREATED","created_at":"2030","reservation":{"id":"bkg_1","start_time":"2030-01-09T09:00:00Z"}}';
  const camel = '{"event":"BOOKING_CREATED","createdAt":"2030","data":{"id":"bkg_1"}}';
  it.each([body, numbered, unnamed, camel])(
    'by its bytes, which tell their own time or number, whatever id it comes under: %s',
    (rawBody) => {
      expect(opened(rawBody, 'dlv_1').repeatKeys).toEqual([keyOf(rawBody)]);
      expect(new Set([undefined, 'dlv_1', 'd'.repeat(5000)].map((id) => keyOf(rawBody, id))).size).toBe(1);
    },
  );

  it('two events with long numbers are two', () => {
    const of = (number: string) => keyOf(`{"event":"BOOKING_CREATED","event_id":${number},"data":{"id":"bkg_1"}}`);
    expect(of('9007199254740993')).not.toBe(of('9007199254740992'));
    expect(of('"a\\"1, 9007199254740993"')).toBe(of('"a\\"1, 9007199254740993"'));
  });

  it.each([timeless, atRoot])('by its id and its bytes together, if those tell neither: %s', (rawBody) => {
    expect(opened(rawBody, 'dlv_1').repeatKeys).toEqual([keyOf(rawBody, 'dlv_1')]);
    expect(keyOf(rawBody, 'dlv_2')).not.toBe(keyOf(rawBody, 'dlv_1'));
    expect(keyOf(`${rawBody.slice(0, -1)},"more":1}`, 'dlv_1')).not.toBe(keyOf(rawBody, 'dlv_1'));
  });

  it('not at all if neither bytes nor id identify it: then it passes', () => {
    expect(opened(timeless).repeatKeys).toEqual([]);
  });

  it('by a key made of its subscription and its content', () => {
    const others = [keyOf(body, 'dlv_1', { subscriptionId: 'sub_2' }), keyOf(body.replace('bkg_1', 'bkg_2'))];
    expect(new Set([keyOf(body), ...others]).size).toBe(3);
    expect(keyOf(body, 'dlv_1', { secret: 'another' })).toBe(keyOf(body));
  });

  it('by a key that stays the same from release to release, because it is stored', () => {
    expect(keyOf(body, 'dlv_1')).toBe('3a471c9b29a4edd662078f40895e71f9ff6bfd3e433d713ae9f96375ed23f846');
    expect(keyOf(timeless, 'dlv_1')).toBe('00aa13311f1f74c52027dcb7153a012bad99ac42c4737f5b08a1125911ed0f7a');
  });

  it('as one of two events with the same bytes, if only the header names them: an approval gives Approved and Created', () => {
    const unnamed = '{"created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1"}}';
    const keys = ['BOOKING_APPROVED', 'BOOKING_CREATED', 'BOOKING_CREATED'].map((event) => {
      const found = open(raw({ rawBody: unnamed, headers: { [header('Event')]: event } }));
      return found.state === 'accepted' && found.delivery.delivery_key;
    });
    expect([new Set(keys).size, keys[1]]).toEqual([2, keys[2]]);
  });
});

it('the change of a record has the key that receivers may have stored', () => {
  const record = { id: 'bkg_1', start_time: '2030-01-31T10:00:00+01:00', name: 'Ada', email: 'ada@example.com' };
  expect(Object.fromEntries(eventRows.map((row) => [row.name, changeKey(sha256, row, record)]))).toMatchObject({
    BOOKING_CREATED: '2799602b509e5d40f220a8f567c44062c63028908fe2caa405e54c0ed6cbf7fd',
    BOOKING_CANCELLED: '48d6aafb782667856c35642580856318f36e9346102e7c314fb453e6bbc1e85a',
    BOOKING_RESCHEDULED: '150624069fc3bc7858419f254a0988889f3daca8e6d935e93bdbe94531b63255',
    BOOKING_APPROVED: '08c7cf09f6e0ff9aea0d141937d92b5827d6c04f644cacba42e7014f7292fa1a',
    BOOKING_DENIED: '765bfcd58758ea04338c1f565f353f5ae472e424d2fdf99d1ff510e0ba9dbeee',
    CONTACT_CREATED: 'e61adb2f200f6ad0becd8991757e2032fc8f0827386a5ae933c963c0a9ddc8b5',
    CONTACT_UPDATED: '4d69f398eb5f9dd9fb9703763a63eda39d5d04a73a2441d2a4c422c40b0b3cf0',
  });
});

it.each([
  ['of the booking', '"data":{"id":9007199254740993}', 'id'],
  ['of the event type', '"data":{"id":"bkg_1","event_type_id":9007199254740993}', 'event_type_id'],
])('an id %s that no number can hold is refused in words, never rounded to another one', (_, body, field) => {
  expect(open(raw({ rawBody: `{"event":"BOOKING_CREATED",${body}}` }))).toEqual({
    state: 'refused',
    status: 400,
    check: 'body',
    message: `The body's booking has a number as "${field}" that is too large to read exactly.`,
  });
});

describe('whatever comes, opening it ends in a verdict:', () => {
  it('a body of any form, with any headers, which is accepted only if it is signed', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
    );
    const named = fc.constantFrom(...['Signature', 'Event', 'Delivery-ID', 'Timestamp'].map(header));
    const headers = fc.dictionary(fc.oneof(fc.string(), named), fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 })));
    fc.assert(
      fc.property(anything, headers, fc.boolean(), (rawBody, sent, isSigned) => {
        const signed = isSigned && { [header('Signature')]: sign(rawBody, secret) };
        const { state } = open({ rawBody, headers: { ...sent, ...signed } }, { maximumAgeSeconds: 60 });
        if (!isSigned) expect(state).toBe('refused');
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([1_000, 200_000])('a signed body nested %d deep', (depth) => {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(open(raw({ rawBody: nested }))).toMatchObject({ state: 'refused', check: 'body' });
    const inside = `{"event":"BOOKING_CREATED","data":{"id":"bkg_1","notes":${nested}}}`;
    expect(['accepted', 'refused']).toContain(open(raw({ rawBody: inside })).state);
  });
});
