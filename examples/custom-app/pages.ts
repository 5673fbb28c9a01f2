import type { Booking, EventType } from 'acme-scheduling';
import { html } from 'hono/html';
import type { Line } from './events.ts';

type Html = ReturnType<typeof html>;

/** A page around its content. Every inserted value is escaped. */
export const page = (title: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          body {
            font:
              1rem/1.5 system-ui,
              sans-serif;
            max-width: 48rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          label {
            display: block;
            margin: 0.75rem 0;
          }
          input,
          select,
          button {
            font: inherit;
            padding: 0.3rem 0.5rem;
          }
          td,
          th {
            text-align: left;
            padding: 0.25rem 1rem 0.25rem 0;
          }
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

export const overview = (name: string, lines: readonly Line[]): Html =>
  html`<p>Connected: ${name}</p>
    <form method="post" action="/disconnect"><button>Disconnect</button></form>
    <h2>Events</h2>
    ${lines.length === 0
      ? html`<p>None yet. Book something.</p>`
      : html`<table>
          ${lines.map(
            ({ event, id, at }) =>
              html`<tr>
                <td>${event}</td>
                <td>${id}</td>
                <td>${at}</td>
              </tr>`,
          )}
        </table>`}`;

export const bookings = (list: readonly Booking[]): Html =>
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
          <td>${each.start_time}</td>
          <td>${each.event_type_name}</td>
          <td>${each.invitee_name}</td>
          <td>${each.status}</td>
        </tr>`,
    )}
  </table>`;

export const bookingForm = (types: readonly EventType[], timeZone: string): Html =>
  html`<form method="post" action="/book">
    <label
      >What
      <select name="event_type_id">
        ${types.map(({ id, name }) => html`<option value="${id}">${name ?? id}</option>`)}
      </select></label
    >
    <label>Start (${timeZone}) <input name="start_time" type="datetime-local" required /></label>
    <label>Name <input name="invitee_name" required /></label>
    <label>Email <input name="invitee_email" type="email" required /></label>
    <button>Book</button>
  </form>`;

export const sentence = (text: string): Html => html`<p>${text}</p>`;
