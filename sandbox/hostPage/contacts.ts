import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env, Request } from '../context.ts';
import type { HostContact } from '../hostActions.ts';
import { eventLabel } from '../events.ts';
import type { Contact } from '../records.ts';
import { choicesOf, errorSummary, type Field, type Filled, filledWith, renderField, renderForm, sentFields, textOf } from './fields.ts';
import type { Site } from './site.ts';
import { liveSwitch, renderPage, renderTable } from './tables.ts';
import { moment, zones } from './times.ts';
import { bookingColumns } from './bookings.ts';
import { LOCALES } from './types.ts';

/** The contacts, and the form to edit one. */
export function contactPages(site: Site): Hono<Env> {
  const { store, host } = site.parts;
  const named = (c: Request): Contact => site.named(c, store.contacts, 'contact');

  function show(c: Request, contact: Contact, filled: Filled): Response | Promise<Response> {
    const { id, timezone } = c.get('account');
    const fields = fieldsOf(contact);
    const bookings = store.bookings.all({
      where: 'account = ? AND email = lower(?)',
      values: [id, contact.email],
      by: 'starts',
      order: 'newest',
      limit: 10,
    });
    return site.show(c, {
      title: contact.name,
      section: 'contacts',
      lead: contact.email,
      ...(filled.errors.length > 0 && { status: 400 }),
      content: html`${errorSummary(fields, filled)}
        <div class="columns">
          <article aria-labelledby="edit">
            <h2 id="edit">Edit <small>sends ${eventLabel('CONTACT_UPDATED')}</small></h2>
            ${renderForm(`/host/contacts/${contact.id}`, 'Save', { fields: fields.map((field) => renderField(field, filled)) })}
          </article>
          <section aria-labelledby="booked">
            <h2 id="booked">Bookings</h2>
            ${renderTable('bookings', 'Bookings', bookingColumns(timezone), bookings, 'No bookings yet.')}
            <p class="muted">Created ${moment(contact.created_at, timezone)}. Last changed ${moment(contact.updated_at, timezone)}.</p>
          </section>
        </div>`,
    });
  }

  return new Hono<Env>()
    .get('/', (c) => {
      const { id, timezone } = c.get('account');
      return site.show(c, {
        title: 'Contacts',
        section: 'contacts',
        lead: 'Everyone who books becomes a contact. Newest first.',
        actions: liveSwitch,
        content: renderPage(
          c,
          store.contacts,
          { where: 'account = ?', values: [id], order: 'newest' },
          {
            id: 'contacts',
            caption: 'Contacts',
            columns: [
              {
                label: 'Name',
                cell: ({ id: contactId, name, email }) =>
                  html`<a href="/host/contacts/${contactId}">${name}</a><br /><small>${email}</small>`,
              },
              { label: 'Phone', cell: ({ phone }) => phone ?? '–' },
              { label: 'Time zone', cell: ({ timezone: zone }) => zone },
              { label: 'Last changed', cell: ({ updated_at }) => moment(updated_at, timezone) },
            ],
            empty: 'No contacts yet.',
          },
        ),
      });
    })
    .get('/:id', (c) => {
      const contact = named(c);
      const { name, timezone, locale, phone, notes } = contact;
      return show(c, contact, filledWith({ name, timezone, locale, phone: phone ?? '', notes: notes ?? '' }));
    })
    .post('/:id', (c) => {
      const contact = named(c);
      const values = sentFields(c);
      return site.act(c, {
        fires: true,
        to: () => `/host/contacts/${contact.id}`,
        work: () =>
          host.editContact(contact.id, changeIn(values)).updated_at === contact.updated_at
            ? 'No changes to save.'
            : `${contact.name} was saved.`,
        again: (errors) => show(c, contact, { values, errors }),
      });
    });
}

function fieldsOf({ timezone }: Contact): Field[] {
  return [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'phone', label: 'Phone', kind: 'tel' },
    { name: 'timezone', label: 'Time zone', kind: 'select', required: true, choices: choicesOf(zones(timezone)) },
    { name: 'locale', label: 'Language', kind: 'select', required: true, choices: LOCALES },
    { name: 'notes', label: 'Notes', kind: 'textarea', maxlength: 2000 },
  ];
}

function changeIn(values: URLSearchParams): HostContact {
  const orNull = (name: string): string | null => textOf(values, name) || null;
  return {
    name: textOf(values, 'name'),
    phone: orNull('phone'),
    timezone: textOf(values, 'timezone'),
    locale: textOf(values, 'locale') as Contact['locale'],
    notes: orNull('notes'),
  };
}
