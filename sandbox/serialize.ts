import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import { AHEAD, MINUTE_MS } from './clock.ts';
import { createEnvelopes, type Shown } from './envelopes.ts';
import type { Forms } from './variants.ts';
import { instant } from './records.ts';
import type { Account, Booking, Contact, EventName, EventType, Question, QuestionAnswer, Subscription } from './records.ts';
import type { SandboxStore } from './store.ts';
import { zoneNamed } from './zones.ts';

/** The prefix of event types' ids in bookings, in the form `prefixed`. */
export const PREFIX = 'type:';

interface Showing {
  booking(booking: Booking): Shown;
  contact(contact: Contact): Shown;
}

/** A page's place in its list. */
export interface PagePlace {
  next: string | null;
  limit: number;
  total: () => number;
}

/** Questions as clients see them, and conversions of their answers. */
function createQuestions(store: SandboxStore, forms: Forms) {
  /** Answers under the keys that clients see. */
  function answersOut(eventTypeId: string, answers: Record<string, QuestionAnswer>): Record<string, QuestionAnswer> {
    if (forms.questionKey !== 'label') return answers;
    const questions = store.eventTypes.find(eventTypeId)?.questions ?? [];
    const keys = new Map(questions.map(({ key, label }) => [key, label]));
    return Object.fromEntries(Object.entries(answers).map(([key, answer]) => [keys.get(key) ?? key, answer]));
  }

  function shownQuestion(question: Question): Shown {
    const { label, type, required, options } = question;
    const { questionKey, questionType } = forms;
    return {
      ...(questionKey !== 'label' && { [questionKey]: question.key }),
      label,
      type: type === 'text' && questionType === 'unknown' ? 'essay' : type,
      required,
      options: forms.options === 'strings' ? options : options.map((option) => ({ value: optionValue(option), label: option })),
    };
  }

  function keyOf(question: Question): string {
    return forms.questionKey === 'label' ? question.label : question.key;
  }

  /** If options are objects, values differ from labels, so that a client that sends the label is noticed. */
  function optionValue(option: string): string {
    return forms.options === 'strings' ? option : `opt_${createHash('sha256').update(option).digest('hex').slice(0, 8)}`;
  }

  return {
    answersOut,
    shownQuestion,
    /** The questions, with the keys and option values that clients see and may therefore use in answers (G6). */
    asked({ questions }: EventType): Question[] {
      return questions.map((question) => ({
        ...question,
        key: keyOf(question),
        options: question.options.map((option) => optionValue(option)),
      }));
    },
    /** Converts answers from the keys that clients see to the stored keys. */
    answersIn({ questions }: EventType, answers: Record<string, QuestionAnswer>): Record<string, QuestionAnswer> {
      return Object.fromEntries(
        questions.filter((each) => Object.hasOwn(answers, keyOf(each))).map((each) => [each.key, answers[keyOf(each)] ?? '']),
      );
    },
  };
}

export type Presenter = ReturnType<typeof assumedForms>;

