import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Booking } from './records.ts';
import type { Shown } from './envelopes.ts';
import { assumedForms, type Presenter } from './serialize.ts';
import type { SandboxStore } from './store.ts';
import { serviceOf, type Service } from './serviceRows.ts';
import type { Forms } from './variants.ts';

type ServiceFacts = Record<string, unknown>;

const FORMATS: Record<string, (value: unknown) => unknown> = {
  text: (value) => String(value),
  upper: (value) => String(value).toUpperCase(),
};

/** A part of a row with its placeholders replaced by facts. */
export function filled(part: unknown, facts: ServiceFacts, { time = '' }: Partial<Service> = {}): unknown {
  if (Array.isArray(part)) return part.flatMap((each: unknown) => several(each, facts).map((with_) => filled(each, with_, { time })));
  if (typeof part === 'string') return text(part);
  if (typeof part !== 'object' || part === null) return part;
  const { each: _each, '...': spread, ...fields } = part as ServiceFacts;
  return Object.fromEntries([
    ...Object.entries(spread === undefined ? {} : (filled(spread, facts, { time }) as object)),
    ...Object.entries(fields).map(([key, value]) => [key, filled(value, facts, { time })] as const),
  ]);

  function text(whole: string): unknown {
    const [, name] = /^\{([^{}]+)\}$/.exec(whole) ?? [];
    if (name !== undefined) return value(name);
    const parts = [...whole.matchAll(/\{([^{}]+)\}/g)].map(([, inside = '']) => value(inside));
    if (parts.some((each) => each == null)) return undefined;
    return whole.replace(/\{[^{}]+\}/g, () => String(parts.shift()));
  }

  function value(named: string): unknown {
    const [, name = '', optional, format] = /^(\w+)(\?)?(?:\|(.*))?$/.exec(named) ?? [];
    const fact = facts[name];
    if (fact == null) return optional === undefined ? fact : undefined;
    if (fact instanceof DateTime) return fact.toFormat(format ?? time);
    return FORMATS[format ?? '']?.(fact) ?? fact;
  }
}

/** The facts for each object that a part produces. */
const several = (part: unknown, facts: ServiceFacts): ServiceFacts[] => {
  const each = (part as ServiceFacts | null)?.['each'];
  return typeof each === 'string' ? (facts[each] as ServiceFacts[]).map((own) => ({ ...facts, ...own })) : [facts];
};

/** Presents records as the service sends them: the field names of G4 to G9 in the chosen forms, or those of an existing service. */
export function createPresenter(store: SandboxStore, forms: Forms): Presenter {
  const service = serviceOf(forms);
  const assumed = assumedForms(store, forms);
  return service === undefined ? assumed : answeringAs(service, store, assumed);
}

/** Presents records as one service does, and otherwise as assumed. */
function answeringAs(service: Service, store: SandboxStore, assumed: Presenter): Presenter {
  const fill = (part: unknown, facts: ServiceFacts): Shown => filled(part, facts, service) as Shown;
  const stamp = (at: string, host: string) => DateTime.fromISO(at, { zone: service.zone === 'host' ? host : 'utc' });
  const person = (name: string) => ({ name, first: name.replace(/ [^ ]*$/, ''), last: /(?:^| )([^ ]*)$/.exec(name)?.[1] });
  const hostOf = (id: string) => store.accounts.find(id) ?? store.accounts.first();

  function bookingFacts(booking: Booking): ServiceFacts {
    const { name: host, email: hostEmail, timezone: hostZone } = hostOf(booking.account_id);
    const at = (time: string | null) => time && stamp(time, hostZone);
    const type = store.eventTypes.find(booking.event_type_id);
    const contact = store.contactOf(booking.account_id, booking.invitee_email);
    const asked = new Map(type?.questions.map(({ key, label }) => [key, label]));
    const answers = Object.entries(booking.question_responses).map(([key, answer]) => ({ key, answer, question: asked.get(key) ?? key }));
    const { id, event_type_id: typeId } = assumed.booking(booking);
    const { invitee_email: email, invitee_timezone: zone, event_type_name: typeName, meeting_url: meeting, notes, location } = booking;
    const cancelled = booking.status === 'CANCELLED';
    const [start, end, created, updated] = [booking.start_time, booking.end_time, booking.created_at, booking.updated_at].map(at);
    const about = { id, type: typeId, typeName, slug: type?.slug, notes, location, meeting, key: opaque(booking.id) };
    const people = { ...person(booking.invitee_name), email, zone, host, hostEmail, hostZone };
    const more = { contact: contact && assumed.contact(contact)['id'], phone: contact?.phone };
    const state = { cancelled, status: service.statuses?.[booking.status] ?? booking.status, reason: booking.cancellation_reason };
    return {
      ...{ ...about, ...people, ...more, ...state, start, end, created, updated, answers },
      ...{ hostFirst: person(host).first, hostLast: person(host).last, cancelledAt: cancelled ? updated : null },
      previous: at(booking.previous_start_time),
      minutes: (Date.parse(booking.end_time) - Date.parse(booking.start_time)) / 60_000,
      answered: Object.fromEntries(answers.map(({ key, answer }) => [key, answer])),
      responses: Object.fromEntries(answers.map(({ key, answer }) => [key, { label: key, value: answer }])),
    };
  }

  const presenter: Presenter = {
    ...assumed,
    booking: (booking) => fill(service.booking, bookingFacts(booking)),
    eventType(type) {
      if (service.event_type === undefined) return assumed.eventType(type);
      const { id } = assumed.eventType(type);
      const at = (time: string) => stamp(time, hostOf(type.account_id).timezone);
      const questions = type.questions.map(({ type: kind, ...question }) => ({ ...question, kind }));
      const facts = { ...type, id, questions, minutes: type.duration_minutes, inactive: !type.active };
      return fill(service.event_type, { ...facts, created: at(type.created_at), updated: at(type.updated_at) });
    },
    contact(contact) {
      if (service.contact === undefined) return assumed.contact(contact);
      const at = (time: string) => stamp(time, hostOf(contact.account_id).timezone);
      const facts = { ...contact, ...person(contact.name), id: assumed.contact(contact)['id'], zone: contact.timezone };
      return fill(service.contact, { ...facts, created: at(contact.created_at), updated: at(contact.updated_at) });
    },
    single(name, record) {
      const part = service.one[name] ?? service.one['*'];
      return part === undefined || name === 'user' || name === 'hook' ? assumed.single(name, record) : fill(part, { record });
    },
    list(plural, items, place) {
      const part = service.list[plural] ?? service.list['*'];
      if (part === undefined || plural === 'hooks') return assumed.list(plural, items, place);
      const { next, limit } = place;
      const total = place.total();
      const numbers = { total, limit, count: items.length, left: total - items.length, pages: Math.ceil(total / limit) };
      const facts = {
        items,
        records: items.map((record) => ({ record })),
        next,
        more: next !== null,
        base: 'https://api.service.example/v1',
      };
      return fill(part, { ...facts, ...numbers, paging: filled(service.paging, numbers) });
    },
    delivered(event, record) {
      if (service.delivery === undefined || !('event_type_id' in record)) return assumed.delivered(event, record, presenter);
      const at = stamp(record.updated_at, hostOf(record.account_id).timezone);
      return fill(service.delivery, {
        ...bookingFacts(record),
        record: presenter.booking(record),
        event: service.events?.[event] ?? event,
        at,
      });
    },
  };
  return presenter;
}

const opaque = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 24);
