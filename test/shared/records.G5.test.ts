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
const whole = { ...booking, ...named };
/** What is told where no time is. */
const known = { id: 'b1', ...named };
const end_time = '2032-05-04T10:30:00Z';
const half = { ...booking, end_time };
const made = { created_at: start_time };
const meet = 'https://meet.example/abc';
const zoom = 'https://us02web.zoom.us/j/1';
const organizing = { ...kim, role: 'organizer' };
const attending = { ...bo, role: 'Attendee' };
const attends = { attendee: true, chair: false };
const caring = { ...kim, type: 'care_team' };
const treated = { ...bo, type: 'patient' };
const line = { start: start_time };
const ended = { end_time: start_time };
const confirmed = { id: 'b1', status: 'confirmed' };
const scheduled = { id: 'b1', status: 'Scheduled' };
const relationships = { service: { data: { id: 's1' } }, staff: { data: { id: 'x' } } };
const byRole = { host: { data: { type: 'people', id: '1' } }, customer: { data: { type: 'people', id: '2' } } };
const included = [
  { type: 'people', id: '1', attributes: kim },
  { type: 'users', id: '2', attributes: kim },
  { type: 'people', id: '2', attributes: bo },
];
const when = { start_time: 1967277600, end_time: 1967279400 };
const typed = { event_type_id: 's1' };
const sauna = { ...typed, event_type_name: 'Sauna' };
const towel = { answers: [{ question: 'Towel?', answer: 'yes' }] };
const online = { meeting_url: 'https://z.example/1' };
const hosted = { invitee_name: kim.name, invitee_email: kim.email };
const ofBo = { invitee_name: bo.name };
/** Somebody in an appointment, as FHIR has them. */
const actor = (kind: string, display: string) => ({ actor: { reference: `${kind}/1`, display }, status: 'accepted' });
const [doing, being] = [actor('Practitioner', kim.name), actor('Patient', bo.name)];
const providing = { ...kim, participantRole: 'provider' };
const taking = { ...bo, participantRole: 'patient' };
const invited = { ...bo, type: 'invitee' };
const brought = { ...kim, type: 'guest' };
const booked = { ...booking, status: 'BOOKED' };
const cancelling = { appointment_id: 'b1', appointment_update_type: 'cancelled' };
const midnight = '2032-05-04T00:00:00.000Z';
const netTime = '2032-05-04T10:30:00.0000000';
const horas = { hora_inicio: '10:00', hora_fim: '10:30' };
/** Where only the clock of the end is known. */
const clocks = { ...booking, end_time: '2032-05-04T10:30' };
const paciente = { nombre: 'Bo', apellido: 'Lind', email: bo.email };
const takenPlace = { availabilityId: 'a1', availability: { localDateTimeStart: start_time } };
const reservationFor = { name: 'Walk', startDate: start_time, endDate: end_time };
const group = { bookingStart: start_time, bookingEnd: end_time, service: { id: 's1', name: 'Sauna' } };
const partlyEmpty = { seconds: null, dateTime: end_time, timeZone: null, tz: 'UTC' };
const joining = { ...booking, meeting_url: meet };
const phone = { system: 'phone', value: '+4712345678' };

const toldOf = (body: unknown) => {
  const record = factsTold('booking', told(reader, { kind: 'booking', body }));
  const start = comparableTime(record['start_time']);
  return { ...record, ...('start_time' in record && { start_time: new Date(start ?? '').toISOString().replace('.000Z', 'Z') }) };
};

