import { createHash, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { allScopes, codeExchange, oauthEndpoints, readTokens, type Tokens } from '../../shared/oauth/oauth.ts';
import type { Findings } from './findings.ts';
import { ask, asBasic, refusesClient } from './tokens.ts';

export interface Application {
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
export async function connect(application: Application, open: (consentPage: string) => void): Promise<Tokens> {
  const [state, codeVerifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
  const { redirectUri, baseUrl, clientId } = application;
  const page = new URL(oauthEndpoints(baseUrl).authorizeUrl);
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: allScopes,
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value);

  const answer = await answerAt(redirectUri, () => open(page.href));
  if (answer.get('state') !== state) throw new Error('The service came back with a different `state` than it was sent (G26).');
  const code = answer.get('code');
  if (code === null)
    throw new Error(`The account was not connected: ${answer.get('error_description') ?? answer.get('error') ?? 'no reason given'}.`);
  const exchange = codeExchange(application, { code, redirectUri, codeVerifier });
  const first = await ask(exchange);
  return readTokens({ ...(refusesClient(first) ? await ask(asBasic(exchange)) : first), headers: {} });
}

/** What a successful connection shows (G24, G26). */
export function consented(findings: Findings, { scope }: Tokens): void {
  findings.note('pkce', 'as assumed', 'a consent with a challenge and an exchange with its verifier were accepted');
  findings.note('authorizeAddress', 'as assumed', '`state` came back');
  const missing = allScopes.split(' ').filter((each) => scope !== undefined && !scope.split(' ').includes(each));
  findings.judge(
    'authorizeAddress',
    missing.length === 0,
    'scopes joined by spaces were accepted',
    `not granted: ${missing.join(', ')}`,
    'differs',
  );
}

/** Waits for the browser to return, and reads its answer. */
async function answerAt(redirectUri: string, ready: () => void): Promise<URLSearchParams> {
  const { hostname, port, pathname, protocol } = new URL(redirectUri);
  if (protocol !== 'http:' || !['localhost', '127.0.0.1'].includes(hostname) || port === '')
    throw new Error(
      '--connect takes an address on this machine with a port, such as http://localhost:9000. Register exactly this address with the service.',
    );
  return new Promise((resolve, reject) => {
    const say = (response: ServerResponse, status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(text);
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', redirectUri);
      // Browsers also ask for an icon.
      if (url.pathname !== pathname || !(url.searchParams.has('code') || url.searchParams.has('error')))
        return void say(response, 404, 'There is nothing here.');
      say(response, 200, 'Thank you. The probe continues in its terminal. You can close this page.');
      server.close();
      resolve(url.searchParams);
    });
    server.once('error', reject).listen(Number(port), hostname, ready);
  });
}
