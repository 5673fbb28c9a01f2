import type { RecordKind, ServiceRecord } from './api/records.ts';

type Fill = (this: ServiceRecord, record: ServiceRecord) => void;

/**
 * A short form, filled by a function that is called with `new`: the engine then keeps the fields within the object, and
 * makes no room beside it that grows with every third field. What comes out is a plain object.
 */
function shortForm(fill: Fill): (record: ServiceRecord) => ServiceRecord {
  fill.prototype = Object.prototype;
  const Short = fill as unknown as new (record: ServiceRecord) => ServiceRecord;
  return (record) => withDelivery(new Short(record), record);
}

/**
 * The fields that most people use of a record that has more than ten, as far as they say something. Written out, and not
 * picked by a list of names: the engine then knows each place beforehand, which takes a tenth of the time.
 */
const shortForms: Partial<Record<RecordKind, (record: ServiceRecord) => ServiceRecord>> = {
  booking: shortForm(function (record) {
    if (says(record['id'])) this['id'] = record['id'];
    if (says(record['status'])) this['status'] = record['status'];
    if (says(record['event_type_id'])) this['event_type_id'] = record['event_type_id'];
    if (says(record['event_type_name'])) this['event_type_name'] = record['event_type_name'];
    if (says(record['start_time'])) this['start_time'] = record['start_time'];
    if (says(record['end_time'])) this['end_time'] = record['end_time'];
    if (says(record['invitee_name'])) this['invitee_name'] = record['invitee_name'];
    if (says(record['invitee_email'])) this['invitee_email'] = record['invitee_email'];
    if (says(record['invitee_timezone'])) this['invitee_timezone'] = record['invitee_timezone'];
    if (says(record['notes'])) this['notes'] = record['notes'];
    if (says(record['question_responses'])) this['question_responses'] = record['question_responses'];
    if (says(record['meeting_url'])) this['meeting_url'] = record['meeting_url'];
    if (says(record['location'])) this['location'] = record['location'];
    if (says(record['cancellation_reason'])) this['cancellation_reason'] = record['cancellation_reason'];
    if (says(record['previous_start_time'])) this['previous_start_time'] = record['previous_start_time'];
  }),
  contact: shortForm(function (record) {
    if (says(record['id'])) this['id'] = record['id'];
    if (says(record['name'])) this['name'] = record['name'];
    if (says(record['email'])) this['email'] = record['email'];
    if (says(record['phone'])) this['phone'] = record['phone'];
    if (says(record['timezone'])) this['timezone'] = record['timezone'];
    if (says(record['notes'])) this['notes'] = record['notes'];
  }),
  eventType: shortForm(function (record) {
    if (says(record['id'])) this['id'] = record['id'];
    if (says(record['name'])) this['name'] = record['name'];
    if (says(record['description'])) this['description'] = record['description'];
    if (says(record['duration_minutes'])) this['duration_minutes'] = record['duration_minutes'];
    if (says(record['active'])) this['active'] = record['active'];
    if (says(record['requires_approval'])) this['requires_approval'] = record['requires_approval'];
    if (says(record['location'])) this['location'] = record['location'];
    if (says(record['questions'])) this['questions'] = record['questions'];
  }),
};

function withDelivery(short: ServiceRecord, record: ServiceRecord): ServiceRecord {
  if (says(record['event'])) short['event'] = record['event'];
  if (says(record['delivery_id'])) short['delivery_id'] = record['delivery_id'];
  if (says(record['delivered_at'])) short['delivered_at'] = record['delivered_at'];
  if (says(record['delivery_key'])) short['delivery_key'] = record['delivery_key'];
  return short;
}

const says = (value: unknown) => value !== null && value !== undefined && value !== '';

/** Whether a record has so many fields that a shorter form of it helps. */
export const isWide = (kind: RecordKind): boolean => Object.hasOwn(shortForms, kind);

/** The short form of a record: its main fields, as far as they say something. A record of another kind stays as it is. */
export const simplify = (kind: RecordKind, record: ServiceRecord): ServiceRecord => shortForms[kind]?.(record) ?? record;

/** A record that says something under every name. */
const full: ServiceRecord = new Proxy({}, { get: () => true });

/** The fields that the short form of a record may have, with those that a delivery adds; none where there is no short form. */
export const simpleFields = (kind: RecordKind): ReadonlySet<string> => new Set(Object.keys(isWide(kind) ? simplify(kind, full) : {}));
