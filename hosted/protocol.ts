import type { HttpBindings } from '@hono/node-server';
import {
  bearerAuthChallengeResponse,
  OAuthError,
  OAuthErrorCode,
  type AuthInfo,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { brand } from '../shared/brand.ts';
import { ServiceError } from '../shared/client/index.ts';
import { operations, type Operation } from '../shared/operations/index.ts';
import { isObject, parsed } from '../shared/values.ts';
import type { CallingAccount } from '../mcp/adapter/account.ts';
import { httpHandler, isSentBy } from '../mcp/adapter/answerForms.ts';
import { asMeant, bearerIn } from '../mcp/adapter/requestForms.ts';
import { serverFactory } from '../mcp/adapter/server.ts';
import { textOf } from '../mcp/adapter/serving.ts';
import { toolName } from '../mcp/adapter/tools.ts';
import { UnreadableBody } from '../sdk/webhooks/body.ts';
import { refuseFor } from './askers.ts';
import type { InUse } from './connections.ts';
import { measure } from './log.ts';
import type { ServerParts } from './parts.ts';
import { resourceOf } from './signIn/requests.ts';
import { countUnderWay } from './underWay.ts';
import manifest from './package.json' with { type: 'json' };

/** Larger than any call, slower than any arrives, and more fields than any has, because parsing each field blocks everybody. */
const most = { bodyBytes: 300_000, bodyMs: 30_000, fields: 2_000 } as const;

/** How many requests may be open for one account and in this process, including those that wait for news. */
const mostOpen = { ofOne: 200, ofAll: 2_000 } as const;

/** How many calls may run for one assistant and in this process. Further calls are refused with an error, not queued. */
const mostAtOnce = { ofOne: 20, ofAll: 1_000 } as const;

/** @param path of the protocol; empty for clients that were given only the origin */
export const metadataAddress = (origin: string, path = '/mcp'): string => `${origin}/.well-known/oauth-protected-resource${path}`;

const isAllowedBy = (scopes: readonly string[], { scope }: Operation): boolean => scope === 'any' || scopes.includes(scope);

/** The texts for an assistant, which has no terminal. */
const words = {
  reconnect:
    'To reconnect, the person signs in again: in the assistant, remove this connector and add it again, or choose its "Connect" button.',
  absent: (tool: string): string =>
    `The person has not allowed "${tool}" for this assistant. To allow it, they connect the assistant again.`,
};

/** The connection of a call. It exists, because requests without one were already refused. */
const connectionOf = ({ http }: ServerContext): InUse => http?.authInfo?.extra?.['connected'] as InUse;

/** The protocol at `/mcp`: the local server's tools, each call for the account of its token. */
export function makeProtocol({ rows, connections, accounts, settings, log }: ServerParts) {
  const { origin } = settings;
  const [enterCall, enterRequest] = [countUnderWay(mostAtOnce), countUnderWay(mostOpen)];
  /** The functions that end the count of each call. */
  const leaving = new WeakMap<ServerContext, () => void>();
  const servers = new Map<string, () => Server>();
  /** One factory for each set of permissions, because making a schema takes longer than a request. */
  const serverFor = (scopes: readonly string[]): Server => {
    const key = [...scopes].sort().join(' ');
    const make =
      servers.get(key) ??
      serverFactory({
        version: manifest.version,
        words,
        isAllowed: (operation) => isAllowedBy(scopes, operation),
        log: (line) => log('warn', line),
        begunAt: ({ http }) => Number(http?.authInfo?.extra?.['begunAt']),
        clientOf: (context) => connectionOf(context).grant,
        account: (context): CallingAccount => {
          const connected = connectionOf(context);
          const leave = enterCall(connected.grant);
          if (leave === undefined)
            throw new ServiceError('rateLimited', {
              message: 'Too many calls are in progress, so this one was not started and nothing was changed.',
              advice: 'Wait for the other calls to finish, then call it again.',
            });
          leaving.set(context, leave);
          return accounts.of(connected);
        },
        observe: ({ tool, outcome, kind, ms }, context) => {
          leaving.get(context)?.();
          measure.calls.record(ms, { tool, outcome, ...(kind && { kind }) });
          log('info', 'call', { tool, outcome, kind, ms });
        },
      });
    servers.set(key, make);
    return make();
  };
  const handler = httpHandler(({ authInfo }) => serverFor(authInfo?.scopes ?? []), {
    maxRequestBodySize: most.bodyBytes,
    onerror: (error) => log('info', 'request not understood', { error }),
  });

  /** The permission that a call needs and its token lacks. */
  const missing = (body: unknown, scopes: readonly string[]): string | undefined => {
    const name = isObject(body) && body['method'] === 'tools/call' && isObject(body['params']) ? body['params']['name'] : undefined;
    const operation = operations.find((each) => toolName(each) === name);
    return operation === undefined || isAllowedBy(scopes, operation) ? undefined : operation.scope;
  };

  /** In the older protocol, a client cancels a call with another request, which may reach any process. */
  const cancel = async (body: unknown, connected: InUse): Promise<void> => {
    for (const message of [body].flat())
      if (isObject(message) && message['method'] === 'notifications/cancelled' && isObject(message['params']))
        await accounts.of(connected).flights.cancelled(`${connected.grant}${String(message['params']['requestId'])}`);
  };

  /** @throws an error if the token cannot be looked up now */
  async function answer(request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> {
    // Taken before anything is awaited, so that a client that leaves meanwhile is noticed.
    const [begunAt, isSent] = [rows.now(), isSentBy(outgoing)];
    const refused = (code: OAuthErrorCode, message: string, requiredScopes: string[] = []): Response => {
      measure.refused.add(1, { reason: code });
      const resourceMetadataUrl = metadataAddress(origin, new URL(request.url).pathname === '/' ? '' : '/mcp');
      return bearerAuthChallengeResponse(new OAuthError(code, message), { requiredScopes, resourceMetadataUrl });
    };
    const token = bearerIn(request);
    const connected = token === '' ? undefined : await connections.use(token);
    if (connected?.token.resource !== resourceOf(origin)) return refused(OAuthErrorCode.InvalidToken, `Sign in to ${brand.name} again.`);
    const { scopes } = connected.token;
    const authInfo: AuthInfo = { token: '', clientId: connected.client.id, scopes: [...scopes], extra: { connected, begunAt, isSent } };
    const leave = enterRequest(connected.account.id);
    if (leave === undefined) refuseFor(5, 'open requests of this account');
    else void isSent.then(leave);
    if (request.method !== 'POST') return handler.fetch(request, { authInfo });
    const text = await textOf(incoming, most);
    if (text.split(':').length > most.fields) throw new UnreadableBody('tooLong', 'It has too many fields.');
    const parsedBody = asMeant(parsed(text));
    await cancel(parsedBody, connected);
    const scope = missing(parsedBody, scopes);
    if (scope !== undefined)
      return refused(OAuthErrorCode.InsufficientScope, `This needs the permission ${scope}, which the person has not given.`, [scope]);
    return handler.fetch(request, { authInfo, parsedBody });
  }

  return { fetch: answer, close: () => handler.close() };
}
