import { html } from 'hono/html';
import { generateKeyPairSync } from 'node:crypto';
import Provider, { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { unusedForMs } from '../connections.ts';
import { showWith } from '../pages.ts';
import type { Some } from '../basis.ts';
import { adapterIn } from './adapter.ts';
import { documentReader } from './clientDocuments.ts';
import { resourceOf, scopeNames, type ToLibrary } from './requests.ts';

/** Lifetimes. A grant ends with its connection, which ends when nobody uses it any more. Seconds. */
export const lasts = {
  accessToken: 15 * 60,
  // Long, because a person may hesitate when the browser asks whether to open an app.
  code: 10 * 60,
  interaction: 30 * 60,
  session: 30 * 60,
  refreshToken: unusedForMs / 1000,
  grant: 20 * 365 * 24 * 60 * 60,
} as const;

/** The authorization server. The library does all of OAuth; this configures it. */
export function makeProvider({ settings, rows, shared, vault }: Some<'settings' | 'rows' | 'shared' | 'vault'>): Provider {
  const { origin, clients } = settings;
  const resource = resourceOf(origin);
  const isSecure = origin.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true } as const;
  const provider = new Provider(origin, {
    adapter: adapterIn(rows, shared),
    fetch: documentReader({ settings, rows, shared }),
    cookies: { keys: vault.secretsFor('cookies'), long: cookie, short: cookie },
    // Nothing is signed, because tokens are opaque. This key only replaces the library's example keys.
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    // The browser in which a sign-in began, see `authorizationOf`.
    extraParams: ['browser'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clients: clients.map((client) => ({ ...client })),
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}`, policy: askingEachTime() },
    clientBasedCORS: () => true,
    // Many clients never ask for `offline_access`, but all want to stay connected.
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: lasts.accessToken,
      AuthorizationCode: lasts.code,
      Interaction: lasts.interaction,
      Session: lasts.session,
      RefreshToken: () => lasts.refreshToken,
      Grant: () => lasts.grant,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      // The same client gets the same id again, so that pressing "Connect" many times creates only one.
      registration: {
        enabled: true,
        idFactory: (ctx) => rows.hash('client', JSON.stringify(ctx.oidc.body)),
        issueRegistrationAccessToken: false,
      },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget(`This server's resource is ${resource}.`);
          return { audience: resource, scope: scopeNames.join(' '), accessTokenTTL: lasts.accessToken, accessTokenFormat: 'opaque' };
        },
      },
    },
    // Programs try a request before they open a page, and register again if they are no longer known.
    renderError: async (ctx, { error, error_description: said }) => {
      const error_description = explained(error, said, ctx);
      if (ctx.accepts('html', 'json') === 'json') ctx.body = { error, error_description };
      else await showWith(ctx, ctx.status, 'Not connected', html`<p>${error_description}</p>`);
    },
  });
  // Errors that are not OAuth's, such as the database's, are answered as everywhere on this server.
  provider.on('server_error', ({ req }, failed) => void Object.assign(req, { failed } satisfies Partial<ToLibrary>));
  provider.use(async (ctx, next) => {
    await next().catch((error: unknown) => provider.emit('server_error', ctx, error));
    ctx.respond = (ctx.req as ToLibrary).failed === undefined;
    if (ctx.response.headers['retry-after'] !== undefined) ctx.status = 429;
  });
  // Always on, because addresses come from the settings, see `toLibrary`.
  provider.proxy = true;
  return provider;
}

/** Asks a person for each connection, even of a connected client, so that a consent never serves another request. */
function askingEachTime(): interactionPolicy.DefaultPolicy {
  const { Check, base } = interactionPolicy;
  const policy = base();
  const asks = new Check('not_asked', 'the person must be asked', 'interaction_required', ({ oidc }) => {
    return oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
  });
  policy.get('consent')?.checks.add(asks);
  return policy;
}

/** What a person at the browser can do about an error of the authorization server. */
function explained(code: string, description: string | undefined, { path, query }: KoaContextWithOIDC): string {
  const clientId = query['client_id'];
  if (code.startsWith('invalid_client') && typeof clientId === 'string' && URL.canParse(clientId))
    return `The description of your assistant at ${new URL(clientId).host} cannot be read or used now. Connect again in a few minutes.`;
  if (code === 'invalid_client') return 'Your assistant is no longer known here. Remove this connector in your assistant and add it again.';
  if (description?.includes('redirect_uri') === true)
    return 'Your assistant named a redirect address that it did not register. Remove this connector in your assistant and add it again.';
  if (path === '/auth' && description !== undefined)
    return `Your assistant sent a request that cannot be answered: ${description}. Tell its makers, or add the connector again.`;
  return 'This sign-in has expired or is already complete. If your assistant is connected, you are done. If it is not, go back to it and connect again.';
}
