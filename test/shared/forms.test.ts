import { reader, createReader } from '../../shared/reading/reader.ts';
import { rows } from '../../shared/reading/rows.ts';
import type { ServiceRecord } from '../../shared/records/fields.ts';
import { factsTold, judged, rowsWithout, sent, services, told, type Sent } from '../support/forms.ts';
import { oneOf } from '../support/wire.ts';

// G1 to G7, G9, G13 and G47: these hold for every row that is added to the table, and for what is left of it when a gap is settled.

/** Whether the answers of a service are still read. Those that need a form that is settled otherwise are not. */
const isHere = (name: string): boolean => services.some(({ service }) => name === service || name.startsWith(`${service} `));

it('every row names who has its form', () => {
  expect(rows.filter(({ who }) => who.trim() === '')).toEqual([]);
});

it('of the answers of real services, nothing wrong is told, and nearly everything', () => {
  const all = sent.flatMap((each) => judged(each.kind, told(reader, each), each.expected).map((one) => ({ ...one, of: each.service })));
  expect(all.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  expect(all.filter(({ verdict }) => verdict === 'right').length).toBeGreaterThanOrEqual(0.97 * all.length);
});

it('a service that nobody has seen is told nothing wrong', () => {
  const wrong = services.flatMap(({ service }) => {
    const without = createReader(rowsWithout(service));
    const own = sent.filter((each) => each.service === service);
    return own.flatMap((each) => judged(each.kind, told(without, each), each.expected).filter(({ verdict }) => verdict === 'wrong'));
  });
  expect(wrong).toEqual([]);
});

type Path = readonly (string | number)[];
type Tree = Record<string | number, unknown>;

/** The objects in an answer, without those that are one of several and those of answers. */
function objectsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  if (path.some((part) => /forms|responses|additional|answers/i.test(String(part)))) return [];
  const inside = Array.isArray(value) ? [['0', value[0]] as const] : Object.entries(value);
  return [...(Array.isArray(value) ? [] : [path]), ...inside.flatMap(([key, each]) => objectsIn(each, [...path, key]))];
}

function changed(body: unknown, path: Path, change: (object: Tree) => Tree): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(body as Tree);
  const copy = (Array.isArray(body) ? [...(body as unknown[])] : { ...(body as object) }) as Tree;
  copy[key] = changed(copy[key], rest, change);
  return copy;
}

const unchanged = new Map<Sent, Record<string, unknown>>();

/** What is told of a changed answer, but not of the answer itself, and is not right. */
function newFacts(each: Sent, body: unknown): string[] {
  const now = factsTold(each.kind, told(reader, { ...each, body }));
  const before = unchanged.get(each) ?? factsTold(each.kind, told(reader, each));
  unchanged.set(each, before);
  const fresh = Object.keys(now).filter((fact) => JSON.stringify(now[fact]) !== JSON.stringify(before[fact]));
  if (fresh.length === 0) return fresh;
  const right = judged(each.kind, now as ServiceRecord, each.expected).filter(({ verdict }) => verdict === 'right');
  return fresh.filter((name) => !right.some(({ fact }) => fact === name));
}

/** The first of each answer: the others have the same form. */
const firsts = sent.filter(({ at = 0 }) => at === 0);

it('an answer without one of its fields tells nothing wrong, but for what cannot be known', () => {
  const wrong = firsts.flatMap((each) =>
    objectsIn(each.body).flatMap((path) =>
      Object.keys(path.reduce<unknown>((value, key) => (value as Tree)[key], each.body) as Tree).flatMap((key) => {
        const body = changed(each.body, path, ({ [key]: _gone, ...rest }) => rest);
        return newFacts(each, body).map((fact) => `${each.service} without ${[...path, key].join('.')}: ${fact}`);
      }),
    ),
  );
  // The id of what is around a booking that is not there, and a local time that is marked as UTC.
  expect([...new Set(wrong)]).toEqual(
    [
      'Square without data.object: id',
      'Square without data.object.booking: id',
      'Whautomate without appointment.startTimeUTC: start_time',
      'Whautomate without appointment.endTimeUTC: end_time',
    ].filter(isHere),
  );
});

