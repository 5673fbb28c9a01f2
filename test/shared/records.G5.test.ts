import { reader } from '../../shared/reading/index.ts';
import { comparableTime } from '../../shared/time/time.ts';
import { factsTold, told } from '../support/forms.ts';
import { oneOf } from '../support/wire.ts';

// Other places in a booking (G5), read as long as nobody knows the service's own. Settling G5 deletes this file.

const start_time = '2032-05-04T10:00:00Z';
const booking = { id: 'b1', start_time };
const bo = { name: 'Bo Lind', email: 'bo@lind.example' };
const kim = { name: 'Kim Hall', email: 'kim@hall.example' };
const named = { invitee_name: 'Bo Lind', invitee_email: bo.email };

it.each<[string, object, object]>([
  ['an event type in an object', { ...booking, event_type_id: '', event_type: { id: 'evt_1' } }, { ...booking, event_type_id: 'evt_1' }],
  [
    'two people behind two words',
    { ...booking, customer_email: bo.email, contact_name: kim.name },
    { ...booking, invitee_email: bo.email },
  ],
  [
    'two people who are only counted',
    { ...booking, customers: [{ pk: 1 }, { pk: 2 }], email: kim.email, contact: bo },
    { ...booking, ...named },
  ],
  [
    'two addresses of one person',
    { ...booking, customer: { primary_email: 'work@lind.example', display_name: 'bo', ...bo } },
    { ...booking, ...named },
  ],
  ['a title with an address', { ...booking, name: '30 Minute Walk', email: bo.email }, { ...booking, invitee_email: bo.email }],
  [
    'a time in what was booked',
    { id: 'b1', slot: { start_sec: '1967277600', service_id: 's1' }, customer: bo },
    { ...booking, ...named, event_type_id: 's1' },
  ],
  [
    'from and till',
    { id: 'b1', booked_from: start_time, booked_till: '2032-05-04T10:30:00Z' },
    { ...booking, end_time: '2032-05-04T10:30:00Z' },
  ],
  ['from and until', { id: 'b1', from: start_time, until: '2032-05-04T10:30:00Z' }, { ...booking, end_time: '2032-05-04T10:30:00Z' }],
  [
    'the visit of a job',
    { UUID: 'b1', JobDateTime: start_time, JobEndDateTime: '2032-05-04T10:30:00Z', JobTotalPrice: 20 },
    { ...booking, end_time: '2032-05-04T10:30:00Z' },
  ],
  [
    'a date with a time, and a length',
    { id: 'b1', date: '2032-05-04 12:00:00 +0200', length: 30, created_at: start_time },
    { ...booking, created_at: start_time },
  ],
  [
    'who has which part in it',
    {
      ...booking,
      participants: [
        { ...kim, role: 'organizer' },
        { ...bo, role: 'Attendee' },
      ],
    },
    { ...booking, ...named },
  ],
  [
    'what it takes, beside who comes',
    { id: 'b1', when: { start_time: 1967277600, end_time: 1967279400 }, attendee: bo },
    { ...booking, ...named, end_time: '2032-05-04T10:30:00Z' },
  ],
  ['what is free, and for whom', { id: 's1', slot: { start: start_time }, provider: kim }, {}],
  ['seconds in an object', { id: 'b1', start: { _seconds: 1967277600, _nanoseconds: 0 } }, booking],
  [
    'a day and its time',
    { id: 'b1', start_date: '2032-05-04', start_time: '12:00', timezone: 'Europe/Oslo', end_date: '2032-05-04', end_time: '12:30:00' },
    { ...booking, end_time: '2032-05-04T12:30:00+02:00' },
  ],
  ['a day that is due, in no zone', { id: 'b1', subject: 'Call', due_date: '2032-05-04', due_time: '10:00', duration: '00:30' }, booking],
  ['a day, and a time of day as people write it', { id: 'b1', start_date: '2032-05-04', start_time: '9:30am' }, { id: 'b1' }],
  [
    'a title beside a question',
    { ...booking, form: [{ name: 'Towel?', title: 'Mr', value: 'yes' }] },
    { ...booking, answers: [{ question: 'Towel?', answer: 'yes' }] },
  ],
  ['an address of the meeting itself', { ...booking, meeting_info: { uri: 'https://x.example/meetings/1' } }, booking],
  ['a day, and a length', { id: 'b1', date: '2032-05-04', length: 30, created_at: start_time }, { id: 'b1', created_at: start_time }],
  [
    'one service of several that a place has',
    { ...booking, services: [{ id: 3, service: { id: 's1', name: 'Sauna' } }] },
    { ...booking, event_type_id: 's1', event_type_name: 'Sauna' },
  ],
  ['two services', { ...booking, services: [{ service: { id: 's1', name: 'Sauna' } }, { service: { id: 's2', name: 'Oil' } }] }, booking],
  [
    'addresses in a list',
    { ...booking, client: { name: bo.name, emails: [{ address: bo.email, primary: true }] } },
    { ...booking, ...named },
  ],
  [
    'a link in what tells of the meeting',
    { ...booking, meetingInfo: { channel: 'zoom', meetingLink: 'https://z.example/1' } },
    { ...booking, meeting_url: 'https://z.example/1' },
  ],
  [
    'what it is related to',
    {
      id: 'b1',
      type: 'bookings',
      attributes: { starts_at: start_time },
      relationships: { service: { data: { id: 's1' } }, staff: { data: { id: 'x' } } },
    },
    { ...booking, event_type_id: 's1' },
  ],
  ['a reminder that is planned', { id: 'm1', type: 'reminder', scheduled_at: start_time, booking_id: 'b1', created_at: start_time }, {}],
  ['UTC by its name alone', { id: 'b1', start_time: '2032-05-04T12:00:00', start_time_utc: '2032-05-04T10:00:00' }, booking],
  ['facts in attributes', { id: 'b1', type: 'bookings', attributes: { starts_at: start_time, customer: bo } }, { ...booking, ...named }],
  ['a number for a status, and deleted', { ...booking, status: 2, deleted: true }, { ...booking, status: 'CANCELLED' }],
  ['a word for nothing', { ...booking, appointment_type_name: 'None', service_title: 'Sauna' }, { ...booking, event_type_name: 'Sauna' }],
  ['a given name beside a surname', { ...booking, patient: { name: 'Bo', surname: 'Lind' } }, { ...booking, invitee_name: 'Bo Lind' }],
  ['an invitee who made it', { ...booking, full_name: 'Bo Lind', email: bo.email, created_by: bo.email }, { ...booking, ...named }],
  [
    'a host who tries a booking',
    { ...booking, customer: kim, host: kim },
    { ...booking, invitee_name: kim.name, invitee_email: kim.email },
  ],
  [
    'a guest with the name of the host',
    { ...booking, attendees: [{ ...kim, email: bo.email }], organizer: kim },
    { ...booking, invitee_name: kim.name, invitee_email: bo.email },
  ],
  ['a host who made it', { ...booking, attendees: [kim, bo], created_by: kim.email }, { ...booking, ...named }],
  [
    'a form, and the zone elsewhere',
    { ...booking, customer_timezone: 'Europe/Oslo', form_submission: { ...bo, custom_fields: [{ name: 'Towel?', value: 'yes' }] } },
    { ...booking, ...named, invitee_timezone: 'Europe/Oslo', answers: [{ question: 'Towel?', answer: 'yes' }] },
  ],
  ['a type by its code', { ...booking, service: '65c52bf58394e99c6902abf8' }, { ...booking, event_type_id: '65c52bf58394e99c6902abf8' }],
  ['a type by a word', { ...booking, service: 'Sauna', event_type: '30min' }, booking],
  ['a place in a waiting list', { id: 'w1', service: { id: 's1', name: 'Canoe' }, customer: bo, waitlist_position: 2 }, {}],
  ['hours bought ahead', { id: 'p1', service_id: 's1', client: bo, credits: 5, status: 'active' }, {}],
  ['who cancelled it', oneOf({ id: 'b1', invitee_email: bo.email, cancelled_by: 'host' }), { id: 'b1', invitee_email: bo.email }],
  ['what was paid for it', oneOf({ id: 'b1', customer: bo, reference: 'A-1', amount: 20 }), { id: 'b1', ...named }],
  [
    'one of two in the role',
    {
      ...booking,
      attendees: [
        { ...kim, type: 'care_team' },
        { ...bo, type: 'patient' },
      ],
    },
    { ...booking, ...named },
  ],
  ['a guest who stands alone', { ...booking, guest: bo, organizer: kim }, { ...booking, ...named }],
  ['a guest who is the host', { ...booking, guest: kim, host_email: kim.email }, booking],
  ['a guest beside a customer who is not shown', { ...booking, customer_id: 'c1', guest: kim }, booking],
  ['guests of nobody', { ...booking, guests: [bo] }, booking],
  ['a participant who can be called', { ...booking, participants: [{ ...bo, phone: '+12095550111' }] }, { ...booking, ...named }],
  ['several addresses of one', { ...booking, client: { name: bo.name, emails: [bo.email, kim.email] } }, { ...booking, ...named }],
  [
    'a main address',
    { ...booking, client: { name: bo.name, emails: [{ address: kim.email }, { address: bo.email, primary: true }] } },
    { ...booking, ...named },
  ],
  ['addresses that are told of it', { ...booking, emails: [kim.email] }, booking],
  ['a customer beside the booking', { event: 'made', customer: bo, staff: kim, appointment: booking }, { ...booking, ...named }],
  ['a customer beside another invitee', { customer: kim, appointment: { ...booking, invitee: bo } }, { ...booking, ...named }],
  [
    'a guest in the booking, whose customer stands beside it',
    { customer: bo, appointment: { ...booking, guest: kim } },
    { ...booking, ...named },
  ],
  ['a service beside the booking, in words', { service: 'Bright Days', appointment: booking }, booking],
  [
    'people that are included',
    {
      ...oneOf({
        ...booking,
        relationships: { host: { data: { type: 'people', id: '1' } }, customer: { data: { type: 'people', id: '2' } } },
      }),
      included: [
        { type: 'people', id: '1', attributes: kim },
        { type: 'users', id: '2', attributes: kim },
        { type: 'people', id: '2', attributes: bo },
      ],
    },
    { ...booking, ...named },
  ],
  ['a day, and a time of day', { id: 'b1', date: '2032-05-04', time: '10:00', timezone: 'UTC' }, booking],
  [
    'a date that may be that of the sale',
    { id: 'b1', status: 'confirmed', customer: bo, date: start_time, length: 30 },
    { id: 'b1', status: 'confirmed', ...named },
  ],
  ['the one line of an order', { order_number: 'b1', customer: bo, items: [{ start: start_time }] }, { ...booking, ...named }],
  [
    'two lines of an order',
    { order_number: 'o1', status: 'confirmed', customer: bo, items: [{ start: start_time }, { start: start_time }] },
    {},
  ],
  ['what is sold with it', { ...booking, items: [{ name: 'Oil' }, { name: 'Towel' }] }, booking],
  ['what happened before', { log: [{ by: 'x', event: booking }] }, {}],
  ['one line of an order', { id: 'o1', items: [{ start: start_time }], customer: bo }, {}],
  ['a period', { ...booking, from: '2032-05-01T10:00:00Z', to: '2032-05-09T10:00:00Z' }, booking],
  ['a calendar', { id: 'c1', name: 'Main', availability: { start_at: start_time } }, {}],
  ['the name of a form', { ...booking, form_submission: { id: 1, name: 'Intake' } }, booking],
  ['the zone of a contact', { ...booking, customer: bo, contact_timezone: 'Asia/Tokyo' }, { ...booking, ...named }],
  ['work with attributes', { id: 'j1', type: 'job', attributes: { start_time } }, {}],
  ['who learns', { ...booking, learner_first_name: 'Bo', learner_last_name: 'Lind', learner_email: bo.email }, { ...booking, ...named }],
  ['who leads the guests', { ...booking, lead_guest_name: bo.name, lead_guest_email: bo.email, guests: [kim] }, { ...booking, ...named }],
  ['the day of a visit', { id: 'b1', VisitDate: '2032-05-04T00:00:00', VisitTime: '10:00:00' }, booking],
  [
    'a day with two times',
    { id: 'b1', booking_date: '2032-05-04', start_time: '10:00:00', end_time: '10:30:00' },
    { ...booking, end_time: '2032-05-04T10:30:00' },
  ],
  ['a time on the next day', { id: 'b1', date: '2032-05-04', start_time: '10:00', end_time: '01:30' }, booking],
  [
    'a place that is a link',
    { ...booking, location: { type: 'video', value: 'https://z.example/1' } },
    { ...booking, meeting_url: 'https://z.example/1' },
  ],
  ['a place on a map', { ...booking, location: { type: 'place', value: 'https://maps.example.com/?q=1' } }, booking],
  ['an address that is a list', { ...booking, client: { name: bo.name, email: [bo.email] } }, { ...booking, ...named }],
  ['a time for so many', { id: 'b1', time: start_time, party_size: 4 }, booking],
  ['a time of what happened', oneOf({ id: 'b1', time: start_time, customer: bo }), { id: 'b1', ...named }],
  ['somebody in a role that only who comes has', { ...booking, reservee: bo, reserved_by: bo }, { ...booking, ...named }],
  ['the same behind a prefix', { ...booking, CoworkerFullName: bo.name, CoworkerEmail: bo.email }, { ...booking, ...named }],
  ['a guest behind a prefix', { ...booking, guest_name: bo.name, guest_email: bo.email, staff_name: kim.name }, { ...booking, ...named }],
  ['a guest behind a prefix, beside a customer who is not shown', { ...booking, customer_id: 'c1', guest_email: kim.email }, booking],
  ['a guest and a participant', { ...booking, guest_email: bo.email, participant: { email: kim.email } }, booking],
  ['a patron and the same one', { ...booking, ownerPatron: bo, dinerPatron: bo }, { ...booking, ...named }],
  ['who an attendee is', { ...booking, attendees: [{ membership: 'm1', user: bo }] }, { ...booking, ...named }],
  ['whom a customer belongs to', { ...booking, customers: [{ pk: 1, user: kim }] }, booking],
  [
    'the one time that no word explains',
    { id: 'b1', customer: bo, mealDate: start_time, createdAt: start_time },
    { ...booking, ...named, created_at: start_time },
  ],
  ['a time of an invoice', oneOf({ id: 'i1', customer: bo, charge_at: start_time }), { id: 'i1', ...named }],
  ['a time of an arrival beside the start', { id: 'b1', expected_arrival: '2032-05-04T09:45:00Z', booked_from: start_time }, booking],
  [
    'a day and its time, who does it, and a clock',
    { ...booking, service_id: 's1', staff_id: 'x', date: '2032-05-04T00:00:00Z' },
    { ...booking, event_type_id: 's1' },
  ],
  ['whoever booked for a student', { ...booking, ...bo, student: kim }, { ...booking, ...named }],
  ['a contact of a student', { ...booking, contact: bo, students: [{ name: kim.name }] }, { ...booking, ...named }],
  ['what a part says of itself', { ...booking, customer_id: 'c1', session: { status: 'cancelled', created_at: start_time } }, booking],
  ['answers of the staff', { ...booking, staff_custom_fields: { level: '5' } }, booking],
  ['a payment by its reference', { reference_number: 'p1', start_date: start_time }, {}],
  ['a text that has another one', { ok: true, request: JSON.stringify(booking) }, {}],
  ['a limit of those who come', { id: 's1', title: 'Walk', student_limit: 3, schedule: { start: start_time } }, {}],
  ['two such times', oneOf({ id: 'b1', customer: bo, meal_date: start_time, service_time: start_time }), { id: 'b1', ...named }],
  ['such a time that is a day', oneOf({ id: 'b1', customer: bo, meal_date: '2032-05-04T00:00:00' }), { id: 'b1', ...named }],
  [
    'such a time beside an end',
    { id: 'b1', customer: bo, meal_date: start_time, end_time: start_time },
    { id: 'b1', ...named, end_time: start_time },
  ],
  ['such a time where nobody comes', oneOf({ id: 'b1', meal_date: start_time }), { id: 'b1' }],
  ...['booking_date', 'confirmed_at', 'event_time', 'expiry_date', 'pending_at', 'date_of_birth', 'time'].map(
    (name): [string, object, object] => [
      `a time of something else, ${name}`,
      oneOf({ id: 'b1', customer: bo, [name]: start_time }),
      { id: 'b1', ...named },
    ],
  ),
  ['a date, and who does it', { id: 'b1', service_id: 's1', staff_id: 'x', date: start_time }, { ...booking, event_type_id: 's1' }],
  ['what has its times', { id: 'b1', details: { startDate: start_time, tables: ['t'] }, reservee: bo }, { ...booking, ...named }],
  ['what has its times and an id of its own', oneOf({ id: 'b1', schedule: { id: 's1', start: start_time }, customer: bo }), {}],
  [
    'a class that somebody joins',
    { id: 'b1', type: 'reservation', class_session: { id: 'c1', start_datetime: start_time }, user: kim },
    booking,
  ],
  [
    'what has its people as well',
    { id: 'b1', candidate_id: 'c1', event: { start: start_time, attendees: [bo] } },
    { ...booking, ...named },
  ],
  [
    'the one service of a list',
    { ...booking, services: [{ id: 1, title: 'Sauna' }] },
    { ...booking, event_type_id: '1', event_type_name: 'Sauna' },
  ],
  ['two services', { ...booking, services: [{ id: 1 }, { id: 2 }] }, booking],
  ['a reference in place of an id', { referenceNumber: 'b1', startDate: start_time, participants: [] }, booking],
  ['a number of a table', { AptNum: 7, AptDateTime: start_time, PatNum: 9 }, { ...booking, id: '7' }],
  [
    'a document by its name',
    { name: 'b1', doctype: 'Appointment', customer_email: bo.email, scheduled_time: start_time },
    { ...booking, invitee_email: bo.email },
  ],
  ['the name of a delivery', { ...booking, event_name: 'Booking Created' }, booking],
  ['two addresses in one text', { ...booking, guest_email: `${bo.email}, ${kim.email}` }, booking],
  ['a list of one beside an id', { id: 'o1', total: 20, items: [{ id: 'b1', start: start_time }] }, {}],
  ['a file by its key', { key: 'f1', start_time }, {}],
  ...['https://meet.example', 'https://zoom.us/about'].map((location): [string, object, object] => [
    `a page of those who offer meetings, ${location}`,
    { ...booking, location },
    booking,
  ]),
  ['the page of a place', { ...booking, location: { type: 'in_person', value: 'https://lane.example/visit' } }, booking],
  ['an address of a place', { ...booking, location: 'https://lane.example/visit' }, booking],
  ...[
    { type: 'GoogleMeet', value: 'https://meet.example/abc' },
    { value: 'https://us02web.zoom.us/j/1' },
    'https://meet.example/abc',
    'https://whereby.com/lind',
  ].map((location): [string, object, object] => [
    `where it takes place online, ${JSON.stringify(location)}`,
    { ...booking, location },
    { ...booking, meeting_url: typeof location === 'string' ? location : location.value },
  ]),
  ...[
    ['31/12/2031 10:00', '2031-12-31T10:00:00Z'],
    ['12/31/2031 10:00', '2031-12-31T10:00:00Z'],
    ['31-Dec-2031 10:00', '2031-12-31T10:00:00Z'],
    ['05.06.2031 10:00', '2031-06-05T10:00:00Z'],
    ['2031/06/05 10:00:00 +0000', '2031-06-05T10:00:00Z'],
    ['06/06/2031 10:00', '2031-06-06T10:00:00Z'],
  ].map(([start = '', start_time = '']): [string, object, object] => [
    `a day as it is written elsewhere, ${start}`,
    { id: 'b1', start },
    { id: 'b1', start_time },
  ]),
  ['a day that may be the month', { id: 'b1', start: '05/06/2031 10:00' }, { id: 'b1' }],
  ['a day in no month', { id: 'b1', start: '13.13.2031 10:00' }, { id: 'b1' }],
  [
    'fields of its own',
    { ...booking, customFields: { company: 'Lind' } },
    { ...booking, answers: [{ question: 'company', answer: 'Lind' }] },
  ],
  [
    'a prompt and a response',
    { ...booking, form: [{ prompt: 'Towel?', response: 'yes' }] },
    { ...booking, answers: [{ question: 'Towel?', answer: 'yes' }] },
  ],
  [
    'links that say for whom they are',
    { ...booking, participant_cancellation_url: 'https://x.example/c', participant_rescheduling_url: 'https://x.example/r' },
    { ...booking, cancel_url: 'https://x.example/c', reschedule_url: 'https://x.example/r' },
  ],
  [
    'an epoch and its zone',
    { id: 'b1', customer: bo, datePeriod: { from: { timestamp: 1967277600, timezone: 'Europe/Oslo' } } },
    { ...booking, ...named },
  ],
  ['what was sold with it', { ...booking, service_id: 's1', product_name: 'Oil' }, { ...booking, event_type_id: 's1' }],
])('what a service documents, %s, is told, and no more', (_, body, expected) => {
  const record = factsTold('booking', told(reader, { kind: 'booking', body }));
  expect({
    ...record,
    ...('start_time' in record && { start_time: new Date(comparableTime(record['start_time']) ?? '').toISOString().replace('.000Z', 'Z') }),
  }).toEqual(expected);
});
