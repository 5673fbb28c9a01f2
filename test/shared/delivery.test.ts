import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { asDelivered, recentRecords } from '../../shared/webhooks/testData.ts';
import { deliveredRecord, openDelivery, type Expected, type Opened, type RawDelivery } from '../../shared/webhooks/delivery.ts';
import { sign } from '../../shared/webhooks/signature.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import { FORMS } from '../../sandbox/service.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { serve, type TestService, testStart } from '../support/service.ts';

const names = eventRows.map(({ name }) => name);
const shown = (opened: Opened | undefined): unknown => (opened?.outcome === 'accepted' ? deliveredRecord(opened, 'presented') : opened);
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
      openDelivery(raw, { secret: subscription.signing_secret, events: names, subscriptionId: subscription.id, now: testStart }),
    );

  const eventOf = (opened: Opened) => (opened.outcome === 'accepted' ? opened.event : '');

  const forms = FORMS.deliveryRecord.values.flatMap((deliveryRecord) =>
    FORMS.deliveryEvent.values.map((deliveryEvent) => ({ deliveryRecord, deliveryEvent })),
  );
  it.each(forms)('reads the record under $deliveryRecord if the body names its event as $deliveryEvent (G13)', async (chosen) => {
    const subscription = await begin({ forms: chosen });
    const { id } = book();
    await service.sandbox.settled();
    const created = openAll(subscription).find((each) => eventOf(each) === 'BOOKING_CREATED');
    expect(shown(created)).toMatchObject({ id, event: 'BOOKING_CREATED', invitee_email: 'ada@example.com', answers: [] });
  });

  it('test records have exactly the keys of a live delivery, and the event that was asked for', async () => {
    const subscription = await begin();
    book();
    await service.sandbox.settled();
    const live = openAll(subscription).find((each) => eventOf(each) === 'BOOKING_CREATED');
    const liveKeys = Object.keys(shown(live) as object).sort();
    for (const row of eventRows.filter(({ record }) => record === 'booking')) {
      const [recent] = await recentRecords(service.client, row, { limit: 1 });
      expect(recent?.['event']).toBe(row.name);
      expect(Object.keys(recent ?? {}).sort()).toEqual(liveKeys);
      expect(Object.keys(asDelivered(row, row.sample)).sort()).toEqual(liveKeys);
    }
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
const open = (delivery: RawDelivery, change: Partial<Expected> = {}) =>
  openDelivery(delivery, { secret, events: names, subscriptionId: 'sub_1', now: testStart, ...change });

describe('the record of a delivery (G13)', () => {
  const opened = (content: object, event: string) => {
    const rawBody = JSON.stringify({ event, ...content });
    return open(raw({ rawBody, headers: { [header('Event')]: event } }));
  };
  it('is the contact if a booking is beside it', () =>
    expect(opened({ booking: { id: 'bkg_1' }, contact: { id: 'con_1' } }, 'CONTACT_CREATED')).toMatchObject({ record: { id: 'con_1' } }));
  it('is the booking at the root, whatever contact it holds', () =>
    expect(opened({ id: 'bkg_1', status: 'CONFIRMED', contact: { id: 'con_1' } }, 'BOOKING_CREATED')).toMatchObject({
      outcome: 'accepted',
      record: { id: 'bkg_1', contact: { id: 'con_1' } },
    }));
  const whole = { id: 'bkg_1', status: 'CONFIRMED', start_time: '2030-01-09T09:00:00Z', invitee_email: 'ada@example.com' };
  it.each([
    ['after an empty one', { data: {}, booking: { id: 'bkg_1' } }],
    ['under its own name inside `data`', { id: 'whk_1', data: { booking: { id: 'bkg_1' } } }],
    ['in the only object that has its fields', { id: 'whk_1', data: { object: whole } }],
    ['under a name that nobody knows', { resource: whole, invitee: { id: 'inv_1', email: 'ada@example.com' } }],
    ['beside other ids inside `data`', { data: { id: 'chg_1', booking: whole } }],
  ])('is found %s', (_, content) =>
    expect(opened(content, 'BOOKING_CREATED')).toMatchObject({ outcome: 'accepted', record: { id: 'bkg_1' } }),
  );
  it.each([
    ['two bookings under names that nobody knows', { data: { old: whole, new: { ...whole, status: 'CANCELLED' } } }],
    ['a record without an id', { id: 'whk_1', data: { reference: 'bkg_1' } }],
  ])('is never the envelope, even if that has an id of its own: %s is refused', (_, content) =>
    expect(opened(content, 'BOOKING_CREATED')).toMatchObject({ outcome: 'refused', status: 400, check: 'body' }),
  );
});

describe('fails closed', () => {
  const right = sign(body, secret);
  const named = (name: string, value?: string | string[]) => ({ headers: { [header(name)]: value } });
  const signature = (value?: string | string[]) => named('Signature', value);
  const noUtf8 = Buffer.concat([Buffer.from('{"data":{"id":"bkg_1","notes":"'), Buffer.from([0xff]), Buffer.from('"}}')]);
  const aged = { maximumAgeSeconds: 60 };

  it.each<[string, Parameters<typeof raw>[0], string, Partial<Expected>?]>([
    ['the subscription has lost its secret', {}, 'secret', { secret: undefined }],
    ['the signature is missing', signature(), 'signature-missing'],
    ['the signature comes twice', signature([right, right]), 'signature-missing'],
    ['it comes twice, in two letter cases', { headers: { [header('Signature').toLowerCase()]: right } }, 'signature-missing'],
    ['the prefix of the signature is another', signature(right.replace('sha256', 'sha512')), 'signature-prefix'],
    ['the signature is cut', signature(right.slice(0, -1)), 'signature-format'],
    ['the body was changed after signing', signature(sign(`${body} `, secret)), 'signature'],
    ['it was signed with the secret of another subscription', signature(sign(body, 'another')), 'signature'],
    ['the platform has not kept the raw body', { rawBody: undefined }, 'raw-body'],
    ['the signed body is no JSON', { rawBody: 'hello' }, 'body'],
    ['the signed body is a list', { rawBody: '[1]' }, 'body'],
    ['the signed body is no UTF-8', { rawBody: noUtf8 }, 'body'],
    ['the signed body holds no record', { rawBody: '{"event":"BOOKING_CREATED","ok":true}' }, 'body'],
    ['the header names another event than the signed body', named('Event', 'BOOKING_CANCELLED'), 'event'],
    ['nothing names the event', { rawBody: '{"data":{"id":"bkg_1"}}', ...named('Event') }, 'event'],
    ['the event that it names is empty', { rawBody: '{"event":"","data":{"id":"bkg_1"}}', ...named('Event') }, 'event'],
    ['it is older than the maximum age that was asked for', {}, 'age', { ...aged, now: testStart + 61_000 }],
    ['it is from further ahead than that', {}, 'age', { ...aged, now: testStart - 61_000 }],
    ['it has no timestamp, and a maximum age was asked for', named('Timestamp'), 'age', aged],
  ])('refuses when %s', (_, given, check, change = {}) => {
    const opened = open(raw(given), change);
    expect(opened).toMatchObject({ outcome: 'refused', status: /^s/.test(check) ? 401 : 400, check });
    expect(JSON.stringify(opened)).not.toContain(secret);
  });

  it('names the header that came under another prefix, and the setting', () => {
    const opened = open({
      rawBody: body,
      headers: { 'X-Elsewhere-Signature': sign(body, secret), 'X-Elsewhere-Event': 'BOOKING_CREATED' },
    });
    expect(opened).toMatchObject({
      outcome: 'refused',
      status: 401,
      check: 'signature-missing',
      message: expect.stringContaining(
        'It has X-Elsewhere-Signature instead: set "headerPrefix" in brand.json to "X-Elsewhere".',
      ) as string,
    });
  });

  it.each([
    ['the header is absent', {}],
    ['another header looks like a signature', { 'X-Digest': sign(body, secret) }],
    ['a signature of another kind came', { 'X-Elsewhere-Signature': `sha1=${'0'.repeat(40)}` }],
    ['only the beginning of a name fits', { 'X-Elsewhere-Signature-Input': sign(body, secret) }],
    ['a name is too long to be repeated', { [`X-${'A'.repeat(60)}-Signature`]: sign(body, secret) }],
  ])('blames no other header when %s', (_, headers) => {
    expect(open({ rawBody: body, headers })).toMatchObject({
      check: 'signature-missing',
      message: `The delivery has no ${header('Signature')} header.`,
    });
  });

  it('says briefly what a body without a record holds, and what a header says', () => {
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index} ${'k'.repeat(50)}`);
    const recordless = open(raw({ rawBody: JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1]))) }));
    expect(recordless).toMatchObject({
      check: 'body',
      message: `The body holds no booking with an id under "data"; its keys are ${keys
        .slice(0, 12)
        .map((key) => `"${key.slice(0, 40)}"`)
        .join(', ')}.`,
    });
    const longwinded = open(raw({ headers: { [header('Event')]: 'E'.repeat(5000) } }));
    expect(longwinded).toMatchObject({
      check: 'event',
      message: `The ${header('Event')} header says ${'E'.repeat(40)}, the signed body says BOOKING_CREATED.`,
    });
  });

  it('ignores an event that was not subscribed to, or that is unknown', () => {
    expect(open(raw(), { events: ['BOOKING_CANCELLED'] }).outcome).toBe('ignored');
    expect(open(raw({ rawBody: '{"data":{"id":"x"}}', headers: { [header('Event')]: 'BOOKING_PONDERED' } })).outcome).toBe('ignored');
  });
});

it('does not check an old timestamp unless asked to, because late retries are real', () => {
  expect(open(raw(), { now: testStart + 90 * 86_400_000 }).outcome).toBe('accepted');
});

it.each([testStart - 60_000, testStart + 60_000])(
  'accepts what is just within the maximum age that was asked for, by a clock at %i',
  (now) => {
    expect(open(raw(), { maximumAgeSeconds: 60, now }).outcome).toBe('accepted');
  },
);

it('reads a body that begins with a byte order mark, as text and as bytes', () => {
  const marked = `\ufeff${body}`;
  for (const rawBody of [marked, new TextEncoder().encode(marked)]) expect(open(raw({ rawBody })).outcome).toBe('accepted');
});

it.each(['booking.created', 'booking_created', 'Booking Created', 'BookingCreated', 'bookingCreated'])(
  'knows the event in another notation: %s',
  (event) => {
    const [named, inBody] = [{ [header('Event')]: event }, body.replace('BOOKING_CREATED', event)];
    expect(open(raw({ headers: named }))).toMatchObject({ outcome: 'accepted', event: 'BOOKING_CREATED' });
    expect(open(raw({ rawBody: inBody, headers: named }))).toMatchObject({ outcome: 'accepted', event: 'BOOKING_CREATED' });
    expect(open(raw({ rawBody: inBody, headers: { [header('Event')]: undefined } }))).toMatchObject({ event: 'BOOKING_CREATED' });
    // Only the body is signed: what a header says against it is refused, in any notation.
    expect(open(raw({ rawBody: inBody, headers: { [header('Event')]: 'BOOKING_CANCELLED' } })).outcome).toBe('refused');
  },
);

describe('what only an unsigned header says', () => {
  const without = (name: string, value?: string) => open(raw({ headers: { [header(name)]: value } }));

  it.each([undefined, ''])('is not needed: the signed body names the event (header %p)', (value) => {
    expect(without('Event', value)).toMatchObject({ outcome: 'accepted', event: 'BOOKING_CREATED' });
  });

  it('is taken from the signed body if that says when it was made', () => {
    expect(without('Timestamp')).toMatchObject({ delivery: { delivered_at: '2030-01-02T08:00:00Z' } });
    expect(open(raw({ headers: { [header('Timestamp')]: 'the header' } }))).toMatchObject({ delivery: { delivered_at: 'the header' } });
  });

  it.each([
    ['the body shows no time', '{"event":"BOOKING_CREATED","data":{"id":"bkg_1"}}'],
    ['the time in the body is not a text', '{"event":"BOOKING_CREATED","created_at":5,"data":{"id":"bkg_1"}}'],
    ["the body is the record, and the time is the booking's own", '{"id":"bkg_1","created_at":"2029-01-01T00:00:00Z"}'],
  ])('is null if %s', (_, rawBody) => {
    const opened = open(raw({ rawBody, headers: { [header('Timestamp')]: undefined, [header('Delivery-ID')]: undefined } }));
    expect(opened).toMatchObject({ outcome: 'accepted', delivery: { delivered_at: null, delivery_id: null } });
  });
});

describe('a delivery is recognised again', () => {
  const numbered = '{"event":"BOOKING_CREATED","event_id":7,"data":{"id":"bkg_1"}}';
  const timeless = '{"event":"BOOKING_CREATED","data":{"id":"bkg_1"}}';
  const atRoot = '{"id":"bkg_1","created_at":"2030-01-02T08:00:00Z"}';
  const opened = (rawBody: string, deliveryId?: string, change: Partial<Expected> = {}) => {
    const found = open(
      raw({
        rawBody,
        headers: { [header('Signature')]: sign(rawBody, String(change.secret ?? secret)), [header('Delivery-ID')]: deliveryId },
      }),
      change,
    );
    if (found.outcome !== 'accepted') throw new Error(found.message);
    return found;
  };
  const keyOf = (...given: Parameters<typeof opened>) => opened(...given).delivery.delivery_key;

  it.each([
    ['by its bytes, which tell their own time', body],
    ['by its bytes, which tell the number of their event', numbered],
  ])('%s, whatever id it comes under', (_, rawBody) => {
    expect(opened(rawBody, 'dlv_1').claims).toEqual([keyOf(rawBody)]);
    expect(new Set([undefined, 'dlv_1', 'dlv_2', 'd'.repeat(5000)].map((id) => keyOf(rawBody, id))).size).toBe(1);
  });

  it.each([
    ['shows neither', timeless],
    ["is the record, with the booking's own time and id", atRoot],
  ])('by its id and its bytes together, if the body %s', (_, rawBody) => {
    expect(opened(rawBody, 'dlv_1').claims).toEqual([keyOf(rawBody, 'dlv_1')]);
    expect(keyOf(rawBody, 'dlv_2')).not.toBe(keyOf(rawBody, 'dlv_1'));
    expect(keyOf(`${rawBody} `, 'dlv_1')).not.toBe(keyOf(rawBody, 'dlv_1'));
  });

  it('not at all if neither bytes nor id identify it: then it passes', () => {
    expect(opened(timeless).claims).toEqual([]);
  });

  it('by a key made of its subscription, its secret and its bytes, which reveals none of them', () => {
    const keys = [
      keyOf(body),
      keyOf(body, 'dlv_1', { subscriptionId: 'sub_2' }),
      keyOf(body, 'dlv_1', { secret: 'another' }),
      keyOf(`${body} `),
    ];
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf(body)).not.toContain(sign(body, secret).slice(7, 20));
  });

  it('by the same key as in earlier releases', () => {
    expect(keyOf(body, 'dlv_1')).toBe('fcfd7e028e9610eda81b65c668887612c3df3c98aa229909a1c9769196763684');
    expect(keyOf(timeless, 'dlv_1')).toBe('eca9a1601b224db0897f895a99b25c4d6d43eff2ba4db948fa2707045086e392');
  });

  /** The key of a delivery under this header, or what became of it. */
  const keyUnder = (event: string, rawBody: string) => {
    const found = open(raw({ rawBody, headers: { [header('Event')]: event } }));
    return found.outcome === 'accepted' ? found.delivery.delivery_key : found.outcome;
  };
  const unnamed = '{"created_at":"2030-01-02T08:00:00Z","data":{"id":"bkg_1"}}';

  it('as one of two events with the same bytes if only the header names them: an approval gives Approved and Created in one second', () => {
    expect(keyUnder('BOOKING_APPROVED', unnamed)).not.toBe(keyUnder('BOOKING_CREATED', unnamed));
    expect(keyUnder('BOOKING_APPROVED', unnamed)).toBe(keyUnder('BOOKING_APPROVED', unnamed));
  });

  it.each(['booking.created', 'BOOKING_CREATED'])('whatever the header says, if the body names the event as %s', (event) => {
    const named = unnamed.replace('{', `{"event":"${event}",`);
    expect([keyUnder('BOOKING_CREATED', named), 'refused']).toContain(keyUnder('BOOKING_APPROVED', named));
  });

  it('by the same key in either shape', () => {
    const found = opened(body, 'dlv_1');
    const delivery = {
      event: 'BOOKING_CREATED',
      delivery_id: 'dlv_1',
      delivered_at: '2030-01-02T08:00:00Z',
      delivery_key: keyOf(body),
      change_key: found.delivery.change_key,
    };
    expect(deliveredRecord(found, 'presented')).toEqual({ id: 'bkg_1', event_type_id: 'evt_1', answers: [], ...delivery });
    expect(deliveredRecord(found, 'simplified')).toEqual({ id: 'bkg_1', event_type_id: 'evt_1', ...delivery });
    expect(found.record).toEqual({ id: 'bkg_1', event_type_id: 'evt_1' });
  });
});

it.each([
  ['of the booking', '"data":{"id":9007199254740993}', 'id'],
  ['of the event type', '"data":{"id":"bkg_1","event_type_id":9007199254740993}', 'event_type_id'],
  ['of the booking, in another place than its name,', '"data":{"name":"Ada"},"booking":{"id":9007199254740993}', 'id'],
])('an id %s that no number can hold is refused in words, never rounded to another one', (_, body, field) => {
  expect(open(raw({ rawBody: `{"event":"BOOKING_CREATED",${body}}` }))).toEqual({
    outcome: 'refused',
    status: 400,
    check: 'body',
    message: `The body's booking has a number as "${field}" that is too large to read exactly.`,
  });
});

it('keeps unknown fields, and lets none reach a prototype', () => {
  const opened = open(
    raw({
      rawBody:
        '{"data":{"id":"bkg_1","new_field":{"deep":[1]},"__proto__":{"polluted":true},"constructor":1,"question_responses":{"__proto__":"x","toString":"y"}}}',
    }),
  );
  expect(opened).toMatchObject({ outcome: 'accepted', record: { new_field: { deep: [1] } } });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(opened.outcome === 'accepted' && Object.getPrototypeOf(opened.record) === Object.prototype).toBe(true);
  expect(opened.outcome === 'accepted' && deliveredRecord(opened, 'presented')['answers']).toContainEqual({
    question: 'toString',
    answer: 'y',
  });
});