const who = { id: 'stranger_1', name: 'Stranger', email: 'stranger@host.example', timezone: 'Asia/Tokyo' };
const thing = { id: 'stranger_1', name: 'Stranger' };
const other = { id: 'stranger_1', start_time: '2001-01-01T00:00:00Z', status: 'stranger' };
const place = 'https://stranger.example';
/** What may stand beside a record, or in it, and is about something else. */
const strangers: Readonly<Record<string, unknown>> = {
  ...{ host: who, hosts: [who, who], host_name: 'Stranger', host_email: who.email, organizer: who, owner: who, staff: who, user: who },
  ...{ user_name: 'Stranger', user_email: who.email, username: 'stranger', provider: who, team_member: who, assigned_to: who },
  ...{ guests: [who, who], participants: [who], emergency_contact: who, doctor: who, company: who, merchant: who },
  ...{ location: thing, location_id: 'stranger_1', resource: who, room: thing, scope: thing, calendar: thing, category: thing },
  ...{ payment: { ...who, service_id: 'stranger_1' }, invoice: other, order: thing, subscription: other, membership: other },
  ...{ previous_booking: other, old_booking: other, originalAppointment: other, parent: other, rescheduled_from: other, recurrence: other },
  ...{ related_bookings: [other, other], reminders: [{ name: 'Stranger', value: 'Stranger' }], tags: [{ name: 'a', value: 'b' }] },
  ...{ title: 'Stranger', summary: 'Stranger', subject: 'Stranger', headline: 'Stranger', kind: 'Stranger', type_name: 'Stranger' },
  ...{
    metadata: who,
    meta: thing,
    links: { self: 'https://stranger.example/bookings/stranger_1' },
    uri: 'https://stranger.example/people/1',
  },
  ...{ start_url: place, host_join_url: place, external_id: 'stranger_1', confirmed_at: other.start_time },
};

it('an answer with a stranger in it, first or last, tells nothing of the stranger', () => {
  const wrong = firsts.flatMap((each) =>
    objectsIn(each.body).flatMap((path) =>
      Object.entries(strangers).flatMap(([name, stranger]) =>
        [true, false].flatMap((isFirst) => {
          const put = (object: Tree): Tree =>
            name in object ? object : isFirst ? { [name]: stranger, ...object } : { ...object, [name]: stranger };
          const facts = newFacts(each, changed(each.body, path, put));
          // An event type that is named by `title` may be called so.
          return facts
            .filter((fact) => !/title/.test(name) || fact !== 'event_type_name')
            .map((fact) => `${each.service} ${path.join('.')}+${name}: ${fact}`);
        }),
      ),
    ),
  );
  expect([...new Set(wrong)]).toEqual([]);
});

const start_time = '2032-05-04T10:00:00Z';
const booking = { id: 'b1', start_time };
const bo = { name: 'Bo Lind', email: 'bo@lind.example' };
const ofBo = { ...booking, invitee_name: bo.name, invitee_email: bo.email };
const kim = { name: 'Kim Hall', email: 'kim@hall.example' };

it('a length in a unit that is named elsewhere is not told as minutes', () => {
  const body = oneOf({ id: 's1', name: 'Canoe', duration: 2, duration_unit: 'hours' });
  expect(factsTold('eventType', told(reader, { kind: 'eventType', body }))).toEqual({ id: 's1', name: 'Canoe' });
});

