import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { brand } from '../../shared/brand.ts';
import { allScopes, checkBaseUrl, codeExchange, oauthEndpoints, readTokens } from '../../shared/oauth.ts';
import { post } from './connection.ts';
import { newConnectionId, type TokenFile } from './tokenFile.ts';

export interface Application {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

export interface Asking {
  /** Where the service's consent page sends the answer: an address of this machine, as it is registered for the application. */
  redirectUri: string;
  /** Shows the address of the consent page to the person. */
  show: (address: string) => void;
  /** How long to wait for the person. Milliseconds. */
  patienceMs: number;
}

/**
 * Connects an account: shows the service's consent page, takes its answer on an address of this machine, and keeps the tokens.
 *
 * @throws ServiceError where the tokens were refused; a sentence where the person did not agree, or did not answer, or where the
 *   tokens could not be kept, before anybody is asked
 */
export async function login(file: TokenFile, application: Application, { redirectUri, show, patienceMs }: Asking): Promise<void> {
  await file.prepare();
  const [state, codeVerifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
  const redirect = loopback(redirectUri);
  const baseUrl = checkBaseUrl(application.baseUrl);
  const code = await answerOf(redirect, state, patienceMs, () =>
    show(consentAddress({ ...application, baseUrl }, redirectUri, state, codeVerifier)),
  );
  const { access_token, refresh_token } = readTokens(
    await post(codeExchange({ ...application, baseUrl }, { code, redirectUri, codeVerifier })),
  );
  await file.write({
    ...application,
    baseUrl,
    id: newConnectionId(),
    tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) },
  });
}

function consentAddress({ baseUrl, clientId }: Application, redirectUri: string, state: string, verifier: string): string {
  const url = new URL(oauthEndpoints(baseUrl).authorizeUrl);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: allScopes,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function loopback(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) && url.port !== '') return url;
  throw new Error(
    `The redirect address ${address} cannot be used: it must be one of this machine with a port, such as http://localhost:9000.`,
  );
}

/** The code in the answer with our `state`. Any other request, such as one from another page of this machine, is refused and changes nothing. */
function answerOf(redirect: URL, state: string, patienceMs: number, onListening: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      server.close();
      server.closeIdleConnections();
      settle();
    };
    const server = createServer((request, response) => {
      const answer = readAnswer(request, redirect, state);
      if (answer === undefined) return page(response, 400, 'This is no answer to a question that was asked here.');
      if ('code' in answer) {
        page(response, 200, `Connected to ${brand.name}. You can close this page.`);
        return end(() => resolve(answer.code));
      }
      page(response, 200, 'Not connected. You can close this page.');
      return end(() => reject(new Error(`The account was not connected: ${answer.refusal}.`)));
    });
    const timer = setTimeout(
      () => end(() => reject(new Error('The account was not connected: no answer came from the consent page. Try again.'))),
      patienceMs,
    );
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${redirect.port} is taken. Stop what uses it, or register another redirect address and give it with --redirect.`;
      end(() => reject(error.code === 'EADDRINUSE' ? new Error(taken) : error));
    });
    server.listen(Number(redirect.port), redirect.hostname.replace(/^\[|\]$/g, ''), onListening);
  });
}

function readAnswer(
  { method, url = '', headers }: IncomingMessage,
  redirect: URL,
  state: string,
): { code: string } | { refusal: string } | undefined {
  const address = URL.canParse(url, redirect.origin) ? new URL(url, redirect.origin) : undefined;
  if (method !== 'GET' || headers.host !== redirect.host || address?.pathname !== redirect.pathname) return undefined;
  const query = address.searchParams;
  if (!isSame(query.get('state') ?? '', state)) return undefined;
  const code = query.get('code');
  if (code !== null && code !== '') return { code };
  return {
    refusal: (query.get('error_description') ?? query.get('error') ?? 'no reason given')
      .slice(0, 200)
      .replace(/[\p{Cc}.]+/gu, ' ')
      .trim(),
  };
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Whether two texts are the same, in a time that does not tell how much of them is. */
export const isSame = (one: string, other: string): boolean => timingSafeEqual(hashOf(one), hashOf(other));

function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
    'referrer-policy': 'no-referrer',
  });
  response.end(text);
}