export function assumedForms(store: SandboxStore, forms: Forms) {
  const questions = createQuestions(store, forms);
  const envelopes = createEnvelopes(forms);

  /** An event type's id as bookings show it. */
  function shownTypeId(id: string): string | number {
    if (forms.typeId === 'number') return store.eventTypes.numberOf(id);
    const shown = shownId('eventTypes', id);
    return forms.typeId === 'prefixed' ? `${PREFIX}${shown}` : shown;
  }

  /** The host's time zone if the form shows times in it, otherwise UTC. */
  function zoneOf(account: string): string {
    if (TIMES[forms.start] === undefined && forms.createdAt !== 'local') return 'UTC';
    return store.accounts.find(account)?.timezone ?? 'UTC';
  }

  function shownId(table: 'accounts' | 'bookings' | 'eventTypes' | 'contacts' | 'subscriptions', id: string): string | number {
    return forms.ids === 'number' ? store[table].numberOf(id) : id;
  }

  const presenter = {
    ...questions,
    user({ id, name, email, timezone, locale, plan }: Account): Shown {
      const shown = { id: shownId('accounts', id), name, email, timezone, locale, plan };
      if (forms.user === 'id') return { id: shown.id };
      return forms.user === 'email' ? { email } : shown;
    },
    booking({ account_id: accountId, denied: _denied, id: bookingId, ...booking }: Booking): Shown {
      const id = shownId('bookings', bookingId);
      if (forms.records === 'sparse') return { id };
      const { status, event_type_id, event_type_name: name, start_time, end_time, question_responses: answers, ...others } = booking;
      const { invitee_name, invitee_email, invitee_timezone, previous_start_time: previous, ...rest } = others;
      const zone = zoneOf(accountId);
      const typeId = shownTypeId(event_type_id);
      return {
        id,
        status,
        ...(forms.bookingEventType === 'object' ? { event_type: { id: typeId, name } } : { event_type_id: typeId, event_type_name: name }),
        start_time: shownTime(start_time, forms, zone),
        end_time: shownTime(end_time, forms, zone),
        ...(forms.bookingInvitee === 'object'
          ? { invitee: { name: invitee_name, email: invitee_email, timezone: invitee_timezone } }
          : { invitee_name, invitee_email, invitee_timezone }),
        ...linksOf(bookingId, status, forms),
        question_responses: questions.answersOut(event_type_id, answers),
        ...shownStamps({ ...rest, previous_start_time: previous && shownTime(previous, forms, zone) }, forms, zone),
      };
    },
    eventType({ account_id: account, questions: asked, ...eventType }: EventType): Shown {
      const id = shownId('eventTypes', eventType.id);
      if (forms.records === 'sparse') return { id };
      const shown = { ...shownStamps(eventType, forms, zoneOf(account)), id };
      if (forms.questions === 'absent') return shown;
      return { ...shown, [forms.questions]: asked.map(questions.shownQuestion) };
    },
    contact({ account_id: account, ...contact }: Contact): Shown {
      const id = shownId('contacts', contact.id);
      return forms.records === 'sparse' ? { id } : { ...shownStamps(contact, forms, zoneOf(account)), id };
    },
    /** Never contains the secret, which only `created` shows, once. */
    subscription({ id, account_id: account, url, events, active, created_at }: Subscription): Shown {
      const { subscriptionUrl, subscriptionEvents, hookField } = forms;
      return {
        id: shownId('subscriptions', id),
        ...(hookField === 'absent' ? {} : { [hookField === 'usual' ? subscriptionUrl : hookField]: url }),
        ...(subscriptionEvents === 'event' && events.length === 1 ? { event: events[0] } : { events }),
        active,
        ...shownStamps({ created_at }, forms, zoneOf(account)),
      };
    },
    single: envelopes.single,
    created(subscription: Subscription): Shown {
      const { signing_secret: secret } = subscription;
      return envelopes.created(presenter.subscription(subscription), secret === null ? {} : { signing_secret: secret });
    },
    list: (plural: 'bookings' | 'event_types' | 'contacts' | 'hooks', items: Shown[], { next }: PagePlace): object =>
      envelopes.list(plural, items, next),
    delivered(event: EventName, record: Booking | Contact, show?: Showing): Shown {
      const by: Showing = show ?? presenter;
      return 'event_type_id' in record
        ? envelopes.delivered(event, 'booking', by.booking(record), record.updated_at)
        : envelopes.delivered(event, 'contact', by.contact(record), record.updated_at);
    },
  };
  return presenter;
}

/** The links to reschedule, cancel or view a booking (G47). A cancelled booking can no longer be changed. */
function linksOf(id: string, status: Booking['status'], { bookingLinks }: Forms): Shown {
  const page = `https://invitee.example/${id}`;
  const change = (what: string): string | null => (status === 'CANCELLED' ? null : `${page}/${what}`);
  const [reschedule, cancel] = [change('reschedule'), change('cancel')];
  return bookingLinks === 'absent' ? {} : { reschedule_url: reschedule, cancel_url: cancel, booking_url: page };
}

/** How bookings show a start or end, for forms that differ from the stored one. */
const TIMES: Partial<Record<Forms['start'], (time: DateTime) => string>> = {
  offset: (time) => time.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ"),
  local: (time) => time.toFormat("yyyy-MM-dd'T'HH:mm:ss"),
  minutes: (time) => time.toUTC().toFormat("yyyy-MM-dd'T'HH:mm'Z'"),
};

/** @param zone the host's */
const shownTime = (at: string, { start }: Forms, zone: string): string =>
  TIMES[start]?.(DateTime.fromISO(at, { zone: zoneNamed(zone) })) ?? at;

/** How records show when they were created and changed, for forms that differ from the stored one. */
const STAMPS: Partial<Record<Forms['createdAt'], (ms: number, zone: string) => string | number>> = {
  seconds: (ms) => Math.floor(ms / 1000),
  milliseconds: (ms) => ms,
  local: (ms, zone) => DateTime.fromMillis(ms, { zone: zoneNamed(zone) }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"),
  behind: (ms) => instant(ms + AHEAD.behind * 3 * MINUTE_MS),
  ahead: (ms) => instant(ms + AHEAD.ahead * 3 * MINUTE_MS),
};

/** A record with its creation and change times in the chosen form. @param zone the host's */
function shownStamps<T extends { created_at: string; updated_at?: string }>(
  { created_at, updated_at, ...rest }: T,
  { createdAt }: Forms,
  zone: string,
): Shown {
  if (createdAt === 'absent') return rest;
  const shown = (at: string): string | number => STAMPS[createdAt]?.(Date.parse(at), zone) ?? at;
  if (createdAt === 'zero' && updated_at === created_at) return { ...rest, created_at, updated_at: '0001-01-01T00:00:00Z' };
  return { ...rest, created_at: shown(created_at), ...(updated_at !== undefined && { updated_at: shown(updated_at) }) };
}
