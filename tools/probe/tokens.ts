import { tokenCall } from '../../shared/assumptions.ts';
import { isObject } from '../../shared/values.ts';
import { oauthEndpoints, refreshExchange, revocation, type TokenRequest } from '../../shared/oauth/oauth.ts';
import type { Findings } from './findings.ts';
import { isSuccess, shapeOf, type Ports, type Wire } from './wire.ts';

/** A connection to test tokens with. The test uses it up: it exchanges the refresh token and revokes the pair. */
export interface Connection {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

interface Answer {
  status: number;
  type: string;
  body: unknown;
}

/** Sends a token request and returns the answer, whatever its status. */
export async function ask({ method, url, headers, form }: TokenRequest): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, connection: 'close' },
    body: new URLSearchParams(form).toString(),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, body: type.includes('json') ? JSON.parse(text) : text };
}

/** Whether the three addresses of G25 exist. It needs no connection and changes nothing. */
export async function addresses(findings: Findings, { baseUrl }: Ports): Promise<void> {
  const { authorizeUrl, tokenUrl } = oauthEndpoints(baseUrl);
  const consent = await fetch(`${authorizeUrl}?response_type=code&client_id=probe&redirect_uri=https://example.invalid/`, {
    redirect: 'manual',
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(30_000),
  });
  const page = await consent.text();
  const forPeople =
    consent.status !== 404 && consent.status !== 405 && (/<html/i.test(page) || (consent.status >= 300 && consent.status < 400));
  findings.judge(
    'oauthAddresses',
    forPeople,
    'the consent page answers',
    `GET ${new URL(authorizeUrl).pathname} was answered with ${consent.status} and no web page`,
    'differs',
  );

  const { status, body } = await ask(refreshExchange({ baseUrl, clientId: 'probe', clientSecret: 'probe' }, 'none'));
  const refused = status >= 400 && status < 500 && status !== 404 && isObject(body) && typeof body['error'] === 'string';
  findings.judge(
    'oauthAddresses',
    refused,
    'the token address refuses an unknown client',
    `POST ${new URL(tokenUrl).pathname} was answered with ${status} and ${shapeOf(body)} to an unknown client`,
    'differs',
  );
}

/** Refreshes, refreshes again with the used token, revokes, and checks whether the pair has ended (G14, G15, G23). */
export async function tokens(findings: Findings, wire: Wire, { baseUrl }: Ports, connection: Connection): Promise<void> {
  const refreshed = await refresh(findings, baseUrl, connection, connection.refreshToken);
  if (refreshed === undefined || !isObject(refreshed.body)) return;
  const { access_token: access, refresh_token: next, expires_in: life, token_type: type } = refreshed.body;
  if (typeof access !== 'string') {
    findings.note('tokenCall', 'differs', `a refresh was answered with ${shapeOf(refreshed.body)}`);
    return;
  }
  findings.judge('tokenCall', type === 'Bearer' || type === 'bearer', `\`token_type\` is ${JSON.stringify(type)}`);
  if (typeof life === 'number') findings.judge('tokenLife', life === 3600, `an access token lasts ${life} seconds`);
  else findings.note('tokenCall', 'also read', 'there is no `expires_in`');
  if (typeof next !== 'string') findings.note('tokenCall', 'also read', 'a refresh returns no new refresh token, so the old one is kept');

  const again = await refresh(findings, baseUrl, connection, connection.refreshToken);
  const stays = again !== undefined;
  findings.note(
    'tokenLife',
    stays ? 'also read' : 'as assumed',
    stays ? 'a refresh token can be used again' : 'a used refresh token is refused',
  );

  const request = revocation({ baseUrl, ...connection }, access, 'access_token');
  const revoked = await ask(
    findings.all().some(({ gap, seen }) => gap === 'tokenCall' && seen.some((each) => each.startsWith(basicWords)))
      ? asBasic(request)
      : request,
  );
  findings.note(
    'revokeCall',
    revoked.status === 200 ? 'as assumed' : revoked.status >= 200 && revoked.status < 300 ? 'also read' : 'differs',
    `a revocation is answered with ${revoked.status}`,
  );
  const { status } = await wire('GET', '/me', { token: access });
  findings.judge('revokeCall', status === 401, 'a revoked token is refused', `a revoked token is answered with ${status}`, 'differs');
}

const basicWords = 'the client authenticates by HTTP Basic';

/** One refresh with the chosen client authentication, or else with the other one; `undefined` if it is refused. */
async function refresh(findings: Findings, baseUrl: string, connection: Connection, token: string): Promise<Answer | undefined> {
  const request = refreshExchange({ baseUrl, ...connection }, token);
  const first = await ask(request);
  if (isSuccess({ ...first, headers: {} })) {
    findings.note(
      'tokenCall',
      'as assumed',
      `the client authenticates by \`client_id\` and \`client_secret\` in the ${tokenCall.clientAuthentication}`,
    );
    return first;
  }
  if (refusesClient(first)) {
    const second = await ask(asBasic(request));
    if (isSuccess({ ...second, headers: {} })) {
      findings.note('tokenCall', 'also read', `${basicWords}: set \`clientAuthentication\` of G14 to "basic"`);
      return second;
    }
  }
  return undefined;
}

/** Whether the client authentication may be the reason. */
export const refusesClient = ({ body }: Answer): boolean => isObject(body) && body['error'] === 'invalid_client';

/** The same token call with the client authenticated by HTTP Basic. */
export function asBasic({
  form: { client_id: id = '', client_secret: secret = '', ...form },
  headers,
  ...request
}: TokenRequest): TokenRequest {
  return {
    ...request,
    form,
    headers: { ...headers, authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` },
  };
}
