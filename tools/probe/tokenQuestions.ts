import { tokenCall } from '../../shared/assumptions.ts';
import type { ApiResponse } from '../../shared/client/ports.ts';
import { refreshExchange, revocation, type TokenRequest } from '../../shared/oauth/oauth.ts';
import { isObject } from '../../shared/values.ts';
import { type Ask, differs, isSuccess, type Question, type Seen } from './asking.ts';

/** A token request, as it is sent. */
export const sent = ({ method, url, headers, form }: TokenRequest, name = ''): Ask & Required<Pick<Ask, 'elsewhere'>> => ({
  ...{ what: `${method} ${new URL(url).pathname}`, name },
  elsewhere: { url, method, headers: { ...headers, connection: 'close' }, body: new URLSearchParams(form).toString() },
});

export const basic = { authentication: 'basic' } as const;

/** Whether the client authentication may be the reason for the refusal. */
export const refusesClient = ({ body }: ApiResponse): boolean => isObject(body) && body['error'] === 'invalid_client';

/** The request that refreshed the tokens, and the new access token; `undefined` if none did. */
function refreshed({ replies }: Seen): { ask: Ask; access: string } | undefined {
  const reply = replies.find((each) => each.ask.name === 'refresh' && isSuccess(each));
  const access = isObject(reply?.body) ? reply.body['access_token'] : undefined;
  return reply && typeof access === 'string' ? { ask: reply.ask, access } : undefined;
}

/** Refreshes, refreshes again with the used token, revokes, and checks that the pair no longer works. */
export const tokens: readonly Question[] = [
  {
    *ask({ baseUrl, connection }) {
      if (connection === undefined) return;
      const refresh = (by: Partial<typeof basic> = {}) =>
        sent(refreshExchange({ baseUrl, ...connection, ...by }, connection.refreshToken), 'refresh');
      if (refusesClient(yield refresh())) yield refresh(basic);
    },
    says: (reply, { replies }) => {
      if (!isSuccess(reply)) return [];
      const { access_token: access, refresh_token: next, expires_in: life, token_type: type } = isObject(reply.body) ? reply.body : {};
      const usual = `the client authenticates by \`client_id\` and \`client_secret\` in the ${tokenCall.clientAuthentication}`;
      const other = 'the client authenticates by HTTP Basic: set `clientAuthentication` of G14 to "basic"';
      return [
        ['tokenCall', replies.find(({ ask }) => ask.name === 'refresh') === reply, usual, other],
        typeof access !== 'string' && differs('tokenCall'),
        ['tokenCall', type === 'Bearer' || type === 'bearer', `\`token_type\` is ${JSON.stringify(type)}`],
        typeof life === 'number' && ['tokenLife', life === 3600, `an access token lasts ${life} seconds`],
        life === undefined && ['tokenCall', false, 'there is no `expires_in`'],
        typeof next !== 'string' && ['tokenCall', false, 'a refresh returns no new refresh token, so the old one is kept'],
      ];
    },
  },
  {
    ask: (seen) => refreshed(seen)?.ask,
    says: (reply) => [['tokenLife', !isSuccess(reply), 'a used refresh token is refused', 'a refresh token can be used again']],
  },
  {
    ask: (seen) => {
      const { ask, access } = refreshed(seen) ?? {};
      if (access === undefined || seen.connection === undefined) return undefined;
      const by = ask?.elsewhere?.headers['authorization'] === undefined ? {} : basic;
      return sent(revocation({ baseUrl: seen.baseUrl, ...seen.connection, ...by }, access, 'access_token'));
    },
    says: (reply) => [['revokeCall', reply.status === 200, undefined, undefined, isSuccess(reply) ? 'also read' : 'differs']],
  },
  {
    ask: (seen) => {
      const { access } = refreshed(seen) ?? {};
      return access === undefined ? undefined : { what: 'GET /me', token: access };
    },
    says: ({ status }) => [
      ['revokeCall', status === 401, 'a revoked token is refused', `a revoked token is answered with ${status}`, 'differs'],
    ],
  },
];
