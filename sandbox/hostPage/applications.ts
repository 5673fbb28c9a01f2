import { html } from 'hono/html';
import type { Parts } from '../parts.ts';
import { applicationName } from '../consent.ts';
import { allowedBy } from '../openapi/endpoints.ts';
import type { Grant } from '../records.ts';
import type { Section } from './section.ts';
import { badge, renderFacts } from './tables.ts';
import { moment } from './times.ts';

/** The applications that have access, with their permissions in words, and how to connect another one. */
export function applications({ store, grants }: Parts): Section<Grant> {
  const nameOf = ({ client_id, redirect_uri }: Grant): string =>
    applicationName(store.clients.find(client_id) ?? { name: client_id }, redirect_uri);

  return {
    table: store.grants,
    what: 'application',
    lead: ({ name }) =>
      `Applications that can use ${name}'s account. Revoking access ends all of an application's tokens at once. Its subscriptions stay until you remove them.`,
    parts: { all: { label: 'All', where: 'account = ?', order: 'newest', empty: 'No application is connected.' } },
    title: nameOf,
    note: ({ created_at }, { timezone }) => html`Connected ${moment(created_at, timezone)}`,
    columns: ({ timezone }) => [
      {
        label: 'Permissions',
        cell: ({ scopes }) =>
          html`<ul>
            ${scopes.map((scope) => html`<li>${allowedBy(scope)}</li>`)}
          </ul>`,
      },
      {
        label: 'Status',
        cell: ({ revoked_at }) =>
          revoked_at === null
            ? badge('good', 'Connected')
            : html`${badge('quiet', 'Revoked')} <small>${moment(revoked_at, timezone)}</small>`,
      },
    ],
    shown: (grant) => grant,
    afterList(origin) {
      const { id, secret, redirectUris } = store.clients.first();
      return html`<article>
        <h2>Connect another application</h2>
        <p>Use these values wherever a client id and secret are asked for:</p>
        ${renderFacts([
          ['Base URL', html`<code>${origin}/api/v1</code>`],
          ['Client id', html`<code>${id}</code>`],
          ['Client secret', html`<code>${secret}</code>`],
          ['Redirect addresses', html`${redirectUris.map((uri) => html`<code>${uri}</code><br />`)}`],
        ])}
        <p>Another redirect address: <code>npm run sandbox -- --redirect &lt;address&gt;</code></p>
      </article>`;
    },
    actions: {
      revoke: {
        label: 'Revoke',
        danger: true,
        isOffered: ({ revoked_at }) => revoked_at === null,
        does: (grant) => {
          grants.revoke(grant.id);
          return { says: `${nameOf(grant)} is disconnected. Its tokens no longer work.` };
        },
      },
    },
  };
}
