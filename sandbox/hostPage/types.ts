import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import type { Account, EventType, Question } from '../records.ts';
import { type Detail, Refusal } from '../errors.ts';
import type { HostBooking } from '../hostActions.ts';
import { HostBookingInput, parse, parseAnswers, refusalOf } from '../schemas.ts';
import { choicesOf, errorSummary, type Field, type Filled, filledWith, renderField, renderForm, sentFields, textOf } from './fields.ts';
import type { Html } from './layout.ts';
import type { Site } from './site.ts';
import { badge } from './tables.ts';
import { instantOf, inWorkingHours, localValue, zones } from './times.ts';

export const LOCALES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
];

/** The event types, and the page where an invitee books one, with its questions. */
export function typePages(site: Site): Hono<Env> {
  const { store, scheduling, present, host } = site.parts;
  const named = (c: Request): EventType => site.named(c, store.eventTypes, 'event type');

  function show(c: Request, type: EventType, filled: Filled): Response | Promise<Response> {
    const account = c.get('account');
    const fields = [...usualFields(account), ...questionFields(type, present.asked(type))];
    return site.show(c, {
      title: `Book ${type.name}`,
      section: 'types',
      lead: `${type.duration_minutes} minutes with ${account.name}, ${type.location}.${type.requires_approval ? ' Requests need approval.' : ''}`,
      ...(filled.errors.length > 0 && { status: 400 }),
      content: html`${errorSummary(fields, filled)}
        <article class="form">
          ${renderForm(`/host/types/${type.id}/book`, 'Book', { fields: fields.map((field) => renderField(field, filled)) })}
        </article>`,
    });
  }

  return new Hono<Env>()
    .get('/', (c) =>
      site.show(c, {
        title: 'Event types',
        section: 'types',
        lead: 'What invitees can book, and the questions they answer.',
        content: html`<div class="grid">${store.eventTypes.all({ where: 'account = ?', values: [c.get('account').id] }).map(card)}</div>`,
      }),
    )
    .get('/:id/book', (c) => {
      const type = named(c);
      const account = c.get('account');
      const { timezone } = account;
      const start = scheduling.nextFree(account, type.duration_minutes, inWorkingHours(timezone));
      return show(c, type, filledWith({ start_time: localValue(start, timezone), invitee_timezone: timezone, locale: 'en' }));
    })
    .post('/:id/book', (c) => {
      const type = named(c);
      const values = sentFields(c);
      let made = '';
      return site.act(c, {
        fires: true,
        to: () => `/host/bookings/${made}`,
        work: () => {
          const booking = host.book({ ...inputIn(present.asked(type), values), event_type_id: type.id }, c.get('account').id);
          made = booking.id;
          return booking.status === 'PENDING' ? 'The request was sent. It needs approval.' : 'The booking was created.';
        },
        again: (errors) => show(c, type, { values, errors }),
      });
    });
}

function card({ id, name, description, duration_minutes, location, active, requires_approval, questions }: EventType): Html {
  return html`<article>
    <h2>${name}</h2>
    <p class="row">
      ${badge('quiet', `${duration_minutes} min`)} ${badge('quiet', location)} ${requires_approval && badge('warn', 'Needs approval')}
      ${!active && badge('bad', 'Inactive')}
    </p>
    <p>${description}</p>
    ${questions.length === 0
      ? html`<p class="muted">No questions.</p>`
      : html`<details>
          <summary>${questions.length === 1 ? '1 question' : `${questions.length} questions`}</summary>
          <ul>
            ${questions.map(({ label, type, required }) => html`<li>${label} <small>${type}${required ? ', required' : ''}</small></li>`)}
          </ul>
        </details>`}
    ${active
      ? html`<p><a class="button" href="/host/types/${id}/book" aria-label="Book ${name}">Book</a></p>`
      : html`<p class="muted">Cannot be booked.</p>`}
  </article>`;
}

function usualFields({ timezone }: Account): Field[] {
  return [
    { name: 'invitee_name', label: 'Name', kind: 'text', required: true, autocomplete: 'name' },
    { name: 'invitee_email', label: 'Email', kind: 'email', required: true, autocomplete: 'email' },
    {
      name: 'start_time',
      label: 'Start',
      kind: 'datetime-local',
      required: true,
      hint: 'In the time zone below. Defaults to the next free time in working hours.',
    },
    { name: 'invitee_timezone', label: 'Time zone', kind: 'select', required: true, choices: choicesOf(zones(timezone)) },
    { name: 'locale', label: 'Language', kind: 'select', required: true, choices: LOCALES },
    { name: 'notes', label: 'Notes', kind: 'textarea', maxlength: 2000 },
  ];
}

/** @throws {Refusal} VALIDATION_ERROR that lists every mistake at once, so that people need not correct one field at a time */
function inputIn(asked: Question[], values: URLSearchParams): HostBooking {
  const wrong: Detail[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal) || error.details === undefined) throw error;
      wrong.push(...error.details);
      return undefined;
    }
  };
  const text = (name: string): string => textOf(values, name);
  const [invitee_name, invitee_email, invitee_timezone, locale] = ['invitee_name', 'invitee_email', 'invitee_timezone', 'locale'].map(text);
  const notes = text('notes');
  const input = attempt(() =>
    parse(HostBookingInput, { invitee_name, invitee_email, invitee_timezone, locale, ...(notes !== '' && { notes }) }),
  );
  const start_time = attempt(() => instantOf(text('start_time'), text('invitee_timezone')));
  const question_responses = attempt(() =>
    parseAnswers(asked, Object.fromEntries(asked.map((question) => [question.key, answerIn(question, values)]))),
  );
  if (input === undefined || start_time === undefined || question_responses === undefined) throw refusalOf(wrong);
  return { ...input, start_time, question_responses };
}

/** A field for each question of an event type, by its kind. */
function questionFields(type: EventType, asked: Question[]): Field[] {
  return asked.map((question, index) => {
    const { label, required } = question;
    const about = { name: nameOf(question), label, required, subject: 'The answer' };
    // Options may have values that differ from what people read (G6).
    const choices = question.options.map((value, at) => ({ value, label: type.questions[index]?.options[at] ?? value }));
    const none = { value: '', label: required ? 'Choose an option' : 'No answer' };
    switch (question.type) {
      case 'select':
        return { ...about, kind: 'select', choices: [none, ...choices] };
      case 'multiselect':
        return { ...about, kind: 'checkboxes', choices };
      case 'boolean':
        return { ...about, kind: 'select', choices: [none, ...choicesOf(['Yes', 'No'])] };
      case 'textarea':
        return { ...about, kind: 'textarea', maxlength: 5000 };
      case 'phone':
        return { ...about, kind: 'tel', autocomplete: 'tel' };
      default:
        return { ...about, kind: question.type };
    }
  });
}

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

function nameOf({ key }: Question): string {
  return `question_responses.${key}`;
}