it.each<[string, object, object]>([
  ['an event type in an object', { event_type_id: '', event_type: { id: 'evt_1' } }, { event_type_id: 'evt_1' }],
  ['two people behind two words', { customer_email: bo.email, contact_name: kim.name }, { invitee_email: bo.email }],
  ['two people who are only counted', { customers: [{ pk: 1 }, { pk: 2 }], email: kim.email, contact: bo }, named],
  ['two addresses of one person', { customer: { primary_email: 'work@lind.example', display_name: 'bo', ...bo } }, named],
  ['a title with an address', { name: '30 Minute Walk', email: bo.email }, { invitee_email: bo.email }],
  ['who has which part in it', { participants: [organizing, attending] }, named],
  ['a title beside a question', { form: [{ name: 'Towel?', title: 'Mr', value: 'yes' }] }, towel],
  ['an address of the meeting itself', { meeting_info: { uri: 'https://x.example/meetings/1' } }, {}],
  ['one service of several that a place has', { services: [{ id: 3, service: { id: 's1', name: 'Sauna' } }] }, sauna],
  ['two services', { services: [{ service: { id: 's1', name: 'Sauna' } }, { service: { id: 's2', name: 'Oil' } }] }, {}],
  ['addresses in a list', { client: { name: bo.name, emails: [{ address: bo.email, primary: true }] } }, named],
  ['a link in what tells of the meeting', { meetingInfo: { channel: 'zoom', meetingLink: 'https://z.example/1' } }, online],
  ['a number for a status, and deleted', { status: 2, deleted: true }, { status: 'CANCELLED' }],
  ['a word for nothing', { appointment_type_name: 'None', service_title: 'Sauna' }, { event_type_name: 'Sauna' }],
  ['a given name beside a surname', { patient: { name: 'Bo', surname: 'Lind' } }, { invitee_name: 'Bo Lind' }],
  ['an invitee who made it', { full_name: 'Bo Lind', email: bo.email, created_by: bo.email }, named],
  ['a host who tries a booking', { customer: kim, host: kim }, hosted],
  ['a guest with the name of the host', { attendees: [{ ...kim, email: bo.email }], organizer: kim }, { ...named, invitee_name: kim.name }],
  ['a host who made it', { attendees: [kim, bo], created_by: kim.email }, named],
  [
    'a form, and the zone elsewhere',
    { customer_timezone: 'Europe/Oslo', form_submission: { ...bo, custom_fields: [{ name: 'Towel?', value: 'yes' }] } },
    { ...named, invitee_timezone: 'Europe/Oslo', ...towel },
  ],
  ['a type by its code', { service: '65c52bf58394e99c6902abf8' }, { event_type_id: '65c52bf58394e99c6902abf8' }],
  ['a type by a word', { service: 'Sauna', event_type: '30min' }, {}],
  ['one of two in the role', { attendees: [caring, treated] }, named],
  ['a guest who stands alone', { guest: bo, organizer: kim }, named],
  ['a guest who is the host', { guest: kim, host_email: kim.email }, {}],
  ['a guest beside a customer who is not shown', { customer_id: 'c1', guest: kim }, {}],
  ['guests of nobody', { guests: [bo] }, {}],
  ['several addresses of one', { client: { name: bo.name, emails: [bo.email, kim.email] } }, named],
  ['a main address', { client: { name: bo.name, emails: [{ address: kim.email }, { address: bo.email, primary: true }] } }, named],
  ['addresses that are told of it', { emails: [kim.email] }, {}],
  ['what is sold with it', { items: [{ name: 'Oil' }, { name: 'Towel' }] }, {}],
  ['a period', { from: '2032-05-01T10:00:00Z', to: '2032-05-09T10:00:00Z' }, {}],
  ['the name of a form', { form_submission: { id: 1, name: 'Intake' } }, {}],
  ['the zone of a contact', { customer: bo, contact_timezone: 'Asia/Tokyo' }, named],
  ['who learns', { learner_first_name: 'Bo', learner_last_name: 'Lind', learner_email: bo.email }, named],
  ['who leads the guests', { lead_guest_name: bo.name, lead_guest_email: bo.email, guests: [kim] }, named],
  ['a place that is a link', { location: { type: 'video', value: 'https://z.example/1' } }, online],
  ['a place on a map', { location: { type: 'place', value: 'https://maps.example.com/?q=1' } }, {}],
  ['an address that is a list', { client: { name: bo.name, email: [bo.email] } }, named],
  ['somebody in a role that only who comes has', { reservee: bo, reserved_by: bo }, named],
  ['the same behind a prefix', { CoworkerFullName: bo.name, CoworkerEmail: bo.email }, named],
  ['a guest behind a prefix', { guest_name: bo.name, guest_email: bo.email, staff_name: kim.name }, named],
  ['a guest behind a prefix, beside a customer who is not shown', { customer_id: 'c1', guest_email: kim.email }, {}],
  ['a guest and a participant', { guest_email: bo.email, participant: { email: kim.email } }, {}],
  ['a patron and the same one', { ownerPatron: bo, dinerPatron: bo }, named],
  ['who an attendee is', { attendees: [{ membership: 'm1', user: bo }] }, named],
  ['whom a customer belongs to', { customers: [{ pk: 1, user: kim }] }, {}],
  ['a day and its time, who does it, and a clock', { service_id: 's1', staff_id: 'x', date: '2032-05-04T00:00:00Z' }, typed],
  ['whoever booked for a student', { ...bo, student: kim }, named],
  ['a contact of a student', { contact: bo, students: [{ name: kim.name }] }, named],
  ['what a part says of itself', { customer_id: 'c1', session: { status: 'cancelled', created_at: start_time } }, {}],
  ['answers of the staff', { staff_custom_fields: { level: '5' } }, {}],
  ['the one service of a list', { services: [{ id: 1, title: 'Sauna' }] }, { event_type_id: '1', event_type_name: 'Sauna' }],
  ['two services', { services: [{ id: 1 }, { id: 2 }] }, {}],
  ['the name of a delivery', { event_name: 'Booking Created' }, {}],
  ['a status with an id of its own', { status: { id: 'st1', descriptor: 'Scheduled' } }, { status: 'Scheduled' }],
  ['a status in a column', { status: { id: 'col', type: 'status', status: { id: 'x', name: 'Confirmed' } } }, { status: 'Confirmed' }],
  ['a status of which only the id is shown', { status: { id: 'st1' } }, { status: { id: 'st1' } }],
  ['a status whose id is a word', { status: { id: 'confirmed' } }, { status: 'confirmed' }],
  ['people by their ids', { participants: { 1: { ...kim, roles: { a: true, owner: true } }, 2: { ...bo, roles: attends } } }, named],
  ['services whose names repeat the word', { services: [{ service_uuid: 's1', service_name: 'Sauna' }] }, sauna],
  ['two addresses in one text', { guest_email: `${bo.email}, ${kim.email}` }, {}],
  ['the page of a place', { location: { type: 'in_person', value: 'https://lane.example/visit' } }, {}],
  ['an address of a place', { location: 'https://lane.example/visit' }, {}],
  ['a page of those who offer meetings', { location: 'https://meet.example' }, {}],
  ['such a page about them', { location: 'https://zoom.us/about' }, {}],
  ['where it takes place, as a kind', { location: { type: 'GoogleMeet', value: meet } }, { meeting_url: meet }],
  ['where it takes place, known by its host', { location: { value: zoom } }, { meeting_url: zoom }],
  ['where it takes place', { location: meet }, { meeting_url: meet }],
  ['a room of its own', { location: 'https://whereby.com/lind' }, { meeting_url: 'https://whereby.com/lind' }],
  ['fields of its own', { customFields: { company: 'Lind' } }, { answers: [{ question: 'company', answer: 'Lind' }] }],
  ['a prompt and a response', { form: [{ prompt: 'Towel?', response: 'yes' }] }, towel],
  [
    'links that say for whom they are',
    { participant_cancellation_url: 'https://x.example/c', participant_rescheduling_url: 'https://x.example/r' },
    { cancel_url: 'https://x.example/c', reschedule_url: 'https://x.example/r' },
  ],
  ['what was sold with it', { service_id: 's1', product_name: 'Oil' }, typed],
  [
    'what a program keeps beside answers',
    { custom_fields: { crm_id: 'a8', synced: true, utm_source: 'ads', 'Agreed?': true, company: 'Lind' } },
    {
      answers: [
        { question: 'company', answer: 'Lind' },
        { question: 'Agreed?', answer: true },
      ],
    },
  ],
  ['one answer in place of a list', { custom_field_values: { question_id: '7', type: 'text', name: 'Towel?', value: 'yes' } }, towel],
  ['a line that names its service', { services: [{ id: 'l1', service: 's1', name: 'Cut' }] }, { event_type_name: 'Cut' }],
  ['a line with a time of its own', { services: [{ id: 'l1', starts_at: start_time }] }, {}],
  ['a type beside what else is done', { reservation_type: { id: 2 }, services: [{ id: 7, name: 'Bath' }] }, { event_type_id: '2' }],
  ['a guest of a member', { member_id: 'm1', guest_email: bo.email }, {}],
  ['whom a teacher teaches', { teacher: { id: 'p1', name: kim.name }, user: bo }, named],
  ['a host beside the provider of a calendar', { provider: 'google', user: kim }, {}],
  ['who has checked in', { checked_in: false, member: bo }, named],
  ['a user whom nobody serves', { user: kim, organizer: bo }, {}],
  ['somebody among a practitioner and a place', { participant: [doing, being, actor('Location', 'Shed')] }, ofBo],
  ['two patients', { participant: [actor('Patient', kim.name), being] }, {}],
  ['a citizen', { citizen_name: bo.name, citizen_id: 7, office: { email: kim.email } }, ofBo],
  ['a reference to somebody', { candidateReference: { id: 7, firstName: 'Bo', lastName: 'Lind' }, owner: kim }, ofBo],
  ['a role of a participant', { participants: [providing, taking] }, named],
  ['a guest of the invitee', { attendees: [invited, brought] }, named],
  ["a pet's owner", { animal: { id: 'a1', name: 'Rex' }, owner: bo }, named],
  ['an owner without a pet', { owner: bo }, {}],
  [
    'what ids stand for',
    { serviceId: { _id: 's1', name: 'Sauna' }, customerId: { _id: 'c1', ...bo }, staffId: kim },
    { ...named, ...sauna },
  ],
  ['a type with names of its own', { service: { service_id: 's1', service_name: 'Sauna' } }, sauna],
  ['the status of a visit', { visitStatus: 'UPCOMING', paymentStatus: 'DUE' }, { status: 'UPCOMING' }],
  ['a status in words of its own', { AptStatus: 'Broken' }, { status: 'Broken' }],
  ['a conference', { conference: { type: 'zoom', url: 'https://z.example/1' } }, online],
  ['data in English', { data_state: 'SP', data: { id: 'x1' } }, {}],
  ['the state of an address', { estado: 'SP' }, {}],
  ['a status with a name in capitals', { Status: { ID: 6, Name: 'Cancelled' } }, { status: 'Cancelled' }],
  ["a field of a user's own in Spanish", { fecha_inicio: end_time, fecha_fin: end_time, data_id: '7' }, {}],
  ['the state of a class and of a place', { class_status: 'OPEN', visit_state: 'Texas' }, {}],
  ['who booked for guests', { booker: kim, guests: [bo, kim] }, {}],
  ['names that repeat who it is', { customer: { customer_name: bo.name, customer_email: bo.email } }, named],
  ['whoever reserved, beside the same user', { user: bo, reserver_name: bo.name, reserver_email: bo.email }, named],
  ['a person in a room', { room: { id: 'r1', name: 'Hall' }, person: bo }, named],
  ['users beside agents', { agents: [kim], users: [bo] }, named],
  ['users alone', { users: [kim] }, {}],
  ['the member of an office', { resource_id: 'r1', office: 'o1', member: bo }, named],
  ['a member with a resource', { resource: { id: 'r1' }, member: kim }, {}],
])('a booking with what a service documents, %s, is told with that, and no more', (_, beside, expected) => {
  expect(toldOf({ ...booking, ...beside })).toEqual({ ...booking, ...expected });
});