it.each<[string, object, object]>([
  ['the work that will make it', { id: 'job_1', status: 'queued' }, {}],
  ['a ping', { id: 'evt_1', type: 'ping', created_at: start_time }, {}],
  ['the id of a request', { success: true, id: 'req_1' }, {}],
  ['a payment that names its booking', oneOf({ id: 'pay_1', booking_id: 'b1', amount: 20 }), {}],
  ['an order with several bookings', { id: 'o1', customer: bo, bookings: [booking, { ...booking, id: 'b2' }] }, {}],
  ['an order with one line', { id: 'o1', customer: bo, line_items: [{ id: 'l1', booking_id: 'b1', start_time }] }, {}],
  ['a class with its bookings', { id: 'c1', start_time, bookings: [{ id: 'b1' }, { id: 'b2' }] }, {}],
  ['an entry of a waiting list', oneOf({ id: 'w1', event_type_id: 's1', invitee_email: bo.email, position: 2 }), {}],
  ['a review', oneOf({ id: 'r1', event_type_id: 's1', invitee_email: bo.email, rating: 5, status: 'published' }), {}],
  ['a setting', oneOf({ key: 'theme', value: 'dark' }), {}],
  ['a session with an id of its own', { id: 'b1', session: { id: 'x1', start_time } }, {}],
  ['a room', { id: 'b0', resource: { id: 'r1', start_time } }, {}],
  ['a resource that stands alone', { resource: booking }, booking],
  ['a place that is free', oneOf({ slot: { id: 's1', start_time } }), {}],
  ['what it was before', oneOf({ original_booking: booking }), {}],
  ['an empty list of people', oneOf({ ...booking, attendees: [] }), booking],
  ['two people', { ...booking, attendees: [bo, { ...bo, email: 'cy@rowe.example' }], host: kim }, booking],
  ['the host first', { ...booking, attendees: [kim, bo], host_email: 'KIM@hall.example' }, ofBo],
  ['the host marked', { ...booking, attendees: [{ ...kim, organizer: true }, bo] }, ofBo],
  ['the host by name', { ...booking, staff: { name: 'KIM HALL' }, attendees: [kim] }, booking],
  ['a room among the people', { ...booking, attendees: [{ ...kim, resource: true }, bo] }, ofBo],
  ['a status in an object', { ...booking, status: { id: 3, name: 'Confirmed' }, cancelled: {} }, { ...booking, status: 'Confirmed' }],
  ['what happened, and a short record', { event: { id: 'evt_1', name: 'booking.created' }, ...oneOf({ id: 'b1' }) }, { id: 'b1' }],
  ['a name that is a title', { ...booking, name: 'Garden Walk' }, booking],
  ['times of day', oneOf({ id: 'b1', start: '9:30am', end: '10am', date: '2032-05-04' }), { id: 'b1' }],
  ['a day', { id: 'b1', start_date: '2032-05-04' }, { id: 'b1' }],
  ['another booking in one that tells no time', { id: 'b1', status: 'booked', follow_up: { id: 'b2', start_time } }, {}],
  [
    'another booking in one that ends',
    { id: 'b1', end_time: start_time, past_booking: { id: 'b2', start_time } },
    { id: 'b1', end_time: start_time },
  ],
  ['another booking under more words', { id: 'b1', status: 'booked', future_appointments: [{ id: 'b2', start_time }] }, {}],
  ['another booking beside it, under more words', { ...oneOf(booking), past_bookings: [{ id: 'b0', start_time }] }, booking],
  ['a no in words', { ...booking, canceled: 'No' }, booking],
  ['the time of a database that has none', { ...booking, created: '0001-01-01T00:00:00Z', deleted_at: '0000-00-00 00:00:00' }, booking],
  ['the state of an address', { ...booking, state: 'OK', city: 'Tulsa' }, booking],
  ['whoever travels for a customer', { ...booking, customer_id: 'c1', passengers: [bo] }, booking],
  ['a participant with a phone', { ...booking, participants: [{ ...bo, phone: '+47 22 00 00 00' }] }, booking],
  ['a local time with its zone', { id: 'b1', start: { dateTime: '2032-05-04T12:00:00', timeZone: 'Europe/Oslo' } }, booking],
])('an odd answer, %s, tells nothing that it does not say', (_, body, expected) => {
  const record = factsTold('booking', told(reader, { kind: 'booking', body }));
  expect({
    ...record,
    ...('start_time' in record && { start_time: new Date(String(record['start_time'])).toISOString().replace('.000Z', 'Z') }),
  }).toEqual(expected);
});

it('in a list, an order with several bookings has none of their ids', () => {
  const body = { orders: [{ id: 'o1', bookings: [booking, { ...booking, id: 'b2' }] }, booking] };
  expect([0, 1].map((at) => told(reader, { kind: 'booking', body, at })?.['id'])).toEqual(['', 'b1']);
});
