import { readableTime, type Booking, type EventType } from 'acme-scheduling';
import { html, raw } from 'hono/html';
import type { Line } from './events.ts';

type Html = ReturnType<typeof html>;

const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
label { display: block; margin: 0.75rem 0; }
input, select, textarea, button { font: inherit; padding: 0.3rem 0.5rem; }
button { cursor: pointer; }
label > :is(input, select, textarea) { display: block; box-sizing: border-box; width: 100%; max-width: 24rem; }
table { width: 100%; border-collapse: collapse; }
td, th { text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid #8886; }`;

/** A complete page around its content. Every inserted value is escaped. */
export const page = (title: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <nav><a href="/">Overview</a> · <a href="/bookings">Bookings</a> · <a href="/book">Book</a></nav>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`;

export const notConnected = (): Html =>
  html`<p>No account is connected.</p>
    <form method="post" action="/connect"><button>Connect an account</button></form>`;

export const overview = (name: string, lines: readonly Line[], timeZone: string): Html =>
  html`<p>Connected: ${name}</p>
    <form method="post" action="/disconnect"><button>Disconnect</button></form>
    <h2>Events</h2>
    ${lines.length === 0
      ? html`<p>None yet. Book something.</p>`
      : html`<table>
          ${lines.map(
            ({ event, id, name, at }) =>
              html`<tr>
                <td>${inWords(event)}</td>
                <td>${name || id}</td>
                <td>${shown(at, timeZone)}</td>
              </tr>`,
          )}
        </table>`}`;

/** An event name as people write it: `BOOKING_CREATED` becomes "Booking created". */
const inWords = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

/** A time in a zone, as people write it. */
const shown = (time: string, timeZone: string): string => readableTime(time, timeZone) ?? time;

export const bookings = (list: readonly Booking[], timeZone: string): Html =>
  html`<table>
    <tr>
      <th>Start</th>
      <th>What</th>
      <th>Who</th>
      <th>Status</th>
    </tr>
    ${list.map(
      (each) =>
        html`<tr>
          <td>${shown(each.start_time ?? '', timeZone)}</td>
          <td>${each.event_type_name}</td>
          <td>${each.invitee_name}</td>
          <td>${inWords(each.status ?? '')}</td>
        </tr>`,
    )}
  </table>`;

/** The bookable event types, as links to their forms. */
export const eventTypes = (types: readonly EventType[]): Html =>
  html`<ul>
    ${types.map(
      ({ id, name, duration_minutes: minutes }) =>
        html`<li>
          <a href="/book?event_type_id=${encodeURIComponent(id)}">${name ?? id}</a>${typeof minutes === 'number' ? ` (${minutes} min)` : ''}
        </li>`,
    )}
  </ul>`;

/**
 * The form for one event type with its questions. The answer to a question is sent as `answer.<key>`.
 *
 * @param filled what was entered before, if the booking was refused
 */
export const bookingForm = ({ id, questions }: EventType, timeZone: string, filled = new FormData()): Html => {
  const value = (name: string): string => {
    const entered = filled.get(name);
    return typeof entered === 'string' ? entered : '';
  };
  return html`<form method="post" action="/book">
    <input type="hidden" name="event_type_id" value="${id}" />
    <label>Start (${timeZone}) <input name="start_time" type="datetime-local" value="${value('start_time')}" required /></label>
    <label>Name <input name="invitee_name" value="${value('invitee_name')}" required /></label>
    <label>Email <input name="invitee_email" type="email" value="${value('invitee_email')}" required /></label>
    ${(questions ?? []).map((question) => answerField(question, filled.getAll(`answer.${question.key}`).map(String)))}
    <button>Book</button>
  </form>`;
};

type Question = NonNullable<EventType['questions']>[number];

const inputTypes: Readonly<Record<string, string>> = { number: 'number', email: 'email', phone: 'tel', date: 'date' };

function answerField({ key, label, type, required, options }: Question, answers: readonly string[]): Html {
  const name = `answer.${key}`;
  const need = required ? html`required` : '';
  const choices = type === 'boolean' ? [['true', 'Yes'] as const, ['false', 'No'] as const] : (options ?? []).map(choice);
  if (choices.length > 0) {
    const several = type === 'multiselect';
    const offered = choices.map(
      ([value, text]) => html`<option value="${value}" ${answers.includes(value) ? html`selected` : ''}>${text}</option>`,
    );
    return html`<label
      >${label ?? key}
      <select name="${name}" ${need} ${several ? html`multiple` : ''}>
        ${several ? '' : html`<option></option>`} ${offered}
      </select></label
    >`;
  }
  const [answer = ''] = answers;
  if (type === 'textarea') return html`<label>${label ?? key} <textarea name="${name}" ${need}>${answer}</textarea></label>`;
  return html`<label>${label ?? key} <input name="${name}" type="${inputTypes[type ?? ''] ?? 'text'}" value="${answer}" ${need} /></label>`;
}

/** An option is its own text, or an object with a value and a label. */
function choice(option: unknown): readonly [value: string, text: string] {
  const { value, label = value } =
    typeof option === 'object' && option !== null ? (option as { value?: unknown; label?: unknown }) : { value: option };
  return [String(value), String(label)];
}

export const sentence = (text: string): Html => html`<p>${text}</p>`;

export const connected = (): Html =>
  html`<p>The account is connected, and its events come here.</p>
    <p><a href="/book">Book something</a>, or go to the <a href="/">overview</a> to disconnect it.</p>`;
