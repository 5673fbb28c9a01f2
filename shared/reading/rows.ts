/**
 * Every form in which a response may have a fact, until the service's document says which: one row each (G1 to G7, G9, G13, G47).
 *
 * Names are compared as words: `startTime`, `StartTime` and `start_time` are `start_time`. A place is the path from the record to a value,
 * with `.` between names. Each name is an expression, in which a group in braces stands for its words. A list of one thing counts as that
 * thing. The first row with a usable value wins; within a row, the fact's own name comes first.
 *
 * `who` names services whose public documents or libraries show the form, a standard, or `own`: the assumed form (`assumptions.ts`). A row
 * that nobody uses is deleted.
 */

import type { RecordKind } from '../records/fields.ts';

export interface FormRow {
  gap: `G${number}`;
  /** The kind of record, or what the row is about, and the fact: `booking.start_time`. */
  fact: string;
  at: string;
  /** What the value must be, see `factValues.ts`. */
  value: string;
  who: string;
  /** Only if the record also has these names, with `&` between them. For a `day`, the first is its time, the second a time not after it. */
  beside?: string;
  /** Only if the record has none of these names. */
  without?: string;
}

/** The words for each group in braces. */
const groups: Readonly<Record<string, string>> = {
  when: '(?:at|on|time|date|date_?time|timestamp|dt|sec)',
  start: '(?:starts?|starting|begins?)',
  end: '(?:ends?|ending|stops?|finish)',
  created: '(?:created?|creation)',
  updated: '(?:updated?|modified)',
  earlier: '(?:previous|original)',
  cancelled: '(?:cancell?ed)',
  booking: '(?:booking|appointment|appt|apt|reservation)',
  occasion: '(?:appointment|meeting|job|visit|viewing|session|class|lesson)',
  type: '(?:(?:event|booking|appointment|reservation|session|meeting|visit|class|lesson|consultation|activity)_?type|service|treatment)',
  invitee: '(?:invitee|attendee)',
  client: '(?:customer|client|patient|contact|recipient)',
  comer:
    '(?:invitee|attendee|customer|client|patient|contact|recipient|participant|guest|learner|student|candidate|applicant|citizen|visitor|reservee|reserver|booker|registrant|user_information)',
  meeting:
    '(?:(?:video|online|virtual|web|google|zoom|conference)_)?(?:meeting|meet|hangout|call|conferenc(?:e|ing)|zoom|videocall|telehealth)',
  link: '(?:url|uri|link|href)',
  stay: '(?:apartment|listing(?:_map)?|property|room|unit)(?:_id|_group)?',
  minutes: '(?:in_)?min(?:ute)?s',
  zone: '(?:timezone|time_zone|tz)',
};

/** The facts that identify a kind of record: an object with an id and one of them is such a record. */
export const mainFacts: { readonly [Kind in RecordKind]: readonly string[] } = {
  user: ['email'],
  booking: ['start_time'],
  eventType: ['name', 'duration_minutes'],
  contact: ['email', 'phone'],
  subscription: ['url', 'events'],
};

export const expand = (at: string): string => at.replaceAll(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? '');

const row = (gap: FormRow['gap'], fact: string, at: string, value: string, who: string, beside?: string, without?: string): FormRow => ({
  ...{ gap, fact, at, value, who },
  ...(beside !== undefined && { beside }),
  ...(without !== undefined && { without }),
});

