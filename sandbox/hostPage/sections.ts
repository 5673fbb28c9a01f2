import { html } from 'hono/html';
import type * as z from 'zod/v4';
import { applicationName } from '../consent.ts';
import { allowedBy, CancelInput } from '../openapi/endpoints.ts';
import type { SandboxParts } from '../parts.ts';
import type { Booking, EventType, Grant } from '../records.ts';
import { HostBookingInput, parse, type RescheduleInput } from '../schemas.ts';
import { answersTo } from '../seed.ts';
import { deliveries, subscriptions } from './deliveries.ts';
import { badge, type HostHtml, named, type SectionName } from './layout.ts';
import { type RecordSection, sectionOf } from './section.ts';
import { moment } from './times.ts';

/** Every table of the host's pages. */
export const hostSections = (parts: SandboxParts): Record<SectionName, RecordSection> => ({
  bookings: bookings(parts),
  types: eventTypes(parts),
  subscriptions: subscriptions(parts),
  deliveries: deliveries(parts),
  applications: applications(parts),
});

const STATUS = {
  CONFIRMED: badge('good', 'Confirmed'),
  PENDING: badge('warn', 'Pending'),
  CANCELLED: badge('quiet', 'Cancelled'),
  DENIED: badge('quiet', 'Denied'),
};

function bookings(parts: SandboxParts): RecordSection {
  const { store, host } = parts;
  const { timezone } = store.accounts.first();
  const reason = { input: () => ({ reason: '' }), danger: true } as const;
  const reasonIn = (input: unknown) => ({ reason: parse(CancelInput, input).reason || undefined });
  const whose = ({ invitee_name: name }: Booking): string => `${name}'s`;
  return sectionOf<Booking>('bookings', parts, {
    table: store.bookings,
    what: 'booking',
    lead: () => `Times are in the host's time zone, ${timezone}. To book as an invitee, open Event types.`,
    empty: 'No bookings.',
    title: ({ invitee_name }) => invitee_name,
    columns: [
      { label: 'Booking', cell: ({ invitee_name, invitee_email }) => named(invitee_name, invitee_email) },
      { label: 'When', cell: ({ start_time }) => moment(start_time, timezone) },
      { label: 'Event type', cell: ({ event_type_name }) => event_type_name },
      { label: 'Status', cell: ({ status, denied }) => STATUS[denied === true ? 'DENIED' : status] },
    ],
    shown: (booking) => booking,
    actions: {
      approve: {
        label: 'Approve',
        isOffered: ({ status }) => status === 'PENDING',
        does: ({ id }) => `${whose(host.approve(id))} booking was approved.`,
      },
      deny: {
        ...reason,
        label: 'Deny',
        isOffered: ({ status }) => status === 'PENDING',
        does: ({ id }, input) => `${whose(host.deny(id, reasonIn(input)))} request was denied.`,
      },
      reschedule: {
        label: 'Reschedule',
        isOffered: ({ status }) => status === 'CONFIRMED',
        input: ({ start_time }) => ({ start_time }),
        does: ({ id }, input) => `${whose(host.reschedule(id, input as z.input<typeof RescheduleInput>))} booking was rescheduled.`,
      },
      cancel: {
        ...reason,
        label: 'Cancel booking',
        isOffered: ({ status }) => status !== 'CANCELLED',
        does: ({ id }, input) => `${whose(host.cancel(id, reasonIn(input)))} booking was cancelled.`,
      },
    },
  });
}

/** What invitees can book, with a valid example booking for each. */
function eventTypes(parts: SandboxParts): RecordSection {
  const { store, present, host } = parts;
  return sectionOf<EventType>('types', parts, {
    table: store.eventTypes,
    order: 'oldest',
    what: 'event type',
    lead: () => 'What invitees can book, and the questions they answer.',
    empty: 'No event types.',
    title: ({ name }) => name,
    columns: [
      { label: 'Event type', cell: ({ name, description }) => named(name, description) },
      { label: 'Duration', cell: ({ duration_minutes }) => `${duration_minutes} min` },
      { label: 'Location', cell: ({ location }) => location },
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
        input: (type) => ({
          invitee_name: 'Robin Sample',
          invitee_email: 'robin.sample@example.com',
          start_time: host.nextFree(type.duration_minutes),
          notes: '',
          question_responses: answersTo(present.asked(type)),
        }),
        does({ id }, input) {
          const { status } = host.book({ ...parse(HostBookingInput, input), event_type_id: id });
          return status === 'PENDING' ? 'The request was sent. It needs approval.' : 'The booking was created.';
        },
      },
    },
  });
}

/** The applications with access, their permissions in plain words, and how to connect another one. */
function applications(parts: SandboxParts): RecordSection {
  const { store, grants } = parts;
  const { name, timezone } = store.accounts.first();
  const nameOf = ({ client_id, redirect_uri }: Grant): string =>
    applicationName(store.clients.find(client_id) ?? { name: client_id }, redirect_uri);
  const revoked = (at: string): HostHtml => html`${badge('quiet', 'Revoked')} <small>${moment(at, timezone)}</small>`;
  return sectionOf<Grant>('applications', parts, {
    table: store.grants,
    what: 'application',
    lead: () =>
      `Applications that can use ${name}'s account. Revoking access ends all of an application's tokens at once. Its subscriptions stay until you remove them.`,
    empty: 'No application is connected.',
    title: nameOf,
    columns: [
      { label: 'Application', cell: (grant) => named(nameOf(grant), html`Connected ${moment(grant.created_at, timezone)}`) },
      {
        label: 'Permissions',
        cell: ({ scopes }) =>
          html`<ul>
            ${scopes.map((scope) => html`<li>${allowedBy(scope)}</li>`)}
          </ul>`,
      },
      { label: 'Status', cell: ({ revoked_at: at }) => (at === null ? badge('good', 'Connected') : revoked(at)) },
    ],
    shown: (grant) => grant,
    actions: {
      revoke: {
        label: 'Revoke',
        danger: true,
        isOffered: ({ revoked_at }) => revoked_at === null,
        does(grant) {
          grants.revoke(grant.id);
          return `${nameOf(grant)} is disconnected. Its tokens no longer work.`;
        },
      },
    },
    after(origin) {
      const { id, secret, redirectUris } = store.clients.first();
      return html`<article>
        <h2>Connect another application</h2>
        <p>Use these values wherever a client id and secret are asked for:</p>
        <pre>${[`Base URL       ${origin}/api/v1`, `Client id      ${id}`, `Client secret  ${secret}`].join('\n')}</pre>
        <p>The answer goes to one of these redirect addresses. For another: <code>npm run sandbox -- --redirect &lt;address&gt;</code></p>
        <pre>${redirectUris.join('\n')}</pre>
      </article>`;
    },
  });
}
