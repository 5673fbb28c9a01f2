import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { InteractionResults } from 'oidc-provider';
import { brand } from '../../shared/brand.ts';
import { ServiceError } from '../../shared/client/index.ts';
import type { ServerEnv } from '../askers.ts';
import { measure } from '../log.ts';
import { answerRefused, answerWith, connectPage } from '../pages.ts';
import type { ServerParts } from '../parts.ts';
import { answerOf } from './answers.ts';
import { browsersOf } from './cookies.ts';
import { keepDocument } from './clientDocuments.ts';
import { hostOf, readClient } from './clients.ts';
import { offlineAccess, resourceOf, scopeNames } from './requests.ts';
import type { Agreed } from './service.ts';

/**
 * The steps of a sign-in: our page names the assistant and its permissions, the service's own page asks the person, and the library gives
 * the assistant its code.
 */
export function interactionRoutes({ provider, rows, signIn, connections, settings, log }: ServerParts): Hono<ServerEnv> {
  const { origin } = settings;
  const browsers = (c: Context<ServerEnv>): string[] => browsersOf(c, origin, rows.hash);

  /**
   * An assistant's request in this browser, as the library stored it. The library's cookie belongs to this interaction, but a sibling
   * domain could have set it, so that somebody else answers what it began. So our own cookie must be the one with which the request began.
   */
  const askedBy = async (c: Context<ServerEnv>) => {
    const details = await provider.interactionDetails(c.env.incoming, c.env.outgoing).catch(() => undefined);
    if (details === undefined || details.uid !== c.req.param('uid')) return undefined;
    const { client_id: id = '', redirect_uri: to = '', scope = '', browser = '' } = details.params as Record<string, string | undefined>;
    if (!browsers(c).includes(browser)) return undefined;
    const client = await provider.Client.find(id);
    if (client === undefined) return undefined;
    const asked = scope.split(' ');
    return {
      browser,
      isAnswered: details.result !== undefined,
      isOffline: asked.includes(offlineAccess),
      client: { id, name: client.clientName ?? id, host: hostOf(id, to) },
      /** The client's own description. */
      said: client.metadata(),
      scopes: scopeNames.filter((name) => asked.includes(name)),
    };
  };

  /** Sends the browser to the last address, which gives the assistant its result, as often as it is asked. */
  const onward = (c: Context<ServerEnv>): Response => c.redirect(`/auth/${encodeURIComponent(c.req.param('uid') ?? '')}`, 303);

  const answerBy = async (c: Context<ServerEnv>, result: InteractionResults): Promise<true> => {
    await provider.interactionResult(c.env.incoming, c.env.outgoing, result);
    return true;
  };

  const connect = async (asked: NonNullable<Awaited<ReturnType<typeof askedBy>>>, { tokens, account }: Agreed) => {
    const { client } = asked;
    // The person may have allowed fewer permissions at the service.
    const allowed = tokens.scope?.split(/[\s,]+/);
    const scopes = asked.scopes.filter((scope) => allowed === undefined || allowed.includes(scope));
    const refused = asked.scopes.filter((scope) => !scopes.includes(scope));
    if (scopes.length === 0) {
      await signIn.forget(tokens);
      throw new ServiceError('forbidden', { message: 'None of the permissions was given.', advice: 'Connect again.' });
    }
    const grant = new provider.Grant({ accountId: account.id, clientId: client.id });
    grant.addResourceScope(resourceOf(origin), scopes.join(' '));
    if (asked.isOffline) grant.addOIDCScope(offlineAccess);
    // Otherwise, the person would be asked for them again and again.
    if (refused.length > 0) grant.rejectResourceScope(resourceOf(origin), refused.join(' '));
    const grantId = await grant.save();
    await connections.begin({ grant: grantId, account, client, scopes, connectedAt: rows.now() }, tokens);
    if (URL.canParse(client.id)) await keepDocument(rows, client.id, readClient(asked.said));
    return { login: { accountId: account.id, remember: false }, consent: { grantId } };
  };

  return new Hono<ServerEnv>()
    .on(['GET', 'POST'], '/:uid', async (c) => {
      const asked = await askedBy(c);
      if (asked === undefined) return expired(c, browsers(c), origin);
      if (asked.isAnswered) return onward(c);
      // The title does not contain the assistant's name, which would look like a statement of ours.
      if (c.req.method !== 'POST')
        return answerWith(c, 'Connect an assistant', connectPage(asked.client, asked.scopes, c.req.path, origin));
      const begun = { path: `${c.req.path}/done`, browser: asked.browser, scopes: asked.scopes };
      return c.redirect(await signIn.begin(begun), 303);
    })
    .post('/:uid/cancel', async (c) => {
      const asked = await askedBy(c);
      const isAnswered = asked?.isAnswered ?? (await answerOf(rows, c.req.param('uid'), browsers(c))) !== undefined;
      if (asked === undefined && !isAnswered) return expired(c, browsers(c), origin);
      if (!isAnswered) {
        await answerBy(c, { error: 'access_denied', error_description: 'The person cancelled.' });
        measure.signIns.add(1, { outcome: 'cancelled' });
      }
      return onward(c);
    })
    .get('/:uid/done', async (c) => {
      const begun = { path: c.req.path, browsers: browsers(c) };
      try {
        const isDone = await signIn.finish(new URL(c.req.url).searchParams, begun, async (agreed) => {
          const asked = await askedBy(c);
          // Answered in another tab that continued from the same page.
          if (asked?.isAnswered !== false) return true;
          try {
            const result = await connect(asked, await agreed());
            measure.signIns.add(1, { outcome: 'connected' });
            return await answerBy(c, result);
          } catch (error) {
            if (!(error instanceof ServiceError) || error.kind !== 'forbidden') throw error;
            measure.signIns.add(1, { outcome: error.kind });
            return answerBy(c, { error: 'access_denied', error_description: described(error.message) });
          }
        });
        return isDone === undefined ? expired(c, begun.browsers, origin) : onward(c);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        measure.signIns.add(1, { outcome: error.kind });
        log('info', 'not connected', { error });
        return answerRefused(c, 'Not connected', error, html`<p>Then start again in your assistant.</p>`);
      }
    });
}

/** Replaces characters that OAuth does not allow in a description. */
const described = (text: string): string => text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, ' ').slice(0, 300);

const expired = (c: Context, browsers: readonly string[], origin: string) =>
  answerWith(
    c,
    'This page has expired',
    html`<p>This sign-in is already complete, took too long or was started in another browser.</p>
      ${browsers.length === 0 ? html`<p>Your browser sent no cookie. If it refuses cookies, allow them for ${origin}.</p>` : ''}
      <p>If your assistant is connected, you are done. If it is not, go back to it and connect ${brand.name} again.</p>`,
    400,
  );
