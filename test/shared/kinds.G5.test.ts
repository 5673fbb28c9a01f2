import { reader } from '../../shared/reading/index.ts';
import { comparableTime } from '../../shared/time/time.ts';
import { factsTold, told } from '../support/forms.ts';
import { oneOf } from '../support/wire.ts';

// Kinds of places in a booking (G5) that several services have, and what only looks like one. Settling G5 deletes this file.

const start_time = '2032-05-04T10:00:00Z';
const end_time = '2032-05-04T10:30:00Z';
const booking = { id: 'b1', start_time };
const times = { ...booking, end_time };
const bo = { name: 'Bo Lind', email: 'bo@lind.example' };
const kim = { name: 'Kim Hall', email: 'kim@hall.example' };
const named = { invitee_name: 'Bo Lind', invitee_email: bo.email };

/** Somebody in an appointment, as FHIR has them. */
const actor = (kind: string, display: string) => ({ actor: { reference: `${kind}/1`, display }, status: 'accepted' });

it.each<[string, object, object]>([
  // Times
  [
    'names that say when first',
    { id: 'b1', dateBegin: 1967277600000, dateEnd: 1967279400000, dateAdded: start_time },
    { ...times, created_at: start_time },
  ],
  [
    'a name in one word',
    { activityid: 'b1', scheduledstart: start_time, scheduledend: end_time, createdon: start_time },
    { ...times, created_at: start_time },
  ],
  [
    'a count in an object',
    { id: 'b1', time_start: { sec: 1967277600, usec: 0 }, attended: false, user_name: bo.name },
    { ...booking, invitee_name: bo.name },
  ],
  ['attributes of an order', { id: 'b1', type: 'orders', attributes: { starts_at: start_time, stops_at: end_time } }, times],
  ['attributes of an interview', { id: 'b1', type: 'interviews', attributes: { 'starts-at': start_time } }, booking],
  ['attributes of a place that is free', { id: 'b1', type: 'slots', attributes: { starts_at: start_time } }, {}],
  [
    'a time and another one as a clock',
    { id: 'b1', customer: bo, appointmentDate: start_time, appointmentTime: '12:00' },
    { id: 'b1', ...named },
  ],
  [
    'a day as midnight, and a clock',
    { id: 'b1', customer: bo, date: '2032-05-04T00:00:00.000Z', timeSlot: { startTime: '10:00', endTime: '10:30' } },
    { ...times, ...named },
  ],
  ['when somebody is free', oneOf({ id: 'b1', customer: bo, availability: { start: start_time, end: end_time } }), { id: 'b1', ...named }],
  [
    'the availability that was taken',
    {
      id: 'b1',
      contact: bo,
      availabilityId: 'a1',
      availability: { localDateTimeStart: start_time },
      product: { id: 'p1', internalName: 'Canal Walk' },
    },
    { ...booking, ...named, event_type_id: 'p1', event_type_name: 'Canal Walk' },
  ],
  [
    'what it is for, as search engines know it',
    { reservationId: 'b1', underName: bo, reservationFor: { name: 'Walk', startDate: start_time, endDate: end_time } },
    { ...times, ...named },
  ],
  // People
  [
    'somebody among a practitioner and a place',
    { ...booking, participant: [actor('Practitioner', kim.name), actor('Patient', bo.name), actor('Location', 'Shed')] },
    { ...booking, invitee_name: bo.name },
  ],
  ['two patients', { ...booking, participant: [actor('Patient', kim.name), actor('Patient', bo.name)] }, booking],
  ['a citizen', { ...booking, citizen_name: bo.name, citizen_id: 7, office: { email: kim.email } }, { ...booking, invitee_name: bo.name }],
  [
    'a reference to somebody',
    { ...booking, candidateReference: { id: 7, firstName: 'Bo', lastName: 'Lind' }, owner: kim },
    { ...booking, invitee_name: bo.name },
  ],
  [
    'a role of a participant',
    {
      ...booking,
      participants: [
        { ...kim, participantRole: 'provider' },
        { ...bo, participantRole: 'patient' },
      ],
    },
    { ...booking, ...named },
  ],
  [
    'a guest of the invitee',
    {
      ...booking,
      attendees: [
        { ...bo, type: 'invitee' },
        { ...kim, type: 'guest' },
      ],
    },
    { ...booking, ...named },
  ],
  ["a pet's owner", { ...booking, animal: { id: 'a1', name: 'Rex' }, owner: bo }, { ...booking, ...named }],
  ['an owner without a pet', { ...booking, owner: bo }, booking],
  [
    'what ids stand for',
    { ...booking, serviceId: { _id: 's1', name: 'Cut' }, customerId: { _id: 'c1', ...bo }, staffId: kim },
    { ...booking, ...named, event_type_id: 's1', event_type_name: 'Cut' },
  ],
  // What was booked, its status and its link
  [
    'a type with names of its own',
    { ...booking, service: { service_id: 's1', service_name: 'Licence' } },
    { ...booking, event_type_id: 's1', event_type_name: 'Licence' },
  ],
  ['the status of a visit', { ...booking, visitStatus: 'UPCOMING', paymentStatus: 'DUE' }, { ...booking, status: 'UPCOMING' }],
  ['a status in words of its own', { ...booking, AptStatus: 'Broken' }, { ...booking, status: 'Broken' }],
  [
    'a conference',
    { ...booking, conference: { type: 'zoom', url: 'https://z.example/1' } },
    { ...booking, meeting_url: 'https://z.example/1' },
  ],
  // Around it
  [
    'what happened to an appointment',
    { id: 'evt_1', type: 'appointment.updated', resource: { ...booking, status: 'BOOKED' } },
    { ...booking, status: 'BOOKED' },
  ],
  [
    'data of an appointment',
    oneOf({ data_type: 'appointment_data', appointment_data: { appointment_id: 'b1', appointment_update_type: 'cancelled' } }),
    { id: 'b1' },
  ],
  ['a list that has only it', { visits_of_today: [{ ...booking, state: 'booked' }] }, { ...booking, status: 'booked' }],
  [
    'an order with one booking',
    { bookingId: 'o1', customer: bo, activityBookings: [{ bookingId: 'b1', startDateTime: start_time }] },
    { ...booking, ...named },
  ],
  [
    'an appointment with one booking',
    {
      id: 'a1',
      bookingStart: start_time,
      bookingEnd: end_time,
      service: { id: 's1', name: 'Cut' },
      bookings: [{ id: 'b1', status: 'approved', customer: bo }],
    },
    { ...times, ...named, status: 'approved', event_type_id: 's1', event_type_name: 'Cut' },
  ],
  [
    'when somebody works',
    { shift: { id: 'x1', start: start_time, end: end_time }, appointment: { id: 'b1', customer: bo } },
    { id: 'b1', ...named },
  ],
  // Whatever the language, the table and the form of a time
  [
    'an appointment in Spanish',
    { id: 'b1', fecha_hora: start_time, estado: 'cancelada', paciente: { nombre: 'Bo', apellido: 'Lind', email: bo.email } },
    { ...booking, ...named, status: 'cancelada' },
  ],
  [
    'a day and clocks in Portuguese',
    { id: 'b1', nome_cliente: bo.name, data_agendamento: '2032-05-04', hora_inicio: '10:00', hora_fim: '10:30' },
    { ...times, invitee_name: bo.name },
  ],
  ['data in English', { data_state: 'SP', data: { id: 'x1' }, ...booking }, booking],
  ['the state of an address', { ...booking, estado: 'SP' }, booking],
  [
    'times of .NET, in capitals',
    { ID: 'b1', StartDateTime: '/Date(1967277600000-0500)/', End: { DateTime: '2032-05-04T10:30:00.0000000', TimeZone: 'UTC' } },
    times,
  ],
  ['a status with a name in capitals', { ...booking, Status: { ID: 6, Name: 'Cancelled' } }, { ...booking, status: 'Cancelled' }],
  [
    'times of which some are empty',
    { id: 'b1', start: { date: '2032-05-04', utc: start_time }, end: { seconds: null, dateTime: end_time, timeZone: null, tz: 'UTC' } },
    times,
  ],
  ["a field of a user's own in Spanish", { ...booking, fecha_inicio: end_time, fecha_fin: end_time, data_id: '7' }, booking],
  ['the state of a class and of a place', { ...booking, class_status: 'OPEN', visit_state: 'Texas' }, booking],
  ['an arrival and a departure', { id: 'b1', arrival: start_time, departure: end_time, room: { id: 'r1' } }, times],
  ['an arrival alone', { id: 'b1', arrival: start_time, room: { id: 'r1' } }, {}],
  [
    'a flight',
    { id: 'b1', status: 'confirmed', departure: start_time, arrival: end_time, customer: bo },
    { id: 'b1', status: 'confirmed', ...named },
  ],
  [
    'a ride to a flight',
    { id: 'b1', date: '2032-05-04', time: '10:00', arrival_time: end_time, departure_time: end_time, customer: bo },
    { ...booking, ...named },
  ],
  ['the meeting of an interview', { meeting_id: 'm1', job_title: 'Cook', start_time, candidate: bo }, {}],
  ['a number of a firm', { registration_id: 'v1', customer: bo, appointment: booking }, { ...booking, ...named }],
  ['who booked for guests', { ...booking, booker: kim, guests: [bo, kim] }, booking],
  ['an instance of an event', { id: 'b1', type: 'EventInstance', attributes: { starts_at: start_time } }, booking],
  // Who comes, and in what
  ['names that repeat who it is', { ...booking, customer: { customer_name: bo.name, customer_email: bo.email } }, { ...booking, ...named }],
  [
    'whoever reserved, beside the same user',
    { ...booking, user: bo, reserver_name: bo.name, reserver_email: bo.email },
    { ...booking, ...named },
  ],
  ['a person in a room', { ...booking, room: { id: 'r1', name: 'Hall' }, person: bo }, { ...booking, ...named }],
  ['users beside agents', { ...booking, agents: [kim], users: [bo] }, { ...booking, ...named }],
  ['users alone', { ...booking, users: [kim] }, booking],
  ['the member of an office', { ...booking, resource_id: 'r1', office: 'o1', member: bo }, { ...booking, ...named }],
  ['a member with a resource', { ...booking, resource: { id: 'r1' }, member: kim }, booking],
  [
    'a registration for an event',
    { RegistrationID: 'b1', Contact: bo, Event: { EventID: 'e1', Code: 'HT', StartDateTime: start_time } },
    { ...times, ...named, end_time: undefined },
  ],
  [
    'a result',
    { status: 'success', result: { id: 'b1', guest_email: bo.email, status: 'cancelled' } },
    { id: 'b1', invitee_email: bo.email, status: 'cancelled' },
  ],
  [
    'what an event has',
    { subscription_id: 's1', event: { id: 'e1', action: 'created', data: { ...booking, customer: bo } } },
    { ...booking, ...named },
  ],
  [
    'a meeting with a link, beside a tenant',
    { action: 'booked', meeting: { ...booking, conference_url: 'https://meet.example/1' }, tenant: { id: 't1' } },
    { ...booking, meeting_url: 'https://meet.example/1' },
  ],
  ['a status around it', { status: 'cancelled', booking }, { ...booking, status: 'cancelled' }],
  ['a status of the answer', { status: 'active', booking }, booking],
])('what several services document, %s, is told, and no more', (_, body, expected) => {
  const record = factsTold('booking', told(reader, { kind: 'booking', body }));
  const asTime = (name: string) =>
    name in record && { [name]: new Date(comparableTime(record[name]) ?? '').toISOString().replace('.000Z', 'Z') };
  expect({ ...record, ...asTime('start_time'), ...asTime('end_time'), ...asTime('created_at') }).toEqual(expected);
});

it.each<[string, object, object]>([
  [
    'a patient of FHIR',
    {
      resourceType: 'Patient',
      id: 'c1',
      name: [{ use: 'official', family: 'Lind', given: ['Bo'] }],
      telecom: [
        { system: 'phone', value: '+4712345678' },
        { system: 'email', value: bo.email },
      ],
    },
    { id: 'c1', ...bo, phone: '+4712345678' },
  ],
  [
    'names in one word, with numbers',
    { contactid: 'c1', fullname: bo.name, emailaddress1: bo.email, telephone1: '+4712345678' },
    { id: 'c1', ...bo, phone: '+4712345678' },
  ],
  [
    'telephones',
    { id: 'c1', ...bo, telephones: [{ telephone: '+4712345678', type: 'MOBILE' }] },
    { id: 'c1', ...bo, phone: '+4712345678' },
  ],
])('a contact, %s, is read', (_, body, expected) => {
  expect(factsTold('contact', told(reader, { kind: 'contact', body }))).toEqual(expected);
});
