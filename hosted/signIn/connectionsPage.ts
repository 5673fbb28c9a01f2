import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { parseAccount, type Account as WhoseAccount } from '../../shared/client/account.ts';
import { ServiceError } from '../../shared/client/index.ts';
import { textOf } from '../../mcp/adapter/serving.ts';
import { randomText } from '../../sdk/oauth/random.ts';
import type { ServerEnv } from '../askers.ts';
import { answerRefused, answerWith, connectionsPage, signInPage } from '../pages.ts';
import type { ServerParts } from '../parts.ts';
import { browsersOf, knownBrowser, ownCookie } from './cookies.ts';
import { formBounds, scopeNames } from './requests.ts';

/** How long a host stays signed in to this page. Milliseconds. */
const signedInMs = 30 * 60_000;

/**
 * The page on which hosts see and disconnect the assistants of their account. They sign in at the service each time. Its tokens are used
 * once, to find out whose account it is, and then revoked.
 */
export function connectionsRoutes({ rows, signIn, connections, settings }: ServerParts): Hono<ServerEnv> {
  const { origin } = settings;
  const [cookieName, cookie] = ['mcp_connections', ownCookie(origin)] as const;
  const title = 'Connected assistants';

  const signedIn = async (c: Context<ServerEnv>) =>
    parseAccount((await rows.get('Page', getCookie(c, cookieName, cookie.prefix) ?? ''))?.value);
  const shown = async (c: Context<ServerEnv>, account: WhoseAccount, told?: string) =>
    answerWith(c, title, connectionsPage(account.name, await connections.ofAccount(account.id), told));

  /** Also from the addresses of its forms, which browsers remember. */
  const toList = (c: Context<ServerEnv>): Response => c.redirect('/connections', 303);

  return new Hono<ServerEnv>()
    .get('/', async (c) => {
      const who = await signedIn(c);
      return who === undefined ? answerWith(c, title, signInPage) : shown(c, who);
    })
    .post('/', async (c) => {
      // Any permission is enough to find out whose account it is.
      const scopes = scopeNames.filter((name) => name.endsWith(':read')).slice(0, 1);
      return c.redirect(await signIn.begin({ path: '/connections/done', browser: knownBrowser(c, origin, rows.hash), scopes }), 303);
    })
    .get('/done', async (c) => {
      try {
        const begun = { path: '/connections/done', browsers: browsersOf(c, origin, rows.hash) };
        const session = await signIn.finish(new URL(c.req.url).searchParams, begun, async (agreed) => {
          const { tokens, account } = await agreed();
          await signIn.forget(tokens);
          const made = randomText(24);
          await rows.put('Page', made, account, {}, signedInMs);
          return made;
        });
        if (session === undefined) return answerWith(c, title, signInPage, 400);
        setCookie(c, cookieName, session, { ...cookie, maxAge: signedInMs / 1000 });
        return toList(c);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return answerRefused(c, title, error, signInPage);
      }
    })
    .get('/:form{disconnect|leave}', toList)
    .post('/disconnect', async (c) => {
      const [account, form] = [await signedIn(c), new URLSearchParams(await textOf(c.env.incoming, formBounds))];
      if (account === undefined) return answerWith(c, title, signInPage, 403);
      const own = (await connections.ofAccount(account.id)).find(({ grant }) => grant === form.get('connection'));
      if (own === undefined) return shown(c, account, 'It is no longer connected.');
      const isRevoked = await connections.end(own.grant);
      const where = isRevoked ? '.' : ' here. The service has not confirmed it yet and will be asked again.';
      return shown(c, account, `${own.client.name} is disconnected${where}`);
    })
    .post('/leave', async (c) => {
      await rows.delete('Page', deleteCookie(c, cookieName, cookie) ?? '');
      return toList(c);
    });
}
