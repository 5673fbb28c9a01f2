import type { KoaContextWithOIDC } from 'oidc-provider';
import { isObject } from '../../shared/values.ts';
import { withClaim } from '../../sdk/stores/sqlClaims.ts';
import type { SealedRows } from '../database/sealedRows.ts';
import { answeredPage, goBackPage, leavePage, showWith } from '../pages.ts';
import type { ServerParts } from '../parts.ts';
import { hostOf, isWeb } from './clients.ts';
import { lasts } from './provider.ts';
import { offlineAccess, type ToLibrary } from './requests.ts';

/** The result that an assistant got, stored in case the same browser asks again. */
interface AssistantAnswer {
  browser: string;
  /** The assistant's address with the result. */
  to: string;
  /** The name that the assistant gives itself. */
  name: string;
  /** Absent if the request was refused. A code in the address then means nothing. */
  code?: string | undefined;
}

const isAnswer = (value: unknown): value is AssistantAnswer => isObject(value) && typeof value['to'] === 'string';

/** The result of a sign-in in this browser. */
export async function answerOf(rows: SealedRows, uid: string, browsers: readonly string[] = []): Promise<AssistantAnswer | undefined> {
  const kept = (await rows.get('Answer', uid))?.value;
  return isAnswer(kept) && browsers.includes(kept.browser) ? kept : undefined;
}

/**
 * Passes the library's results to assistants through the browser. Browsers ask twice, so a sign-in's last address gives the same browser
 * the same result again. An app gets its result by a link, because a browser that has opened an app shows nothing. Nobody is sent to an
 * address that somebody registered before they have agreed to it (RFC 9700, section 4.11.2).
 */
export function passAnswersOn({ provider, rows, database, connections }: ServerParts): void {
  const agreement = (browser: unknown, clientId = ''): string => `${String(browser)} ${clientId}`;
  const pass = async (ctx: KoaContextWithOIDC, { to, name, code }: AssistantAnswer): Promise<void> => {
    // An assistant that got its code twice would end its own connection by using it again.
    if (code !== undefined && (await rows.get('AuthorizationCode', code))?.consumedAt !== undefined)
      return showWith(ctx, 200, 'Connected', answeredPage(name));
    if (!isWeb(new URL(to).protocol)) return showWith(ctx, 200, 'One more step', leavePage(name, to, code !== undefined));
    ctx.status = 303;
    ctx.redirect(to);
  };
  /** Where the library sends the browser, if it is an assistant; the library's own pages have no host. */
  const answerIn = (ctx: KoaContextWithOIDC): string | undefined => {
    const to = ctx.response.get('location');
    return URL.canParse(to) ? to : undefined;
  };

  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC;
    const uid = /^\/auth\/([^/]+)$/.exec(ctx.path)?.[1];
    if (uid === undefined) {
      await next();
      const { AuthorizationCode: code, RefreshToken: refresh } = ctx.oidc.entities;
      const body: unknown = ctx.body;
      if (ctx.oidc.route === 'token' && isObject(body) && body['access_token'] !== undefined) {
        if (refresh?.scopes.has(offlineAccess) === true) ctx.body = { ...body, scope: `${String(body['scope'])} ${offlineAccess}` };
        if (code?.grantId !== undefined) await connections.add(code.grantId);
      }
      const to = answerIn(ctx);
      if (to === undefined) return;
      const { client, params = {} } = ctx.oidc;
      if ((await rows.byOther('Answer', agreement(params['browser'], client?.clientId))).length > 0) return;
      const asking = { name: client?.clientName ?? '', host: hostOf(client?.clientId ?? '', to) };
      // Other response types put the result into the fragment.
      const said = new URLSearchParams(to.replace(/^[^?#]*/, '').replaceAll(/[?#]/g, '&'));
      await showWith(ctx, 400, 'Not connected', goBackPage(asking, to, said.get('error_description') ?? said.get('error') ?? ''));
      return;
    }
    await withClaim(database.locks, rows.hash('answer', uid), async () => {
      const kept = await answerOf(rows, uid, (ctx.req as ToLibrary).browsers);
      if (kept !== undefined) return pass(ctx, kept);
      await next();
      const to = answerIn(ctx);
      if (to === undefined) return;
      const { client, params = {} } = ctx.oidc;
      const browser = String(params['browser']);
      const code = ctx.oidc.entities.AuthorizationCode?.jti;
      const answer: AssistantAnswer = { browser, to, name: client?.clientName ?? '', code };
      await rows.put('Answer', uid, answer, { other: code && agreement(browser, client?.clientId) }, lasts.code * 1000);
      await pass(ctx, answer);
    });
  });
}
