import { MINUTE_MS } from './clock.ts';
import type { SandboxBasis } from './context.ts';
import type { Deliveries } from './deliveries.ts';
import { invalid, ApiRefusal } from './errors.ts';
import type { Forms } from './variants.ts';
import { instant, made, newId } from './records.ts';
import type { Account, Booking, Contact, EventName, EventType, QuestionAnswer } from './records.ts';
import { inAscii, parseAnswers, timeOf, type BookingInput } from './schemas.ts';

const STEP_MS = 30 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;

type SchedulingOptions = Pick<SandboxBasis, 'store' | 'present' | 'clock' | 'forms'> & { deliveries: Deliveries };

type ContactChange = Partial<Pick<Contact, 'name' | 'phone' | 'timezone' | 'locale' | 'notes'>>;

export type Scheduling = ReturnType<typeof createScheduling>;

/** Changes to bookings and contacts, and the events that they fire: G21 and G22. Each call is one transaction. */
export function createScheduling(options: SchedulingOptions) {
  const { store, present, deliveries, clock, forms } = options;
  const now = (): string => instant(clock.now());

  function commit<T>(work: () => T): T {
    const result = store.transaction(work);
    deliveries.wake();
    return result;
  }

  function change(booking: Booking, to: Partial<Booking>, event: EventName): Booking {
    const changed = store.bookings.update({ ...booking, ...to, updated_at: now() });
    deliveries.enqueue(event, changed);
    return changed;
  }

  function must({ id, status }: Booking, expected: Booking['status'], verb: string): void {
    if (status !== expected) throw invalid('id', `booking ${id} is ${status}; only a ${expected} one can be ${verb}`);
  }

  function bookable(account: Account, id: string): EventType {
    const eventType = store.eventTypes.find(id);
    if (eventType?.account_id !== account.id) throw invalid('event_type_id', `there is no event type ${id.slice(0, 80)}`);
    if (!eventType.active) throw invalid('event_type_id', `the event type "${eventType.name}" is not active`);
    return eventType;
  }

  function future(startTime: string): number {
    const start = timeOf(startTime);
    if (start <= clock.now()) throw invalid('start_time', `must be in the future, and ${startTime} is not`);
    return start;
  }

  function isFree(account: Account, start: number, end: number, except = ''): boolean {
    // No booking lasts a day, so this lower bound avoids reading all past bookings.
    const where = "account = ? AND starts > ? AND starts < ? AND ends > ? AND status <> 'CANCELLED' AND id <> ?";
    return store.bookings.count(where, [account.id, instant(start - DAY_MS), instant(end), instant(start), except]) === 0;
  }

  /** A host can only be in one place at a time. A request that waits for approval holds its slot. */
  function mustBeFree(account: Account, start: number, end: number, except = ''): void {
    if (forms.slots === 'shared' || isFree(account, start, end, except)) return;
    const message = `${instant(start)} is taken by another booking`;
    throw new ApiRefusal('SLOT_UNAVAILABLE', `start_time: ${message}`, { details: [{ field: 'start_time', message }] });
  }

  return {
    book(account: Account, given: BookingInput): Booking {
      const input = storedInput(given, forms);
      return commit(() => {
        const eventType = bookable(account, input.event_type_id);
        const start = future(input.start_time);
        const answers = present.answersIn(eventType, parseAnswers(present.asked(eventType), input.question_responses ?? {}, forms.choices));
        mustBeFree(account, start, start + eventType.duration_minutes * MINUTE_MS);
        const invitee = meet(options, account, input, phoneAmong(eventType, answers));
        const booking = store.bookings.insert(
          newBooking(eventType, start, now(), {
            status: eventType.requires_approval ? 'PENDING' : 'CONFIRMED',
            invitee_name: forms.name === 'contact' ? invitee.name : input.invitee_name,
            invitee_email: input.invitee_email,
            invitee_timezone: input.invitee_timezone ?? account.timezone,
            notes: input.notes ?? null,
            question_responses: answers,
            locale: input.locale ?? 'en',
          }),
        );
        if (booking.status === 'CONFIRMED') deliveries.enqueue('BOOKING_CREATED', booking);
        return booking;
      });
    },
    cancel(booking: Booking, reason: string | null): Booking {
      if (booking.status === 'CANCELLED')
        throw new ApiRefusal('ALREADY_CANCELLED', `Booking ${booking.id} was already cancelled.`, {
          details: [{ field: 'id', message: 'is the id of a cancelled booking' }],
        });
      return commit(() => change(booking, { status: 'CANCELLED', cancellation_reason: reason }, 'BOOKING_CANCELLED'));
    },
    reschedule(account: Account, booking: Booking, startTime: string): Booking {
      must(booking, 'CONFIRMED', 'rescheduled');
      const start = future(startTime);
      const end = start + Date.parse(booking.end_time) - Date.parse(booking.start_time);
      return commit(() => {
        mustBeFree(account, start, end, booking.id);
        const moved = { start_time: instant(start), end_time: instant(end), previous_start_time: booking.start_time };
        return change(booking, moved, 'BOOKING_RESCHEDULED');
      });
    },
    approve(booking: Booking): Booking {
      must(booking, 'PENDING', 'approved');
      return commit(() => {
        const approved = change(booking, { status: 'CONFIRMED' }, 'BOOKING_APPROVED');
        if (forms.approval === 'created') deliveries.enqueue('BOOKING_CREATED', approved);
        return approved;
      });
    },
    deny(booking: Booking, reason: string | null): Booking {
      must(booking, 'PENDING', 'denied');
      return commit(() => change(booking, { status: 'CANCELLED', cancellation_reason: reason, denied: true }, 'BOOKING_DENIED'));
    },
    editContact: (contact: Contact, to: ContactChange): Contact => commit(() => changeContact(options, contact, to)),
    /** The host's first free start from tomorrow on, at a full or half hour; in milliseconds since the epoch. */
    nextFree(account: Account, durationMinutes: number, suits: (start: number, end: number) => boolean = () => true): number {
      for (let start = Math.ceil((clock.now() + DAY_MS) / STEP_MS) * STEP_MS; ; start += STEP_MS) {
        const end = start + durationMinutes * MINUTE_MS;
        if (suits(start, end) && isFree(account, start, end)) return start;
      }
    },
  };
}

