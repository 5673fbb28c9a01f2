import type { Parts } from '../parts.ts';
import type { Account, EventType, Locale, Question } from '../records.ts';
import type { HostBooking } from '../hostActions.ts';
import { choicesOf, type Field, textOf } from './fields.ts';
import type { Section } from './section.ts';
import { instantOf, inWorkingHours, localValue, zones } from './times.ts';

const LOCALES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
];

/** The event types, and the form by which an invitee books one, with its questions. */
export function eventTypes({ store, scheduling, present, host }: Parts): Section<EventType> {
  return {
    table: store.eventTypes,
    what: 'event type',
    lead: () => 'What invitees can book, and the questions they answer.',
    parts: { all: { label: 'All', where: 'account = ?', empty: 'No event types.' } },
    title: ({ name }) => name,
    note: ({ description }) => description,
    columns: () => [
      { label: 'Duration', cell: ({ duration_minutes }) => `${duration_minutes} min` },
      { label: 'Location', cell: ({ location }) => location },
      { label: 'Questions', cell: ({ questions }) => questions.map(({ label }) => label).join(', ') || 'None' },
      {
        label: 'Status',
        cell: ({ active, requires_approval }) => (!active ? 'Inactive' : requires_approval ? 'Needs approval' : 'Active'),
      },
    ],
    shown: (type) => type,
    actions: {
      book: {
        label: 'Book',
        isOffered: ({ active }) => active,
        fields(type, account) {
          const start = scheduling.nextFree(account, type.duration_minutes, inWorkingHours(account.timezone));
          return [...usualFields(account, start), ...questionFields(type, present.asked(type))];
        },
        does(type, values, account) {
          const booking = host.book({ ...inputIn(present.asked(type), values), event_type_id: type.id }, account.id);
          return {
            says: booking.status === 'PENDING' ? 'The request was sent. It needs approval.' : 'The booking was created.',
            to: `/host/bookings/${booking.id}`,
          };
        },
      },
    },
  };
}

/** @param start the next free time in working hours */
const usualFields = ({ timezone }: Account, start: number): Field[] => [
  { name: 'invitee_name', label: 'Name', kind: 'text', required: true },
  { name: 'invitee_email', label: 'Email', kind: 'email', required: true },
  { name: 'start_time', label: 'Start', kind: 'datetime-local', required: true, value: localValue(start, timezone) },
  { name: 'invitee_timezone', label: 'Time zone', choices: choicesOf(zones(timezone)), required: true, value: timezone },
  { name: 'locale', label: 'Language', choices: LOCALES, required: true, value: 'en' },
  { name: 'notes', label: 'Notes', kind: 'textarea' },
];

/** @throws {Refusal} VALIDATION_ERROR for a start that is no time */
function inputIn(asked: Question[], values: URLSearchParams): HostBooking {
  const [invitee_name, invitee_email, invitee_timezone = '', notes] = ['invitee_name', 'invitee_email', 'invitee_timezone', 'notes'].map(
    (name) => textOf(values, name),
  );
  const answers = asked.map((question) => [question.key, answerIn(question, values)] as const);
  return {
    ...{ invitee_name, invitee_email, invitee_timezone, ...(notes !== '' && { notes }) },
    locale: textOf(values, 'locale') as Locale,
    start_time: instantOf(textOf(values, 'start_time'), invitee_timezone),
    question_responses: Object.fromEntries(answers),
  };
}

/** A field for each question of an event type, by its kind. */
const questionFields = (type: EventType, asked: Question[]): Field[] =>
  asked.map((question, index) => {
    const about = { name: nameOf(question), label: question.label, required: question.required };
    const none = { value: '', label: question.required ? 'Choose an option' : 'No answer' };
    // Options may have values that differ from what people read (G6).
    const options = question.options.map((value, at) => ({ value, label: type.questions[index]?.options[at] ?? value }));
    if (question.type === 'multiselect') return { ...about, choices: options, isMany: true };
    if (question.type === 'select') return { ...about, choices: [none, ...options] };
    if (question.type === 'boolean') return { ...about, choices: [none, ...choicesOf(['Yes', 'No'])] };
    return { ...about, kind: question.type === 'phone' ? 'tel' : question.type };
  });

/** The answer in a form, converted to its question's type. A value that does not fit is left for the service to refuse. */
function answerIn(question: Question, values: URLSearchParams): unknown {
  const text = textOf(values, nameOf(question));
  switch (question.type) {
    case 'multiselect':
      return values.getAll(nameOf(question));
    case 'number':
      return text === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return { Yes: true, No: false }[text] ?? text;
    default:
      return text;
  }
}

const nameOf = ({ key }: Question): string => `question_responses.${key}`;
