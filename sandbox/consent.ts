import { Hono } from 'hono';
import { html } from 'hono/html';
import { brand } from '../shared/brand.ts';
import type { SandboxEnv, Request } from './context.ts';
import type { SandboxParts } from './parts.ts';
import { type GivenConsent, OAuthError } from './grants.ts';
import { type HostHtml, renderCardPage, sentFields } from './hostPage/layout.ts';
import { parseScopes } from './oauth.ts';
import { allowedBy } from './openapi/endpoints.ts';
import { type Account, type RegisteredClient, planLabel } from './records.ts';
import type { SandboxStore } from './store.ts';

type AuthorizationRequest = Omit<GivenConsent, 'accountId'>;

/**
 * GET /oauth/authorize shows the consent page, whose form is sent to the same address (section 5, G24 to G26). The person at the browser
 * counts as signed in to every account of the sandbox, and chooses one if there are several.
 */
export function consentRoutes({ store, grants }: SandboxParts): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .get('/authorize', (c) =>
      answered(c, store, (asked) => {
        const name = applicationName(asked.client, asked.redirectUri);
        return renderCardPage(c, `Connect ${name}`, consentForm(c, name, asked, store.accounts.all()), { formTarget: asked.redirectUri });
      }),
    )
    .post('/authorize', (c) =>
      answered(c, store, (asked, back) => {
        // Browsers send the origin with every form.
        if (c.req.header('origin') !== new URL(c.req.url).origin)
          throw new ConsentProblem('This answer did not come from the page of the sandbox. Go back to the application and connect again.');
        const fields = sentFields(c);
        if (fields.get('decision') !== 'approve')
          return back({ error: 'access_denied', error_description: 'The account holder denied access.' });
        const account = store.accounts.find(fields.get('account') ?? '') ?? store.accounts.first();
        const code = grants.consent({ ...asked, accountId: account.id });
        c.get('entry').committed = true;
        return back({ code });
      }),
    );
}

type Answered = Response | Promise<Response>;

/** Handles a request whose client and redirect address are valid. Any other error in it is reported to its redirect address. */
function answered(
  c: Request,
  store: SandboxStore,
  work: (asked: AuthorizationRequest, back: (fields: Record<string, string>) => Response) => Answered,
): Answered {
  const { client, redirectUri } = clientOf(c, store);
  const back = (fields: Record<string, string>): Response => {
    // The address keeps its own query (RFC 6749 section 3.1.2).
    const url = new URL(redirectUri);
    const state = c.req.query('state');
    for (const [name, value] of Object.entries({ ...fields, ...(state !== undefined && { state }) })) url.searchParams.set(name, value);
    c.header('cache-control', 'no-store');
    return c.redirect(url.href, c.req.method === 'POST' ? 303 : 302);
  };
  try {
    const asked = requestIn(c);
    // Without a secret, only PKCE proves that whoever redeems the code has requested it.
    if (client.secret === '' && asked.codeChallenge === null)
      throw new OAuthError('invalid_request', 'code_challenge is missing: an application without a secret must use PKCE.');
    return work({ client, redirectUri, ...asked }, back);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return back({ error: error.error, error_description: error.message });
  }
}

/** The client and the redirect address. Until both are valid, nothing is sent anywhere. */
function clientOf(c: Request, store: SandboxStore): { client: RegisteredClient; redirectUri: string } {
  const once = (name: string): string => {
    const [value = '', ...others] = c.req.queries(name) ?? [];
    if (value === '' || others.length > 0) throw new ConsentProblem(`The address must contain ${name} exactly once.`);
    return value;
  };
  const client = store.clients.find(once('client_id'));
  if (client === undefined)
    throw new ConsentProblem('No application is registered with this client ID. Check it in the application that sent you here.');
  const redirectUri = once('redirect_uri');
  if (!client.redirectUris.includes(redirectUri))
    throw new ConsentProblem(
      `The redirect address ${redirectUri.slice(0, 300)} is not registered for ${client.name}. It must match a registered address exactly.`,
    );
  return { client, redirectUri };
}

/** A problem that can only be shown to the person at the browser. */
export class ConsentProblem extends Error {}

export function consentProblemPage(c: Request, problem: ConsentProblem): Response | Promise<Response> {
  return renderCardPage(c, 'Cannot connect', html`<p>${problem.message}</p>`, { status: 400 });
}

/** @throws {OAuthError} which is reported to the redirect address */
function requestIn(c: Request): Pick<AuthorizationRequest, 'scopes' | 'codeChallenge'> {
  const names = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];
  const twice = names.find((name) => (c.req.queries(name) ?? []).length > 1);
  if (twice !== undefined) throw new OAuthError('invalid_request', `${twice} is given twice.`);
  const responseType = c.req.query('response_type');
  if (responseType === undefined) throw new OAuthError('invalid_request', 'response_type is missing.');
  if (responseType !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  const scopes = parseScopes(c.req.query('scope'));
  if (scopes === undefined) throw new OAuthError('invalid_scope', 'scope is missing.');
  const codeChallenge = c.req.query('code_challenge') ?? null;
  const method = c.req.query('code_challenge_method');
  if (codeChallenge === null && method !== undefined) throw new OAuthError('invalid_request', 'code_challenge is missing.');
  if (codeChallenge !== null && method !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method must be S256.');
  if (codeChallenge !== null && !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
    throw new OAuthError('invalid_request', 'code_challenge must be the base64url of a SHA-256.');
  return { scopes, codeChallenge };
}

/** @param name the application's name for people */
function consentForm(c: Request, name: string, { redirectUri, scopes }: AuthorizationRequest, accounts: Account[]): HostHtml {
  return html`<p><strong>${name}</strong> wants to use your ${brand.name} account. It will be able to:</p>
    <ul>
      ${scopes.map((scope) => html`<li>${allowedBy(scope)} <code>${scope}</code></li>`)}
    </ul>
    <form method="post" action="${c.req.path}${new URL(c.req.url).search}">
      <fieldset>
        <legend>Account</legend>
        ${accounts.map(
          (account, index) =>
            html`<label
              ><input type="radio" name="account" value="${account.id}" ${index === 0 ? 'checked' : ''} />
              <span>${account.name}<br /><small>${account.email}, ${planLabel(account)}</small></span></label
            >`,
        )}
      </fieldset>
      <p class="row">
        <button name="decision" value="approve">Allow</button> <button name="decision" value="deny" class="outline secondary">Deny</button>
      </p>
    </form>
    <p class="muted">Your answer goes to <code>${redirectUri}</code>.</p>`;
}

/**
 * An application's name that tells it from others: "Our connector at localhost:5678". Several on one machine may share a client.
 *
 * @param redirectUri where the consent page redirects to; without it, only the client's name is known
 */
export function applicationName({ name }: Pick<RegisteredClient, 'name'>, redirectUri = ''): string {
  const { host = '' } = URL.canParse(redirectUri) ? new URL(redirectUri) : {};
  return host === '' ? name : `${name} at ${host}`;
}