/** Makes the invitee a contact, or updates their contact. */
function meet(options: SchedulingOptions, account: Account, input: BookingInput, phone: string | null): Contact {
  const { store, deliveries, clock, forms } = options;
  const { invitee_name: name, invitee_email: email, invitee_timezone, locale = 'en' } = input;
  const known = store.contactOf(account.id, email);
  if (known !== undefined) {
    return changeContact(options, known, {
      ...(forms.name !== 'contact' && { name }),
      ...(invitee_timezone !== undefined && { timezone: invitee_timezone }),
      ...(phone !== null && { phone }),
    });
  }
  const at = made(instant(clock.now()));
  const timezone = invitee_timezone ?? account.timezone;
  const contact = store.contacts.insert({
    id: newId('con'),
    account_id: account.id,
    name,
    email,
    phone,
    timezone,
    locale,
    notes: null,
    ...at,
  });
  deliveries.enqueue('CONTACT_CREATED', contact);
  return contact;
}

function changeContact({ store, deliveries, clock }: SchedulingOptions, contact: Contact, to: ContactChange): Contact {
  const changed = { ...contact, ...to };
  if (JSON.stringify(changed) === JSON.stringify(contact)) return contact;
  const updated = store.contacts.update({ ...changed, updated_at: instant(clock.now()) });
  deliveries.enqueue('CONTACT_UPDATED', updated);
  return updated;
}

type Chosen = 'status' | 'invitee_name' | 'invitee_email' | 'invitee_timezone' | 'notes' | 'question_responses' | 'locale';

/**
 * A booking of an event type, as it is stored.
 *
 * @param start milliseconds since the epoch
 * @param at when it was made
 */
export function newBooking(type: EventType, start: number, at: string, chosen: Pick<Booking, Chosen>): Booking {
  return {
    id: newId('bkg'),
    account_id: type.account_id,
    event_type_id: type.id,
    event_type_name: type.name,
    start_time: instant(start),
    end_time: instant(start + type.duration_minutes * 60_000),
    ...chosen,
    location: type.location,
    meeting_url: type.location === 'Video call' ? `https://meet.example/${newId('bkg').slice(4, 14)}` : null,
    cancellation_reason: null,
    previous_start_time: null,
    ...made(at),
  };
}

function phoneAmong({ questions }: EventType, answers: Record<string, QuestionAnswer>): string | null {
  const answer = questions.filter(({ type }) => type === 'phone').map(({ key }) => answers[key])[0];
  return typeof answer === 'string' ? answer : null;
}

const EMAILS: Record<Forms['email'], (address: string) => string> = {
  sent: (address) => address,
  lower: (address) => address.toLowerCase(),
  untagged: (address) => address.replace(/^([^+@]*)\+[^@]*/, '$1'),
  punycode: inAscii,
};

const ESCAPES: Record<string, string> = { '&': '&amp;', "'": '&#39;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

const NAMES: Record<Forms['name'], (name: string) => string> = {
  sent: (name) => name,
  collapsed: (name) => name.replaceAll(/\s+/g, ' '),
  escaped: (name) => name.replaceAll(/[&'"<>]/g, (each) => ESCAPES[each] ?? each),
  curled: (name) => name.replaceAll("'", '’'),
  plain: (name) => name.replaceAll(/\p{Extended_Pictographic}|[\u{fe0f}\u{200d}]/gu, '').trim(),
  cut: (name) => [...name].slice(0, 20).join('').trim(),
  turned: (name) => name.replace(/^(.+) (\S+)$/, '$2, $1'),
  contact: (name) => name,
};

/** An invitee's address as stored; for the filter form `made`, also as searched for. */
export const storedEmail = (address: string, { email }: Pick<Forms, 'email'>): string => EMAILS[email](address);

/** A booking's input as the service stores it. */
function storedInput(input: BookingInput, forms: Forms): BookingInput {
  return {
    ...input,
    invitee_email: storedEmail(input.invitee_email, forms),
    invitee_name: NAMES[forms.name](input.invitee_name),
    start_time: forms.start === 'rounded' ? instant(Math.floor(timeOf(input.start_time) / MINUTE_MS) * MINUTE_MS) : input.start_time,
  };
}
