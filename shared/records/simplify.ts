import { deliveryFields, recordTables, type Delivered, type FieldOf, type RecordKind, type RecordTable } from './fields.ts';
import type { ServiceRecord } from './records.ts';

/** A record, read from the service or prepared for people, and its short form while it is filled. */
type Whole<Kind extends RecordKind> = { readonly [Field in FieldOf<Kind>]?: unknown } & Delivered;
type Short<Kind extends RecordKind> = { -readonly [Field in keyof Whole<Kind>]?: unknown };

const says = (value: unknown) => value !== null && value !== undefined && value !== '';

/**
 * The main fields of the table, without empty ones. Written out, and compared with the table by a test: with names from a list, the engine
 * takes five times as long, which is noticeable in a list of ten thousand records.
 */
const shortForms = {
  booking(record: Whole<'booking'>): Short<'booking'> {
    const short: Short<'booking'> = {};
    if (says(record.invitee_name)) short.invitee_name = record.invitee_name;
    if (says(record.start_time)) short.start_time = record.start_time;
    if (says(record.event_type_name)) short.event_type_name = record.event_type_name;
    if (says(record.status)) short.status = record.status;
    if (says(record.invitee_email)) short.invitee_email = record.invitee_email;
    if (says(record.end_time)) short.end_time = record.end_time;
    if (says(record.invitee_timezone)) short.invitee_timezone = record.invitee_timezone;
    if (says(record.id)) short.id = record.id;
    if (says(record.event_type_id)) short.event_type_id = record.event_type_id;
    if (says(record.notes)) short.notes = record.notes;
    if (says(record.question_responses)) short.question_responses = record.question_responses;
    if (says(record.meeting_url)) short.meeting_url = record.meeting_url;
    if (says(record.location)) short.location = record.location;
    if (says(record.cancellation_reason)) short.cancellation_reason = record.cancellation_reason;
    if (says(record.previous_start_time)) short.previous_start_time = record.previous_start_time;
    return withDelivery(short, record);
  },
  contact(record: Whole<'contact'>): Short<'contact'> {
    const short: Short<'contact'> = {};
    if (says(record.name)) short.name = record.name;
    if (says(record.email)) short.email = record.email;
    if (says(record.id)) short.id = record.id;
    if (says(record.phone)) short.phone = record.phone;
    if (says(record.timezone)) short.timezone = record.timezone;
    if (says(record.notes)) short.notes = record.notes;
    return withDelivery(short, record);
  },
  eventType(record: Whole<'eventType'>): Short<'eventType'> {
    const short: Short<'eventType'> = {};
    if (says(record.name)) short.name = record.name;
    if (says(record.duration_minutes)) short.duration_minutes = record.duration_minutes;
    if (says(record.active)) short.active = record.active;
    if (says(record.id)) short.id = record.id;
    if (says(record.description)) short.description = record.description;
    if (says(record.requires_approval)) short.requires_approval = record.requires_approval;
    if (says(record.location)) short.location = record.location;
    if (says(record.questions)) short.questions = record.questions;
    return withDelivery(short, record);
  },
};

function withDelivery<Kind extends RecordKind>(
  short: Short<Kind>,
  { event, delivery_id: id, delivered_at: at, delivery_key: key, change_key: change }: Delivered,
): Short<Kind> {
  if (says(event)) short.event = event;
  if (says(id)) short.delivery_id = id;
  if (says(at)) short.delivered_at = at;
  if (says(key)) short.delivery_key = key;
  if (says(change)) short.change_key = change;
  return short;
}

/** Whether a record has so many fields that a short form helps. */
export const isWide = (kind: RecordKind): kind is keyof typeof shortForms => Object.hasOwn(shortForms, kind);

/** The short form of a record: its main fields, without empty ones. A record of another kind stays as it is. */
export const simplify = (kind: RecordKind, record: ServiceRecord): ServiceRecord => (isWide(kind) ? shortForms[kind](record) : record);

/** The fields that the short form of a record may have, with those that a delivery adds, in order; none if the record has no short form. */
export function simpleFields(kind: RecordKind): ReadonlySet<string> {
  const { main }: RecordTable = recordTables[kind];
  return new Set(main === undefined ? [] : [...main, ...deliveryFields.map(({ key }) => key)]);
}
