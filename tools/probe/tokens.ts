import { consentAnswer } from '../../sdk/node/consentAnswer.ts';
import { loopback } from '../../sdk/node/login.ts';
import { createOAuth, reasonIn } from '../../sdk/oauth/oauth.ts';
import { tokenCall } from '../../shared/assumptions.ts';
import {
  type TokenRequest,
  type Tokens,
  allScopes,
  codeExchange,
  oauthEndpoints,
  readTokens,
  refreshExchange,
  revocation,
} from '../../shared/oauth/oauth.ts';
import type { ApiResponse } from '../../shared/client/ports.ts';
import { isObject } from '../../shared/values.ts';
import type { Findings } from './findings.ts';
import { type Probing, isSuccess, send, shapeOf } from './wire.ts';

/** A connection to test tokens with. The test uses it up: it exchanges the refresh token and revokes the pair. */
export interface TestConnection {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

/** Sends a token request and returns the answer, whatever its status. */
const ask = ({ method, url, headers, form }: TokenRequest): Promise<ApiResponse> =>
  send(url, { method, headers: { ...headers, connection: 'close' }, body: new URLSearchParams(form).toString() });

/** Whether the three addresses of G25 exist. It needs no connection and changes nothing. */
export async function addresses({ findings, baseUrl }: Probing): Promise<void> {
  const { authorizeUrl, tokenUrl } = oauthEndpoints(baseUrl);
  const consent = await send(`${authorizeUrl}?response_type=code&client_id=probe&redirect_uri=https://example.invalid/`, {
    method: 'GET',
    headers: { connection: 'close' },
  });
  const isPage = typeof consent.body === 'string' && /<html/i.test(consent.body);
  findings.must(
    'oauthAddresses',
    (isPage && ![404, 405].includes(consent.status)) || (consent.status >= 300 && consent.status < 400),
    'the consent page answers',
    `GET ${new URL(authorizeUrl).pathname} was answered with ${consent.status} and no web page`,
  );

  const { status, body } = await ask(refreshExchange({ baseUrl, clientId: 'probe', clientSecret: 'probe' }, 'none'));
  const refused = status >= 400 && status < 500 && status !== 404 && isObject(body) && typeof body['error'] === 'string';
  findings.must(
    'oauthAddresses',
    refused,
    'the token address refuses an unknown client',
    `POST ${new URL(tokenUrl).pathname} was answered with ${status} and ${shapeOf(body)} to an unknown client`,
  );
}

/** Refreshes, refreshes again with the used token, revokes, and checks whether the pair has ended (G14, G15, G23). */
export async function tokens({ findings, wire, baseUrl }: Probing, connection: TestConnection): Promise<void> {
  const refreshed = await refresh(findings, baseUrl, connection, connection.refreshToken);
  if (refreshed === undefined || !isObject(refreshed.body)) return;
  const { access_token: access, refresh_token: next, expires_in: life, token_type: type } = refreshed.body;
  if (typeof access !== 'string') {
    findings.differs('tokenCall', `a refresh was answered with ${shapeOf(refreshed.body)}`);
    return;
  }
  findings.judge('tokenCall', type === 'Bearer' || type === 'bearer', `\`token_type\` is ${JSON.stringify(type)}`);
  if (typeof life === 'number') findings.judge('tokenLife', life === 3600, `an access token lasts ${life} seconds`);
  else findings.alsoRead('tokenCall', 'there is no `expires_in`');
  if (typeof next !== 'string') findings.alsoRead('tokenCall', 'a refresh returns no new refresh token, so the old one is kept');

  const again = await refresh(findings, baseUrl, connection, connection.refreshToken);
  findings.judge('tokenLife', again === undefined, 'a used refresh token is refused', 'a refresh token can be used again');

  const isBasic = findings.all().some(({ gap, seen }) => gap === 'tokenCall' && seen.some((each) => each.startsWith(basicWords)));
  const revoked = await ask(revocation({ baseUrl, ...connection, ...(isBasic && basic) }, access, 'access_token'));
  findings.note(
    'revokeCall',
    revoked.status === 200 ? 'as assumed' : isSuccess(revoked) ? 'also read' : 'differs',
    `a revocation is answered with ${revoked.status}`,
  );
  const { status } = await wire('GET', '/me', { token: access });
  findings.must('revokeCall', status === 401, 'a revoked token is refused', `a revoked token is answered with ${status}`);
}

const basicWords = 'the client authenticates by HTTP Basic';
const basic = { authentication: 'basic' } as const;

/** One refresh with the chosen client authentication, or else with the other one; `undefined` if it is refused. */
async function refresh(findings: Findings, baseUrl: string, connection: TestConnection, token: string): Promise<ApiResponse | undefined> {
  const first = await ask(refreshExchange({ baseUrl, ...connection }, token));
  if (isSuccess(first)) {
    findings.note(
      'tokenCall',
      'as assumed',
      `the client authenticates by \`client_id\` and \`client_secret\` in the ${tokenCall.clientAuthentication}`,
    );
    return first;
  }
  if (refusesClient(first)) {
    const second = await ask(refreshExchange({ baseUrl, ...connection, ...basic }, token));
    if (isSuccess(second)) {
      findings.alsoRead('tokenCall', `${basicWords}: set \`clientAuthentication\` of G14 to "basic"`);
      return second;
    }
  }
  return undefined;
}

/** Whether the client authentication may be the reason. */
const refusesClient = ({ body }: ApiResponse): boolean => isObject(body) && body['error'] === 'invalid_client';

interface TestApplication {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** On this machine, with its port, and registered with the service in exactly this form. */
  redirectUri: string;
}

/**
 * Connects an account as an application does: a person opens the consent page and agrees.
 *
 * @param open receives the address of the consent page
 * @throws a readable error if the redirect address cannot be used, the person said no, or the code was refused
 */
export async function connect(application: TestApplication, open: (consentPage: string) => void): Promise<Tokens> {
  const { redirectUri } = application;
  const { url, attempt } = await createOAuth(application).begin();
  const [state = '', codeVerifier = ''] = attempt.split('.');
  let answered: ApiResponse | undefined;
  await consentAnswer({ redirect: loopback(redirectUri), state, show: () => open(url) }, async (answer) => {
    const code = answer.get('code');
    if (code === null) throw new Error(`The account was not connected: ${reasonIn(answer)}.`);
    const exchange = (by: Partial<typeof basic> = {}) => ask(codeExchange({ ...application, ...by }, { code, redirectUri, codeVerifier }));
    const first = await exchange();
    answered = refusesClient(first) ? await exchange(basic) : first;
  });
  return readTokens(answered ?? { status: 0, headers: {}, body: undefined });
}

/** What a successful connection shows (G24, G26). */
export function consented(findings: Findings, { scope }: Tokens): void {
  findings.note('pkce', 'as assumed', 'a consent with a challenge and an exchange with its verifier were accepted');
  findings.note('authorizeAddress', 'as assumed', '`state` came back');
  const missing = allScopes.split(' ').filter((each) => scope !== undefined && !scope.split(' ').includes(each));
  findings.must('authorizeAddress', missing.length === 0, 'scopes joined by spaces were accepted', `not granted: ${missing.join(', ')}`);
}