it.each<[string, object, object]>([
  ['a time in what was booked', { id: 'b1', slot: { start_sec: '1967277600', service_id: 's1' }, customer: bo }, { ...whole, ...typed }],
  ['from and till', { id: 'b1', booked_from: start_time, booked_till: end_time }, half],
  ['from and until', { id: 'b1', from: start_time, until: end_time }, half],
  ['the visit of a job', { UUID: 'b1', JobDateTime: start_time, JobEndDateTime: end_time, JobTotalPrice: 20 }, half],
  ['a date with a time, and a length', { id: 'b1', date: '2032-05-04 12:00:00 +0200', length: 30, ...made }, { ...booking, ...made }],
  ['what it takes, beside who comes', { id: 'b1', when, attendee: bo }, { ...whole, end_time }],
  ['what is free, and for whom', { id: 's1', slot: { start: start_time }, provider: kim }, {}],
  ['seconds in an object', { id: 'b1', start: { _seconds: 1967277600, _nanoseconds: 0 } }, booking],
  [
    'a day and its time',
    { id: 'b1', start_date: '2032-05-04', start_time: '12:00', timezone: 'Europe/Oslo', end_date: '2032-05-04', end_time: '12:30:00' },
    { ...booking, end_time: '2032-05-04T12:30:00+02:00' },
  ],
  ['a day that is due, in no zone', { id: 'b1', subject: 'Call', due_date: '2032-05-04', due_time: '10:00', duration: '00:30' }, booking],
  ['a day, and a time of day as people write it', { id: 'b1', start_date: '2032-05-04', start_time: '9:30am' }, { id: 'b1' }],
  ['a day, and a length', { id: 'b1', date: '2032-05-04', length: 30, ...made }, { id: 'b1', ...made }],
  ['what it is related to', { id: 'b1', type: 'bookings', attributes: { starts_at: start_time }, relationships }, { ...booking, ...typed }],
  ['a reminder that is planned', { id: 'm1', type: 'reminder', scheduled_at: start_time, booking_id: 'b1', created_at: start_time }, {}],
  ['UTC by its name alone', { id: 'b1', start_time: '2032-05-04T12:00:00', start_time_utc: '2032-05-04T10:00:00' }, booking],
  ['facts in attributes', { id: 'b1', type: 'bookings', attributes: { starts_at: start_time, customer: bo } }, whole],
  ['a place in a waiting list', { id: 'w1', service: { id: 's1', name: 'Canoe' }, customer: bo, waitlist_position: 2 }, {}],
  ['hours bought ahead', { id: 'p1', service_id: 's1', client: bo, credits: 5, status: 'active' }, {}],
  ['who cancelled it', oneOf({ id: 'b1', invitee_email: bo.email, cancelled_by: 'host' }), { id: 'b1', invitee_email: bo.email }],
  ['what was paid for it', oneOf({ id: 'b1', customer: bo, reference: 'A-1', amount: 20 }), known],
  ['a customer beside the booking', { event: 'made', customer: bo, staff: kim, appointment: booking }, whole],
  ['a customer beside another invitee', { customer: kim, appointment: { ...booking, invitee: bo } }, whole],
  ['a guest in the booking, whose customer stands beside it', { customer: bo, appointment: { ...booking, guest: kim } }, whole],
  ['a service beside the booking, in words', { service: 'Bright Days', appointment: booking }, booking],
  ['people that are included', { ...oneOf({ ...booking, relationships: byRole }), included }, whole],
  ['a day, and a time of day', { id: 'b1', date: '2032-05-04', time: '10:00', timezone: 'UTC' }, booking],
  ['a date that may be that of the sale', { ...confirmed, customer: bo, date: start_time, length: 30 }, { ...confirmed, ...named }],
  ['the one line of an order', { order_number: 'b1', customer: bo, items: [line] }, whole],
  ['two lines of an order', { order_number: 'o1', status: 'confirmed', customer: bo, items: [line, line] }, {}],
  ['what happened before', { log: [{ by: 'x', event: booking }] }, {}],
  ['one line of an order', { id: 'o1', items: [line], customer: bo }, {}],
  ['a calendar', { id: 'c1', name: 'Main', availability: { start_at: start_time } }, {}],
  ['work with attributes', { id: 'j1', type: 'job', attributes: { start_time } }, {}],
  ['the day of a visit', { id: 'b1', VisitDate: '2032-05-04T00:00:00', VisitTime: '10:00:00' }, booking],
  [
    'a day with two times',
    { id: 'b1', booking_date: '2032-05-04', start_time: '10:00:00', end_time: '10:30:00' },
    { ...booking, end_time: '2032-05-04T10:30:00' },
  ],
  ['a time on the next day', { id: 'b1', date: '2032-05-04', start_time: '10:00', end_time: '01:30' }, booking],
  ['a time for so many', { id: 'b1', time: start_time, party_size: 4 }, booking],
  ['a time of what happened', oneOf({ id: 'b1', time: start_time, customer: bo }), known],
  ['the one time that no word explains', { id: 'b1', customer: bo, mealDate: start_time, createdAt: start_time }, { ...whole, ...made }],
  ['a time of an invoice', oneOf({ id: 'i1', customer: bo, charge_at: start_time }), { id: 'i1', ...named }],
  ['a time of an arrival beside the start', { id: 'b1', expected_arrival: '2032-05-04T09:45:00Z', booked_from: start_time }, booking],
  ['a payment by its reference', { reference_number: 'p1', start_date: start_time }, {}],
  ['a text that has another one', { ok: true, request: JSON.stringify(booking) }, {}],
  ['a limit of those who come', { id: 's1', title: 'Walk', student_limit: 3, schedule: { start: start_time } }, {}],
  ['two such times', oneOf({ id: 'b1', customer: bo, meal_date: start_time, service_time: start_time }), known],
  ['such a time that is a day', oneOf({ id: 'b1', customer: bo, meal_date: '2032-05-04T00:00:00' }), known],
  ['such a time beside an end', { id: 'b1', customer: bo, meal_date: start_time, ...ended }, { ...known, ...ended }],
  ['such a time where nobody comes', oneOf({ id: 'b1', meal_date: start_time }), { id: 'b1' }],
  ...['booking_date', 'confirmed_at', 'event_time', 'expiry_date', 'pending_at', 'date_of_birth', 'time'].map(
    (name): [string, object, object] => [`a time of something else, ${name}`, oneOf({ id: 'b1', customer: bo, [name]: start_time }), known],
  ),
  ['what has its times', { id: 'b1', details: { startDate: start_time, tables: ['t'] }, reservee: bo }, whole],
  [
    'what has its times and an id of its own',
    oneOf({ id: 'b1', schedule: { id: 's1', start: start_time }, customer: bo }),
    { id: 'b1', ...named },
  ],
  ['what has its people as well', { id: 'b1', candidate_id: 'c1', event: { start: start_time, attendees: [bo] } }, whole],
  ['a reference in place of an id', { referenceNumber: 'b1', startDate: start_time, participants: [] }, booking],
  ['a number of a table', { AptNum: 7, AptDateTime: start_time, PatNum: 9 }, { ...booking, id: '7' }],
  [
    'a document by its name',
    { name: 'b1', doctype: 'Appointment', customer_email: bo.email, scheduled_time: start_time },
    { ...booking, invitee_email: bo.email },
  ],
  ['a list of one beside an id', { id: 'o1', total: 20, items: [{ id: 'b1', start: start_time }] }, {}],
  ['a file by its key', { key: 'f1', start_time }, {}],
  ['a day as it is written elsewhere', { id: 'b1', start: '31/12/2031 10:00' }, { id: 'b1', start_time: '2031-12-31T10:00:00Z' }],
  ['a day as it is written elsewhere', { id: 'b1', start: '12/31/2031 10:00' }, { id: 'b1', start_time: '2031-12-31T10:00:00Z' }],
  ['a day as it is written elsewhere', { id: 'b1', start: '31-Dec-2031 10:00' }, { id: 'b1', start_time: '2031-12-31T10:00:00Z' }],
  ['a day as it is written elsewhere', { id: 'b1', start: '05.06.2031 10:00' }, { id: 'b1', start_time: '2031-06-05T10:00:00Z' }],
  ['a day as it is written elsewhere', { id: 'b1', start: '2031/06/05 10:00:00 +0000' }, { id: 'b1', start_time: '2031-06-05T10:00:00Z' }],
  ['a day as it is written elsewhere', { id: 'b1', start: '06/06/2031 10:00' }, { id: 'b1', start_time: '2031-06-06T10:00:00Z' }],
  ['a day that may be the month', { id: 'b1', start: '05/06/2031 10:00' }, { id: 'b1' }],
  ['a day in no month', { id: 'b1', start: '13.13.2031 10:00' }, { id: 'b1' }],
  ['an epoch and its zone', { id: 'b1', customer: bo, datePeriod: { from: { timestamp: 1967277600, timezone: 'Europe/Oslo' } } }, whole],
  ['a shift', oneOf({ id: 'b1', user: kim, session: { start_time, end_time: start_time } }), {}],
  ['a visit that is reviewed', { id: 'b1', customer: bo, visit_date: start_time, rating: 5 }, {}],
  ['a visit that is to be paid', { id: 'b1', customer: bo, visit_date: start_time, due_date: '2032-06-01' }, {}],
  ['two parts with times', { id: 'b1', customer: bo, slot: { start_time }, event: { start_time: '2033-01-01T10:00:00Z' } }, {}],
  [
    'a day of an invoice',
    { id: 'b1', due_date: '2033-01-01', appointment_date: '2032-05-04', start_time: '10:00:00.000', timezone: 'UTC' },
    booking,
  ],
  ['an appointment of a booking', { booking_id: 'x1', appointment_id: 'b1', start_time }, booking],
  ['what is said of the answer', { status: 'success', booking }, booking],
  ['a part with an id of its own', oneOf({ ...scheduled, interview_events: [{ id: 'v1', start_time }] }), scheduled],
  ['its times, and an empty field', { id: 'b1', notes: [], customer: bo, schedule: { scheduled_start: start_time } }, whole],
  ['a guest around it', { guest: bo, appointments: [booking] }, whole],
  [
    'a word for nothing as a name',
    { ...booking, customer: { name: 'N/A', email: bo.email }, cancelled_at: '-' },
    { ...booking, invitee_email: bo.email },
  ],
  [
    'a name that programs write in small letters for nothing, and one that begins as a time does',
    { ...booking, customer: { name: 'Nil', email: bo.email }, service_name: '0001-Sauna' },
    { ...booking, invitee_name: 'Nil', invitee_email: bo.email, event_type_name: '0001-Sauna' },
  ],
  ['another booking in one that shows who comes', { id: 'b1', customer: kim, follow_up: { id: 'b2', start_time, customer: bo } }, {}],
  [
    'what a guest and a host answered',
    { ...booking, guests: [{ ...bo, answers: [{ question: 'Diet', answer: 'none' }] }], hosts: [{ ...kim, answers: { Bio: 'x' } }] },
    booking,
  ],
  ['a time of PHP', { id: 'b1', start: { date: '2032-05-04 12:00:00.000000', timezone_type: 3, timezone: 'Europe/Oslo' } }, booking],
  [
    'names that say when first',
    { id: 'b1', dateBegin: 1967277600000, dateEnd: 1967279400000, dateAdded: start_time },
    { ...half, ...made },
  ],
  [
    'a name in one word',
    { activityid: 'b1', scheduledstart: start_time, scheduledend: end_time, createdon: start_time },
    { ...half, ...made },
  ],
  [
    'a count in an object',
    { id: 'b1', time_start: { sec: 1967277600, usec: 0 }, attended: false, user_name: bo.name },
    { ...booking, ...ofBo },
  ],
  ['attributes of an order', { id: 'b1', type: 'orders', attributes: { starts_at: start_time, stops_at: end_time } }, half],
  ['attributes of an interview', { id: 'b1', type: 'interviews', attributes: { 'starts-at': start_time } }, booking],
  ['attributes of a place that is free', { id: 'b1', type: 'slots', attributes: { starts_at: start_time } }, {}],
  ['a time and another one as a clock', { id: 'b1', customer: bo, appointmentDate: start_time, appointmentTime: '12:00' }, known],
  [
    'a day as midnight, and a clock',
    { id: 'b1', customer: bo, date: midnight, timeSlot: { startTime: '10:00', endTime: '10:30' } },
    { ...clocks, ...named },
  ],
  ['when somebody is free', oneOf({ id: 'b1', customer: bo, availability: { start: start_time, end: end_time } }), known],
  [
    'the availability that was taken',
    { id: 'b1', contact: bo, ...takenPlace, product: { id: 's1', internalName: 'Sauna' } },
    { ...whole, ...sauna },
  ],
  ['what it is for, as search engines know it', { reservationId: 'b1', underName: bo, reservationFor }, { ...whole, end_time }],
  ['what happened to an appointment', { id: 'evt_1', type: 'appointment.updated', resource: booked }, booked],
  ['data of an appointment', oneOf({ data_type: 'appointment_data', appointment_data: cancelling }), { id: 'b1' }],
  ['a list that has only it', { visits_of_today: [{ ...booking, state: 'BOOKED' }] }, booked],
  [
    'an order with one booking',
    { bookingId: 'o1', customer: bo, activityBookings: [{ bookingId: 'b1', startDateTime: start_time }] },
    whole,
  ],
  [
    'an appointment with one booking',
    { id: 'a1', ...group, bookings: [{ ...confirmed, customer: bo }] },
    { ...confirmed, ...half, ...named, ...sauna },
  ],
  ['when somebody works', { shift: { id: 'x1', start: start_time, end: end_time }, appointment: { id: 'b1', customer: bo } }, known],
  ['an appointment in Spanish', { id: 'b1', fecha_hora: start_time, estado: 'cancelada', paciente }, { ...whole, status: 'cancelada' }],
  ['a day and clocks in Portuguese', { id: 'b1', nome_cliente: bo.name, data_agendamento: '2032-05-04', ...horas }, { ...clocks, ...ofBo }],
  [
    'times of .NET, in capitals',
    { ID: 'b1', StartDateTime: '/Date(1967277600000-0500)/', End: { DateTime: netTime, TimeZone: 'UTC' } },
    half,
  ],
  ['times of which some are empty', { id: 'b1', start: { date: '2032-05-04', utc: start_time }, end: partlyEmpty }, half],
  ['an arrival and a departure', { id: 'b1', arrival: start_time, departure: end_time, room: { id: 'r1' } }, half],
  ['an arrival alone', { id: 'b1', arrival: start_time, room: { id: 'r1' } }, {}],
  ['a flight', { ...confirmed, departure: start_time, arrival: end_time, customer: bo }, { ...confirmed, ...named }],
  [
    'a ride to a flight',
    { id: 'b1', date: '2032-05-04', time: '10:00', arrival_time: end_time, departure_time: end_time, customer: bo },
    whole,
  ],
  ['the meeting of an interview', { meeting_id: 'm1', job_title: 'Cook', start_time, candidate: bo }, {}],
  ['a number of a firm', { registration_id: 'v1', customer: bo, appointment: booking }, whole],
  ['an instance of an event', { id: 'b1', type: 'EventInstance', attributes: { starts_at: start_time } }, booking],
  [
    'a registration for an event',
    { RegistrationID: 'b1', Contact: bo, Event: { EventID: 'e1', Code: 'HT', StartDateTime: start_time } },
    whole,
  ],
  ['a result', { status: 'success', result: { ...confirmed, guest_email: bo.email } }, { ...confirmed, invitee_email: bo.email }],
  ['what an event has', { subscription_id: 's1', event: { id: 'e1', action: 'created', data: { ...booking, customer: bo } } }, whole],
  [
    'a meeting with a link, beside a tenant',
    { action: 'booked', meeting: { ...booking, conference_url: meet }, tenant: { id: 't1' } },
    joining,
  ],
  ['a stay', { _id: 'b1', checkIn: start_time, checkOut: end_time, listingId: 'l1', guest: bo }, { ...half, ...named }],
  ['when somebody came and went', { ...booking, check_in: end_time, check_out: end_time, room: 'R1', customer: bo }, whole],
  ['the same of a viewing', { id: 'b1', appointment_at: start_time, listing_id: 'l1', check_in: end_time, check_out: end_time }, {}],
  ['when somebody was there', { ...confirmed, check_in: start_time, check_out: end_time, customer: bo }, { ...confirmed, ...named }],
  ['a slot that was taken', { ...confirmed, slot_start: start_time, student_name: bo.name }, { ...confirmed, start_time, ...ofBo }],
  ['a viewing', { id: 'b1', applicant_name: bo.name, viewing_date: '2032-05-04', viewing_time: '10:00:00' }, { ...booking, ...ofBo }],
  ['a slot', { id: 'b1', date: '2032-05-04', customer: bo, timeSlot: { start: '10:00', end: '10:30' } }, { ...clocks, ...named }],
  ['a ride', { ...confirmed, passenger: bo, scheduled_at: start_time }, { ...whole, status: 'confirmed' }],
  ['a reminder', { ...confirmed, customer: bo, scheduled_at: start_time }, { ...confirmed, ...named }],
  [
    'times of calendars',
    { uid: 'b1', dateandtime: { start: '20320504T100000Z', end: '20320504T103000Z' }, attendees: [bo] },
    { ...half, ...named },
  ],
  [
    'a local time beside its zone',
    { id: 'b1', start: '2032-05-04T05:00:00', timeZone: 'America/Chicago', duration: 'PT30M', participants: {} },
    booking,
  ],
  ['times and ids of databases', { _id: { $oid: 'b1' }, start: { __type: 'Date', iso: start_time }, end: { $date: end_time } }, half],
  ['the id of another thing', { object_id: 'x1', reference: 'b1', start_time, customer: bo }, whole],
  ['a coupon', { code: 'c1', start_date: start_time, persons: 2 }, {}],
  [
    'fields of a table',
    { id: 'b1', createdTime: start_time, fields: { Name: bo.name, Email: bo.email, 'Start Time': start_time } },
    { ...whole, ...made },
  ],
  ['a message in base64', { message: { data: btoa(JSON.stringify(whole)), messageId: '1' }, subscription: 's' }, whole],
  ['a message as text', { Type: 'Notification', MessageId: '1', Message: JSON.stringify(whole) }, whole],
  ['a message that is no base64', { ...booking, message: 'eyab====' }, booking],
  ['a message that is only text', { MessageId: '1', Message: 'The booking was made', id: 'x1' }, {}],
  ['what an event with an id has', { id: 'x1', detail: { id: 'x2', event_type: 'Booking.Created', data: whole } }, whole],
  ['a status around it', { status: 'cancelled', booking }, { ...booking, status: 'cancelled' }],
  ['a status of the answer', { status: 'active', booking }, booking],
])('what a service documents, %s, is told, and no more', (_, body, expected) => {
  expect(toldOf(body)).toEqual(expected);
});

const ofPatient = { name: [{ use: 'official', family: 'Lind', given: ['Bo'] }], telecom: [phone, { system: 'email', value: bo.email }] };

it.each<[string, object]>([
  ['a patient of FHIR', { resourceType: 'Patient', id: 'c1', ...ofPatient }],
  ['names in one word, with numbers', { contactid: 'c1', fullname: bo.name, emailaddress1: bo.email, telephone1: phone.value }],
  ['telephones', { id: 'c1', ...bo, telephones: [{ telephone: phone.value, type: 'MOBILE' }] }],
])('a contact, %s, is read', (_, body) => {
  const contact = { id: 'c1', ...bo, phone: phone.value };
  expect(factsTold('contact', told(reader, { kind: 'contact', body }))).toEqual(contact);
});
