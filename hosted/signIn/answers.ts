import type { KoaContextWithOIDC } from 'oidc-provider';
import { isObject } from '../../shared/values.ts';
import { withClaim } from '../../sdk/stores/sqlClaims.ts';
import type { SealedRows } from '../database/sealedRows.ts';
import { answeredPage, goBackPage, leavePage, showWith } from '../pages.ts';
import type { ServerParts } from '../parts.ts';
import { hostOf, isWeb } from './clients.ts';
import { lasts } from './provider.ts';
import { offlineAccess, type ToLibrary } from './requests.ts';

/** What an assistant was answered, for whoever asks again in the same browser. */
interface AssistantAnswer {
  browser: string;
  /** At the assistant's address. */
  to: string;
  /** What the assistant calls itself. */
  name: string;
  /** Absent if it was refused. Its address may hold another one, which says nothing. */
  code?: string | undefined;
}

const isAnswer = (value: unknown): value is AssistantAnswer => isObject(value) && typeof value['to'] === 'string';

/** What came of a sign-in in this browser. */
export async function answerOf(rows: SealedRows, uid: string, browsers: readonly string[] = []): Promise<AssistantAnswer | undefined> {
  const kept = (await rows.get('Answer', uid))?.value;
  return isAnswer(kept) && browsers.includes(kept.browser) ? kept : undefined;
}

/**
 * How the library's answers reach an assistant, through the browser. Browsers ask twice, so the last address of a sign-in gives the same
 * browser the same answer again. An app gets its answer by a link, because a browser that has opened an app shows nothing. And nobody is sent
 * to an address that somebody has registered before they have agreed to it (RFC 9700, section 4.11.2).
 */
export function passAnswersOn({ provider, rows, database, connections }: ServerParts): void {
  const agreement = (browser: unknown, clientId = ''): string => `${String(browser)} ${clientId}`;
  const pass = async (ctx: KoaContextWithOIDC, { to, name, code }: AssistantAnswer): Promise<void> => {
    // An assistant that got its code a second time would end its own connection with it.
    if (code !== undefined && (await rows.get('AuthorizationCode', code))?.consumedAt !== undefined)
      return showWith(ctx, 200, 'Connected', answeredPage(name));
    if (!isWeb(new URL(to).protocol)) return showWith(ctx, 200, 'One more step', leavePage(name, to, code !== undefined));
    ctx.status = 303;
    ctx.redirect(to);
  };
  /** Where the library sends the browser, if that is an assistant: its own pages have no host. */
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
      // Answers of another type come in the fragment.
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
