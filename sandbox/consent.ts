import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { brand } from '../shared/brand.ts';
import type { Env, Parts, Request } from './context.ts';
import { type Scope, SCOPES } from './guard.ts';
import { OAuthError } from './grants.ts';
import { parseScopes } from './oauth.ts';
import { type Html, renderCardPage } from './hostPage/layout.ts';
import { type Account, type Client, hashed, planLabel } from './records.ts';

const PENDING_MS = 10 * 60_000;
const PENDING_MAX = 1000;
const COOKIE = 'sandbox_browser';

/** An authorization request that a person is looking at. */
interface Pending {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  scopes: string[];
  codeChallenge: string | null;
  /** The hash of the cookie of the browser that asked: no other browser may answer. */
  browser: string;
  expires: number;
}

/**
 * GET /oauth/authorize shows the consent page; POST takes the answer (section 5, G24 to G26). The person at the browser counts as signed in
 * to every account of the sandbox, and chooses one if there are several.
 */
export function consentRoutes({ store, grants, clock }: Parts): Hono<Env> {
  const pending = new Map<string, Pending>();

  const show = (c: Request): Response | Promise<Response> => {
    const { client, redirectUri } = clientOf(c);
    const state = c.req.query('state');
    try {
      const request = readRequest(c);
      forgetOld();
      const consent = randomBytes(24).toString('base64url');
      const browser = getCookie(c, COOKIE) ?? randomBytes(24).toString('base64url');
      pending.set(consent, { ...request, client, redirectUri, state, browser: hashed(browser), expires: clock.now() + PENDING_MS });
      setCookie(c, COOKIE, browser, { path: '/oauth', httpOnly: true, sameSite: 'Lax' });
      const name = applicationName(client, redirectUri);
      return renderCardPage(c, `Connect ${name}`, consentForm(name, { client, redirectUri, ...request }, store.accounts.all(), consent), {
        formTarget: redirectUri,
      });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      return c.redirect(answer(redirectUri, { error: error.error, error_description: error.message, state }));
    }
  };

  const decide = (c: Request): Response | Promise<Response> => {
    const fields = new URLSearchParams(new TextDecoder().decode(c.get('body')));
    const consent = fields.get('consent') ?? '';
    const request = pending.get(consent);
    const origin = c.req.header('origin');
    const sameSite = origin === undefined || origin === new URL(c.req.url).origin;
    if (request === undefined || request.expires <= clock.now() || !sameSite || hashed(getCookie(c, COOKIE) ?? '') !== request.browser) {
      throw new ConsentProblem('This page has expired. Go back to the application and connect again.');
    }
    pending.delete(consent);
    const { client, redirectUri, state, scopes, codeChallenge } = request;
    c.header('cache-control', 'no-store');
    if (fields.get('decision') !== 'approve')
      return c.redirect(
        answer(redirectUri, { error: 'access_denied', error_description: 'The account holder denied access.', state }),
        303,
      );
    const account = store.accounts.find(fields.get('account') ?? '') ?? store.accounts.all({ limit: 1 })[0];
    if (account === undefined) throw new ConsentProblem('The sandbox has no account.');
    const code = grants.consent({ client, accountId: account.id, scopes, redirectUri, codeChallenge });
    c.get('entry').committed = true;
    return c.redirect(answer(redirectUri, { code, state }), 303);
  };

  /** Who asks and where the answer goes. Until both are certain, nothing is sent anywhere. */
  function clientOf(c: Request): { client: Client; redirectUri: string } {
    const once = (name: string): string => {
      const values = c.req.queries(name) ?? [];
      if (values.length !== 1 || values[0] === undefined || values[0] === '')
        throw new ConsentProblem(`The address must contain ${name} exactly once.`);
      return values[0];
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

  function forgetOld(): void {
    for (const [consent, { expires }] of pending) if (expires <= clock.now() || pending.size >= PENDING_MAX) pending.delete(consent);
  }

  return new Hono<Env>().get('/authorize', show).post('/authorize', decide);
}

/** A problem that can only be shown to the person at the browser. */
export class ConsentProblem extends Error {}

export function consentProblemPage(c: Request, problem: ConsentProblem): Response | Promise<Response> {
  return renderCardPage(c, 'Cannot connect', html`<p>${problem.message}</p>`, { status: 400 });
}

/** @throws {OAuthError} sent to the redirect address */
function readRequest(c: Request): Pick<Pending, 'scopes' | 'codeChallenge'> {
  const twice = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'].find(
    (name) => (c.req.queries(name) ?? []).length > 1,
  );
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

/** The redirect address with the answer. Its own query is kept (RFC 6749 section 3.1.2). */
function answer(redirectUri: string, fields: Record<string, string | undefined>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

type Asked = Pick<Pending, 'client' | 'redirectUri' | 'scopes'>;

/** @param name the application as a person knows it */
function consentForm(name: string, { client, redirectUri, scopes }: Asked, accounts: Account[], consent: string): Html {
  return html`<p><strong>${name}</strong> wants to use your ${brand.name} account. It will be able to:</p>
    <ul class="rows">
      ${scopes.map((scope) => html`<li>${SCOPES[scope as Scope]} <code>${scope}</code></li>`)}
    </ul>
    <form method="post" action="/oauth/authorize">
      <input type="hidden" name="consent" value="${consent}" />
      <fieldset class="field">
        <legend>Account</legend>
        ${accounts.map(
          (account, index) =>
            html`<label class="check"
              ><input type="radio" name="account" value="${account.id}" ${index === 0 ? 'checked' : ''} />
              <span>${account.name}<br /><small>${account.email}, ${planLabel(account)}</small></span></label
            >`,
        )}
      </fieldset>
      <p class="row">
        <button name="decision" value="approve">Allow</button> <button name="decision" value="deny" class="plain">Deny</button>
      </p>
    </form>
    <p class="muted">Registered as ${client.name}. Your answer goes to <code>${redirectUri}</code>.</p>`;
}

/** Where the usual platforms receive the answer. Several of them on one machine may share one client id. */
const PLATFORMS: [name: string, isAt: (address: URL) => boolean][] = [
  ['n8n', ({ pathname }) => pathname.endsWith('/rest/oauth2-credential/callback')],
  ['Zapier', ({ pathname }) => pathname.startsWith('/dashboard/auth/oauth/return/')],
  ['Make', ({ hostname }) => hostname === 'www.integromat.com'],
  // The command line, the MCP server and scripts share one connection, and this address unless another is chosen.
  [`${brand.name} on your computer`, ({ host, pathname }) => host === 'localhost:9000' && pathname === '/'],
];

/**
 * An application as a person knows it: "n8n at localhost:5678".
 *
 * @param client the client that it uses
 * @param redirectUri where the consent page's answer goes; without it, only the client's name is known
 */
export function applicationName({ name: registered, names = {} }: Pick<Client, 'name' | 'names'>, redirectUri: string | undefined): string {
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return registered;
  const address = new URL(redirectUri);
  const name = names[redirectUri] ?? PLATFORMS.find(([, isAt]) => isAt(address))?.[0] ?? registered;
  return address.host === '' ? name : `${name} at ${address.host}`;
}
