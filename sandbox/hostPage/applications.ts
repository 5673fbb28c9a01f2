import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../context.ts';
import { applicationName } from '../consent.ts';
import { isScope, SCOPES } from '../guard.ts';
import { type Account, type Grant, planLabel, PLANS } from '../records.ts';
import { parse, PlanInput } from '../schemas.ts';
import { filledWith, renderForm, renderField, sentFields, textOf } from './fields.ts';
import type { Html } from './layout.ts';
import type { Site } from './site.ts';
import { badge, type Column, liveSwitch, renderFacts, renderPage } from './tables.ts';
import { moment } from './times.ts';

const PATH = '/host/applications';

/** The applications that have access. Each shows its permissions in words and a button to revoke them. */
export function applicationPages(site: Site): Hono<Env> {
  const { store, grants, host } = site.parts;
  const nameOf = ({ client_id, redirect_uri }: Grant): string =>
    applicationName(store.clients.find(client_id) ?? { name: client_id }, redirect_uri);

  return new Hono<Env>()
    .get('/', (c) => {
      const account = c.get('account');
      const columns: Column<Grant>[] = [
        { label: 'Application', cell: (grant) => html`<strong>${nameOf(grant)}</strong>` },
        {
          label: 'Permissions',
          cell: ({ scopes }) =>
            html`<ul>
              ${scopes.map((scope) => html`<li>${isScope(scope) ? SCOPES[scope] : scope}</li>`)}
            </ul>`,
        },
        { label: 'Connected', cell: ({ created_at }) => moment(created_at, account.timezone) },
        {
          label: 'Status',
          cell: ({ revoked_at }) =>
            revoked_at === null
              ? badge('good', 'Connected')
              : html`${badge('quiet', 'Revoked')}<br /><small>${moment(revoked_at, account.timezone)}</small>`,
        },
        {
          label: 'Action',
          cell: (grant) =>
            grant.revoked_at === null
              ? renderForm(`${PATH}/${grant.id}/revoke`, 'Revoke', { kind: 'danger', name: `Revoke the access of ${nameOf(grant)}` })
              : '',
        },
      ];
      return site.show(c, {
        title: 'Connected applications',
        section: 'applications',
        lead: `Applications that can use ${account.name}'s account. Revoking access ends all of an application's tokens at once. Its subscriptions stay until you remove them.`,
        actions: liveSwitch,
        content: html`${renderPage(
            c,
            store.grants,
            { where: 'account = ?', values: [account.id], order: 'newest' },
            { id: 'applications', caption: 'Connected applications', columns, empty: 'No application is connected.' },
          )}
          <article aria-labelledby="own">
            <h2 id="own">Connect another application</h2>
            <p>Use these values wherever a client id and secret are asked for:</p>
            ${renderFacts([
              ['Base URL', html`<code>${new URL(c.req.url).origin}/api/v1</code>`],
              ['Client id', html`<code>${store.clients.first().id}</code>`],
              ['Client secret', html`<code>${store.clients.first().secret}</code>`],
              ['Redirect addresses', html`${store.clients.first().redirectUris.map((uri) => html`<code>${uri}</code><br />`)}`],
            ])}
            <p>Another redirect address: <code>npm run sandbox -- --redirect &lt;address&gt;</code></p>
          </article>
          <article aria-labelledby="plan">
            <h2 id="plan">Plan</h2>
            <p>The API needs the Pro plan or higher. On the Free plan every call fails with <code>PLAN_REQUIRED</code>.</p>
            ${renderForm(`${PATH}/plan`, 'Change plan', { kind: 'quiet', fields: planField(account) })}
          </article>`,
      });
    })
    .post('/plan', (c) =>
      site.act(c, {
        to: () => PATH,
        work: () =>
          `The account is now on the ${planLabel(host.setPlan(parse(PlanInput, { plan: textOf(sentFields(c), 'plan') }).plan, c.get('account').id))}.`,
      }),
    )
    .post('/:id/revoke', (c) =>
      site.act(c, {
        to: () => PATH,
        work: () => {
          const grant = site.named(c, store.grants, 'connection');
          grants.revoke(grant.id);
          return `${nameOf(grant)} is disconnected. Its tokens no longer work.`;
        },
      }),
    );
}

function planField({ plan }: Account): Html {
  return renderField(
    {
      name: 'plan',
      label: 'Plan',
      kind: 'select',
      required: true,
      choices: Object.entries(PLANS).map(([value, label]) => ({ value, label })),
    },
    filledWith({ plan }),
  );
}