// prettier-ignore
export const rows: readonly FormRow[] = [
  // G1: the items of a list, besides the names of its records
  row('G1', 'list.items', 'data', 'list', 'own, Cal.com, ServiceTitan, TidyCal'),
  row('G1', 'list.items', 'items|results?|collection|content|body|records|entries|(?:hydra_)?member', 'list', 'Calendly, Feegow, Google Calendar, HubSpot, JSON-LD: API Platform, JSON-RPC, Luma, Odoo, Salesforce, Tekmetric, Tutrex'),
  row('G1', 'list.items', 'value|nodes|edges|entities|documents|rows|list', 'list', 'Appwrite, GraphQL: Boulevard, Jobber; NocoDB, OData: Microsoft Bookings; Siren'),
  // ... and the cursor of the next page
  row('G1', 'list.cursor', 'next_cursor', 'cursor', 'own'),
  row('G1', 'list.cursor', 'cursor', 'cursor', 'Square'),
  row('G1', 'list.cursor', '(?:odata_)?next(?:_page)?(?:_(?:token|link))?', 'cursor', 'Calendly, Cliniko, Cronofy, OData: Microsoft Bookings'),
  row('G1', 'list.cursor', 'cursors', 'cursor', 'Wix'),
  row('G1', 'list.cursor', 'end_cursor', 'cursor', 'GraphQL: Boulevard, Jobber'),
  row('G1', 'list.more', 'has_?(?:more|next(?:_page)?)|(?:has_)?more_(?:records|items)(?:_[a-z_]+)?|next_page_available', 'flag', 'Cal.com, Eventbrite, Pipedrive, ServiceTitan, Wix, Zoho Bookings, Zoho CRM'),
  row('G1', 'list.total', '(?:hydra_)?total(?:_?(?:count|row_count|items|results|entries|records|elements|size))?|object_count', 'count', 'API Platform, athenahealth, Cal.com, Cliniko, Eventbrite, Mindbody, Salesforce, SavvyCal, ServiceTitan, Zoom'),
  row('G1', 'list.pages', '(?:total_)?pages', 'count', 'Cal.com, SavvyCal'),
  row('G1', 'list.size', 'limit|per_page|page_size|items_per_page', 'count', 'Cal.com, Mindbody, SavvyCal, ServiceTitan'),
  // G1, G2 and G13: what is around a record
  row('G2', 'envelope', 'data', 'object', 'own, Cal.com, Square'),
  row('G13', 'envelope', 'payload|object', 'object', 'Cal.com, Easy!Appointments, SavvyCal, Square'),
  row('G2', 'envelope', 'result', 'object', 'Bitrix24, Hostaway, Virtuagym, Vtiger'),
  row('G13', 'around.invitee', '{invitee}s', 'person', 'Calendly'),
  row('G2', 'inside', 'attributes|properties|fields|items|profile|personal_info', 'object', 'JSON:API, Airtable, Appointedd, HubSpot, Rezdy, Timekit, Zenoti'),
  row('G2', 'within.booking', '(?:(?:booking|event|{occasion})_)?(?:info(?:rmation)?|details)|schedule|when|period|interval|date_?and_?time|(?:time_?)?slot|event|interview|visit|session', 'object', 'FHIR, Google Actions Center, HireHive, Housecall Pro, Nylas, Wix'),
  row('G2', 'name.booking', '{booking}s?|events?|{booking}_(?:data|record|object|list)', 'record', 'own, BookingBug, Cliniko, Mindbody, Square, Wix, Zocdoc'),
  row('G2', 'qualified.booking', '[a-z_]+_(?:{booking}|event)s?', 'record', 'Calendly'),
  row('G2', 'type.booking', '(?:[a-z_]+_)?(?:{booking}|event|meeting|visit|session|class|lesson|interview|order|rental)(?:_instance)?s?', 'record', 'JSON:API: Booqable, Planning Center, SuiteCRM, Teamtailor'),
  row('G2', 'name.eventType', '{type}(?:s|_list)?', 'record', 'own, Cliniko, Mindbody, Qmatic'),
  row('G2', 'name.contact', '{client}(?:s|_list)?', 'record', 'own, Cliniko, Mindbody, Square'),
  row('G2', 'type.contact', '{comer}s?|people|person|user|member|profile|lead|registrant', 'record', 'JSON:API: Teamtailor'),
  row('G2', 'name.user', 'users?', 'record', 'own'),
  row('G2', 'name.subscription', '(?:web_?hook_)?subscriptions?|(?:web)?hooks?', 'record', 'own'),
  // G3: ids
  row('G3', 'booking.id', 'id', 'id', 'own, Acuity, BookingBug, Cal.com, Cliniko, coss, Easy!Appointments, Microsoft Bookings, Mindbody, Nylas, SavvyCal, ServiceTitan, Square, TidyCal, Whautomate, Wix'),
  row('G3', 'booking.id', '(?:appointment|appt|apt)_?id', 'id', 'athenahealth, Phorest, Vagaro'),
  row('G3', 'booking.id', '{booking}_?id', 'id', 'Cal.com, Planyo'),
  row('G3', 'booking.id', 'uid|event_uid', 'id', 'Cal.com, Cronofy'),
  row('G3', 'booking.id', '(?:{booking}_)?uuid|public_id|{booking}_uid', 'id', 'Calendly, FareHarbor, Qmatic, Zeeg'),
  row('G3', 'booking.id', 'key|code|(?:{booking}_)?reference(?:_number)?|(?:session|class|lesson)_id', 'id', 'Checkfront, eAgenda, HMPPS Visits, LibreBooking, Setmore, Speaking Partner', '(?:{booking}_)?{start}(?:_{when})?&(?:{comer}|teacher)s?(?:_[a-z_]+)?|person_id'),
  row('G3', 'booking.id', '{booking}_number', 'id', 'Bookeo', 'product_id'),
  row('G3', 'booking.id', '{booking}_num|(?:platform|session|integration)_{booking}_id|bookableresourcebookingid|activityid', 'id', 'Dynamics 365, Lightspeed, Momence, Open Dental'),
  row('G3', 'booking.id', 'order_number', 'id', 'Rezdy', 'items'),
  row('G3', 'booking.id', 'uri|event', 'ref', 'Calendly'),
  row('G3', 'booking.id', 'job_uid', 'id', 'Zuper', 'job_title'),
  row('G3', 'booking.id', 'meeting_id', 'id', 'video rooms', 'room_{link}'),
  row('G3', 'booking.id', 'event_id', 'id', 'Virtuagym', 'event_{start}&member'),
  row('G3', 'booking.id', 'registration_id', 'id', 'Arlo, Constant Contact', '{comer}(?:_id)?&event(?:_id)?'),
  row('G3', 'booking.id', 'name', 'id', 'Frappe', 'doctype'),
  row('G3', 'eventType.id', 'id', 'id', 'own, Acuity, Cal.com, Cliniko, Easy!Appointments, Mindbody, SavvyCal'),
  row('G3', 'eventType.id', 'key', 'id', 'Setmore', 'service_name'),
  row('G3', 'eventType.id', 'pk|(?:{type}|product)_?id|uuid|public_id', 'id', 'athenahealth, Bookeo, FareHarbor, Qmatic'),
  row('G3', 'eventType.id', 'uri', 'ref', 'Calendly'),
  row('G3', 'contact.id', 'id', 'id', 'own, Cliniko, Easy!Appointments, Mindbody, Square, TidyCal'),
  row('G3', 'contact.id', '{client}_?id|uuid|public_id', 'id', 'Dynamics 365, IntakeQ, Phorest, Vagaro'),
  row('G3', 'contact.id', 'key', 'id', 'Setmore', 'first_name'),
  row('G3', 'subscription.id', 'id', 'id', 'own'),
  row('G3', 'subscription.id', 'uri', 'ref', 'Calendly'),
  // G5: bookings
  row('G5', 'booking.status', 'status', 'word', 'own, Cal.com, coss, Easy!Appointments, Mindbody, SavvyCal, ServiceTitan, Square, Whautomate, Wix'),
  row('G5', 'booking.status', 'state|(?:hs_)?(?:{booking}|{occasion}|event|work)_(?:status|state|outcome)|status_name|workflow_state', 'status', 'Canvas, Checkfront, GoHighLevel, Housecall Pro, HubSpot, Jobber, MakePlans, Timekit, Vagaro, Welkin'),
  row('G5', 'booking.status', '(?:{booking}|job)_stat(?:e|us)', 'said', 'Dentalink, Open Dental, raphacare, Skedulo'),
  row('G5', 'booking.status', '(?:is_)?{cancelled}(?:_{when})?|(?:is_)?deleted(?:_at)?', 'cancelled', 'Acuity, Cliniko, Cronofy, TidyCal'),
  row('G5', 'booking.status', 'is_confirmed', 'confirmed', 'Nylas'),
  row('G5', 'booking.start_time', '{start}(?:_{when})?_utc|utc_(?:{start}|scheduled)_{when}', 'utc', 'Lightspeed, Whautomate, Zenoti'),
  row('G5', 'booking.start_time', 'iso_{start}_{when}|{start}_{when}_iso', 'time', 'IntakeQ, Zoho Bookings'),
  row('G5', 'booking.start_time', '{start}_?{when}|{when}_{start}', 'time', 'own, Bullhorn, Glofox, SuiteCRM, athenahealth, Cliniko, coss, Easy!Appointments, Microsoft Bookings, Mindbody, Nylas, SavvyCal, Square, TidyCal, Wix'),
  row('G5', 'booking.start_time', '{start}', 'local', 'JSCalendar', '{zone}&duration&participants'),
  row('G5', 'booking.start_time', '{start}', 'time', 'Cal.com, Cronofy, Easy!Appointments, ServiceTitan'),
  row('G5', 'booking.start_time', 'date_?time', 'time', 'Acuity, BookingBug'),
  row('G5', 'booking.start_time', '(?:(?:hs_)?(?:{booking}|{occasion}|event|date_?time)|sched(?:uled)?)_?{start}(?:_{when})?|booked_from|(?:appt|apt|reserve|{occasion})_date_?time', 'time', 'Amelia, Booksy, Cliniko, Dynamics 365, HubSpot, MakePlans, Morf, Open Dental, Salesforce, TastyIgniter, Workiz'),
  row('G5', 'booking.start_time', 'scheduled_{when}', 'time', 'Elation, Frappe, SimplyMeet.me', 'doctype|event_type|passenger|(?:duration|length)(?:_{minutes})?'),
  row('G5', 'booking.start_time', 'time', 'time', 'Libro, Orufy, SpotOn', '{end}(?:_{when})?|(?:party_)?size|guests?_count', '{start}(?:_[a-z_]+)?'),
  row('G5', 'booking.start_time', 'date_period.from', 'time', 'Bitrix24'),
  row('G5', 'booking.start_time', '(?:expected_arrival|slot_{start})(?:_{when})?', 'time', 'Envoy'),
  row('G5', 'booking.start_time', 'arrival(?:_{when})?', 'time', 'Apaleo', 'departure(?:_{when})?&{stay}'),
  row('G5', 'booking.start_time', 'from(?:_{when})?|{when}_from', 'time', 'Freshsales, Teachworks, Timify', '(?:until|till|to|{end})(?:_{when})?|{when}_(?:until|to)'),
  row('G5', 'booking.end_time', '{end}(?:_{when})?_utc', 'utc', 'Whautomate, Zenoti'),
  row('G5', 'booking.end_time', 'iso_{end}_{when}|{end}_{when}_iso', 'time', 'IntakeQ, Zoho Bookings'),
  row('G5', 'booking.end_time', '{end}_?{when}|{when}_{end}', 'time', 'own, Bullhorn, Glofox, SuiteCRM, athenahealth, BookingBug, Cliniko, Easy!Appointments, Microsoft Bookings, Mindbody, Nylas, SavvyCal, TidyCal, Wix'),
  row('G5', 'booking.end_time', '{end}', 'time', 'Cal.com, Cronofy, Easy!Appointments, ServiceTitan'),
  row('G5', 'booking.end_time', '(?:(?:hs_)?(?:{booking}|{occasion}|event)|sched(?:uled)?)_?{end}(?:_{when})?|booked_(?:to|till)|{occasion}_{end}_date_?time', 'time', 'Amelia, Booksy, Cliniko, Dynamics 365, HubSpot, MakePlans, Morf, Salesforce, Workiz'),
  row('G5', 'booking.end_time', 'date_period.to', 'time', 'Bitrix24'),
  row('G5', 'booking.end_time', '(?:expected_departure|slot_{end})(?:_{when})?', 'time', 'Envoy'),
  row('G5', 'booking.end_time', 'departure(?:_{when})?', 'time', 'Apaleo', 'arrival(?:_{when})?&{stay}'),
  row('G5', 'booking.end_time', '(?:until|till|to)(?:_{when})?|{when}_(?:until|to)', 'time', 'Teachworks, Timify', 'from(?:_{when})?|{when}_from', '{start}(?:_{when})?'),
  row('G5', 'booking.start_time', '(?:{start}|pick_?up|{booking}|{occasion})_date', 'day', 'HQ Rental, Hydra, Nookal, Phorest, ResDiary', '(?:{start}|pick_?up|{occasion}|{booking}(?:_{start})?)_time'),
  row('G5', 'booking.start_time', 'date|day', 'day', 'Optimo, Zenchef', '(?:{start}_)?time|{start}'),
  row('G5', 'booking.start_time', '(?:due|scheduled)_date', 'day', 'Pipedrive', '(?:due|scheduled)_time'),
  row('G5', 'booking.start_time', 'check_?in', 'time', 'Guesty', 'check_?out&listing_id', '(?:(?:{booking}|{occasion})_)?(?:{start}|{when})(?:_{when})?'),
  row('G5', 'booking.end_time', 'check_?out', 'time', 'Guesty', 'check_?in&listing_id', '(?:(?:{booking}|{occasion})_)?(?:{start}|{when})(?:_{when})?'),
  row('G5', 'booking.end_time', '(?:{end}|return|drop_?off)_date', 'day', 'HQ Rental, Nookal', '(?:(?:appointment_)?{end}|return|drop_?off)_time'),
  row('G5', 'booking.end_time', '(?:(?:{booking}|{occasion})_)?date', 'day', 'Class Manager, Nookal, Wio Clinic', '(?:appointment_)?{end}(?:_time)?&(?:appointment_)?{start}(?:_time)?'),
  row('G5', 'booking.end_time', 'availability.(?:{end}(?:_?{when})?|local_{when}_{end})', 'time', 'FareHarbor, OCTO', 'availability_id|customers&contact'),
  row('G5', 'booking.end_time', 'reservation_for.{end}_date', 'time', 'schema.org'),
  row('G5', 'booking.end_time', '(?:event|(?:class_)?session|class|occurrence).{end}(?:_?{when})?', 'time', 'Luma, Momence, Timekit', '(?:{comer})s?(?:_[a-z_]+)?|checked_in|registered_at', '(?:time_?)?slot'),
  row('G5', 'booking.start_time', 'date', 'time', 'Healthie, Lever', '(?:duration|length)(?:_{minutes})?&{created}(?:_{when})?'),
  row('G5', 'booking.start_time', 'availability.(?:{start}(?:_?{when})?|local_{when}_{start})', 'time', 'FareHarbor, OCTO', 'availability_id|customers&contact'),
  row('G5', 'booking.start_time', 'reservation_for.{start}_date', 'time', 'schema.org'),
  row('G5', 'booking.start_time', '(?:event|(?:class_)?session|class|occurrence).{start}(?:_?{when})?', 'time', 'Luma, Mariana Tek, Momence, Timekit', '(?:{comer})s?(?:_[a-z_]+)?|checked_in|registered_at', '(?:time_?)?slot'),
  row('G5', 'booking.start_time', 'timeslot.{start}(?:_?{when})?', 'time', 'Mobilize', 'person'),
  row('G5', 'booking.end_time', 'timeslot.{end}(?:_?{when})?', 'time', 'Mobilize', 'person'),
  // ... or the only time of a record that shows an invitee or an event type, if it is named after an occasion
  row('G5', 'booking.sole', '(?:[a-z]+_)?(?:{occasion}|meal|tour|trip|activity|dining|interview|treatment|service|consultation|experience)_?(?:date|datetime|time|(?:date_)?timestamp)', 'time', 'TheFork, Tock'),
  row('G5', 'booking.previous_start_time', '(?:{earlier}|reschedule)_{start}(?:_{when})?', 'time', 'own, Cal.com, SavvyCal'),
  row('G5', 'booking.created_at', '{created}(?:_?{when})?|(?:date_?time|date)_(?:{created}|entered)', 'time', 'own, SuiteCRM, Cal.com, Cliniko, Easy!Appointments, SavvyCal, ServiceTitan, Square, TidyCal, Whautomate, Wix'),
  row('G5', 'booking.created_at', '{created}(?:_{when})?_utc|utc_{created}(?:_{when})?', 'utc', 'OCTO, Zenoti'),
  row('G5', 'booking.created_at', 'book(?:_{when})?|booked_{when}|{when}_added|add_{when}', 'time', 'Easy!Appointments, GoHighLevel, Lavanda, Pipedrive, Zoho Bookings'),
  row('G5', 'booking.updated_at', '{updated}(?:_{when})?', 'time', 'own, Cal.com, Cliniko, Easy!Appointments, SavvyCal, ServiceTitan, Square, TidyCal, Whautomate, Wix'),
  row('G5', 'booking.event_type_id', '{type}_?(?:id|key)', 'id', 'own, athenahealth, Setmore, Acuity, BookingBug, Cal.com, Easy!Appointments, Microsoft Bookings, Mindbody, TidyCal'),
  row('G5', 'booking.event_type_id', '{type}(?:_id)?.(?:{type}_)?id', 'id', 'BC Queue Management, Cal.com, Mongoose, Whautomate'),
  row('G5', 'booking.event_type_id', 'id_{type}s?', 'id', 'Easy!Appointments'),
  row('G5', 'booking.event_type_id', '{type}.uuid', 'id', 'Calendly'),
  row('G5', 'booking.event_type_id', '{type}(?:_{link})?', 'ref', 'Calendly, Zeeg'),
  row('G5', 'booking.event_type_id', '{type}', 'code', 'Appointedd, OnceHub'),
  row('G5', 'booking.event_type_id', 'product_id', 'id', 'Bookeo', 'booking_number'),
  row('G5', 'booking.event_type_id', 'product.id', 'id', 'OCTO', 'availability_id'),
  row('G5', 'booking.event_type_name', 'product.(?:internal_)?(?:name|title)', 'text', 'OCTO', 'availability_id'),
  row('G5', 'booking.event_type_id', '{type}.links.self', 'ref', 'Cliniko'),
  row('G5', 'booking.event_type_id', '(?:appointment_)?(?:segments?|services?).service(?:_variation)?_(?:uu)?id', 'id', 'Boulevard, Square'),
  row('G5', 'booking.event_type_id', '(?:appointment_)?services.service.id', 'id', 'Boulevard, Mangomint'),
  row('G5', 'booking.event_type_id', 'services', 'offer', 'Altegio', undefined, '{type}(?:_?(?:id|key))?'),
  row('G5', 'booking.event_type_id', 'relationships.{type}.data.id', 'id', 'JSON:API: Shore'),
  row('G5', 'booking.event_type_id', 'booked_entity.slot.service_id', 'id', 'Wix'),
  row('G5', 'booking.event_type_name', '(?:patient)?{type}_?(?:name|title)|event_title', 'text', 'own, athenahealth, BookingBug, Cal.com, Microsoft Bookings'),
  row('G5', 'booking.event_type_name', '{type}(?:_id)?.(?:(?:{type}_)?name|title|label)', 'text', 'BC Queue Management, Cal.com, Digitail, Mongoose, Whautomate'),
  row('G5', 'booking.event_type_name', '(?:appointment_)?services.service.name', 'text', 'Boulevard, Mangomint'),
  row('G5', 'booking.event_type_name', 'services.(?:service_)?(?:title|name)', 'text', 'Altegio, eAgenda', undefined, '{type}(?:_?(?:id|key))?'),
  row('G5', 'booking.event_type_name', 'booked_entity.title', 'text', 'Wix'),
  row('G5', 'booking.event_type_name', 'type', 'phrase', 'Acuity', 'appointment_type_id'),
  row('G5', 'booking.event_type_name', 'service(?:_type)?', 'phrase', 'Hydra'),
  row('G5', 'booking.event_type_name', 'name', 'text', 'Calendly', 'event_memberships'),
  row('G5', 'booking.event_type_name', 'product_name', 'text', 'Bookeo, Rezdy', '(?:booking|order)_number'),
  row('G5', 'booking.meeting_url', '{meeting}_(?:join_)?{link}|join(?:_(?:web|video))?_{link}', 'url', 'own, Avon, JRNI, Microsoft Bookings, Zeeg, Cal.com, Easy!Appointments, Greenhouse, TidyCal'),
  row('G5', 'booking.meeting_url', '[a-z_]+.join_{link}', 'url', 'Calendly, SavvyCal'),
  row('G5', 'booking.meeting_url', 'location|(?:video|online)_{link}|videocall_location', 'meeting', 'Google Calendar, Odoo'),
  row('G5', 'booking.meeting_url', 'location.(?:value|url|link)', 'meeting', 'Etype'),
  row('G5', 'booking.meeting_url', 'location', 'online', 'Proximity'),
  row('G5', 'booking.meeting_url', '(?:metadata|{meeting}(?:_(?:info|details|data))?).(?:{meeting}|join|video)_{link}', 'url', 'Agendize, Cal.com, meetergo'),
  row('G5', 'booking.meeting_url', 'location.(?:online|video)_(?:meeting|call).url', 'url', 'Zcal'),
  row('G5', 'booking.meeting_url', '(?:(?:video|online|virtual|web)_)?conferenc(?:e|ing).{link}', 'url', 'Workable'),
  // ... and the invitee: the person under one of these words, in an object or behind a prefix; or at the top
  row('G5', 'booking.invitee', 'invitee', 'person', 'own'),
  row('G5', 'booking.invitee', '(?:(?:{booking}|event|meeting)_)?attendee', 'anybody', 'Cal.com, Momence, SavvyCal'),
  row('G5', 'booking.invitee', 'customer', 'person', 'Microsoft Bookings'),
  row('G5', 'booking.invitee', 'client', 'person', 'Whautomate'),
  row('G5', 'booking.invitee', 'patient', 'person', 'Cliniko'),
  row('G5', 'booking.invitee', '(?:lead|primary)_guest', 'anybody', 'Chili Piper, Lavanda'),
  row('G5', 'booking.invitee', 'contact', 'anybody', 'TidyCal, Wix'),
  row('G5', 'booking.invitee', 'recipient', 'anybody', 'Nylas'),
  row('G5', 'booking.invitee', '(?:participant|people)', 'invited', 'Zoho CRM'),
  row('G5', 'booking.invitee', 'form_submission', 'addressed', 'OnceHub'),
  row('G5', 'booking.invitee', 'user_information|under_name|visit_contact|reserver|booked_for|demographics', 'person', 'Google Actions Center, HMPPS Visits, Indico, Respa, schema.org'),
  row('G5', 'booking.invitee', '', 'anybody', 'Acuity, BookingBug'),
  row('G5', 'booking.invitee', 'learner|student|pupil|candidate|applicant|trainee|mentee|coworker|citizen|visitor|reservee|travell?er|passenger|renter|(?:(?:owner|diner)_)?patron', 'anybody', 'BC Queue Management, Bullhorn, Nexudus, Tock, Voxy, Wix'),
  row('G5', 'booking.invitee', 'participant|event_participants|prospect|person', 'alone', 'API Platform, Brevo, Mobilize, Planon, RevenueHero'),
  row('G5', 'booking.invitee', 'booker', 'alone', 'Resource Guru', undefined, 'guests'),
  row('G5', 'booking.invitee', 'guest', 'alone', 'Orufy, Zenoti', undefined, 'member(?:_(?:id|name|email))?'),
  row('G5', 'booking.invitee', 'owner', 'alone', 'Gingr', '(?:animal|pet)s?(?:_(?:id|name))?'),
  row('G5', 'booking.invitee', 'users', 'alone', 'RDV Service Public', 'agents'),
  row('G5', 'booking.invitee', 'member', 'alone', 'OfficeRnD', 'resource_id&office'),
  row('G5', 'booking.invitee', 'user|member|profile', 'alone', 'Eventbrite, Glofox, Luma, Momence', '(?:therapist|teacher|instructor)(?:_name)?|attended|checked_in|registered_at|ticket_class_id'),
  row('G5', 'person.name', '(?:(?:full|display)_?)?name', 'name', 'own, Dynamics 365, Google Calendar, Cal.com, Cliniko, Microsoft Bookings, Nylas, SavvyCal, TidyCal, Whautomate'),
  row('G5', 'person.first_name', '(?:first|given|fore|pre|f)_?name', 'name', 'Acuity, Calenso, Appointedd, HubSpot, BookingBug, Cliniko, Easy!Appointments, Mindbody, Square, Wix'),
  row('G5', 'person.last_name', '(?:last|family|l)_?name|surname', 'name', 'Acuity, Appointedd, Docplanner, HubSpot, BookingBug, Cliniko, Easy!Appointments, Mindbody, Square, Wix'),
  row('G5', 'person.email', '(?:primary_|contact_)?e_?mail(?:_?(?:address|id))?_?1?', 'email', 'own, Dynamics 365, Setmore, Acuity, BookingBug, Cal.com, Cliniko, Easy!Appointments, Microsoft Bookings, Mindbody, Nylas, SavvyCal, Square, TidyCal, Whautomate, Wix'),
  row('G5', 'person.name', 'email_address.name', 'name', 'Outlook Calendar'),
  row('G5', 'person.email', '(?:{client}_)?emails?(?:_addresse?s?)?.(?:address|email|value)', 'email', '10to8, Jobber, Outlook Calendar, Pipedrive, Shore'),
  row('G5', 'person.email', 'emails?(?:_addresses)?', 'emails', 'Agendize, API Platform, GBooking'),
  row('G5', 'person.first_name', 'name.given', 'names', 'FHIR'),
  row('G5', 'person.last_name', 'name.family', 'name', 'FHIR'),
  row('G5', 'person.email', 'telecom', 'mailed', 'FHIR'),
  row('G5', 'person.phone', 'telecom', 'called', 'FHIR'),
  row('G5', 'person.timezone', '(?:iana_)?{zone}(?:_(?:name|iana))?', 'zone', 'own, Acuity, BookingBug, Cal.com, Cliniko, Easy!Appointments, Microsoft Bookings, Nylas, SavvyCal'),
  row('G5', 'person.phone', '(?:(?:mobile|cell|wireless|home|work|primary|main)_?)?(?:phone|mobile|cell|tel|telephone)(?:_?(?:number|no))?_?1?', 'phone', 'own, Dynamics 365, Open Dental, Setmore, Acuity, Easy!Appointments, Mindbody, Square'),
  row('G5', 'person.phone', 'contact_(?:number|no)', 'dialled', 'Zoho Bookings'),
  row('G5', 'person.phone', '(?:{client}_)?(?:(?:mobile_)?(?:tele)?phones?|phone_numbers?|mobile|numbers).(?:address|number|(?:tele)?phone|value)', 'phone', 'Apptoto, Cliniko, Jobber, Pipedrive, Unified.to, Zenoti'),
  // ... and the answers: pairs, known by their shape, or an object of answers under one of these names
  row('G5', 'pair.question', '(?:question|field|prompt)(?:_(?:label|text|name|title))?|label|name', 'text', 'Acuity, SimplyMeet.me, Calendly, Microsoft Bookings, Wix'),
  row('G5', 'pair.question', 'title', 'text', 'Agendize'),
  row('G5', 'pair.answer', 'answer(?:_text|_value)?|value|response', 'answer', 'Acuity, Calendly, Microsoft Bookings, Wix'),
  row('G5', 'booking.answers', '(?:[a-z_]+_)?(?:responses|field_values)|(?:(?:{booking}|{comer}|intake|form)_)?(?:answers|custom_fields|form_data)', 'answers', 'own, Cal.com, Nylas, Proximity'),
  // G47: links for the invitee
  row('G47', 'booking.cancel_url', '(?:(?:{comer}|public|booking)_)?cancel(?:lation)?_(?:booking_|page_)?{link}', 'url', 'own, Calendly, Nylas'),
  row('G47', 'booking.reschedule_url', '(?:(?:{comer}|public|booking)_)?reschedul(?:e|ing)_(?:booking_|page_)?{link}', 'url', 'own, Calendly, Nylas'),
  row('G47', 'booking.booking_url', 'booking_url', 'url', 'own'),
  // G6: event types
  row('G6', 'eventType.name', 'name|{type}_name', 'text', 'own, Acuity, Cliniko, Easy!Appointments, Mindbody, SavvyCal'),
  row('G6', 'eventType.name', 'name.text', 'text', 'Eventbrite'),
  row('G6', 'eventType.name', 'title', 'text', 'Cal.com'),
  row('G6', 'eventType.duration_minutes', '(?:(?:default_)?(?:duration|length)_)?{minutes}', 'minutes', 'own, Cal.com, Cliniko, NexHealth'),
  row('G6', 'eventType.duration_minutes', '(?:default_)?(?:duration|length|time_length)|(?:{occasion}|service)_(?:duration|length)(?:_{minutes})?', 'minutes', 'Acuity, Boulevard, Easy!Appointments, Mindbody, SavvyCal', undefined, '(?:(?:duration|length|time)_)?units?'),
  row('G6', 'eventType.questions', '(?:custom_)?questions', 'any', 'own, Calendly'),
  // G7: contacts, whose name, email, phone and zone are those of a person
  row('G7', 'contact.created_at', '{created}(?:_{when})?', 'time', 'own, Cliniko, Mindbody, Square, TidyCal'),
  // G9: subscriptions
  row('G9', 'subscription.url', 'url|target_url', 'any', 'own, Capsule'),
  row('G9', 'subscription.events', 'events?', 'any', 'own, Capsule'),
];
