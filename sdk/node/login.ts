import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { brand } from '../../shared/brand.ts';
import { checkBaseUrl } from '../../shared/oauth.ts';
import { createOAuth, reasonIn } from '../oauth/oauth.ts';
import { isSame } from '../oauth/random.ts';
import { newConnectionId, type ConnectionFile } from './connectionFile.ts';

/** An application as a program on this machine knows it. */
export interface OwnApplication {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

export interface Asking {
  /** Where the consent page sends the answer: an address of this machine, exactly as it is registered for the application. */
  redirectUri: string;
  /** Shows the person the address of the consent page. */
  show: (address: string) => void;
  /** How long to wait for the person. Milliseconds. */
  patienceMs: number;
}

/**
 * Connects an account: shows the consent page, receives its answer at an address of this machine, and saves the tokens.
 *
 * @throws ServiceError if the tokens were refused; an error for people if they did not agree or did not answer, or, before they are asked,
 *   if the tokens could not be saved
 */
export async function login(file: ConnectionFile, application: OwnApplication, { redirectUri, show, patienceMs }: Asking): Promise<void> {
  await file.prepare();
  const redirect = loopback(redirectUri);
  const oauth = createOAuth({ ...application, redirectUri });
  const { url, attempt } = await oauth.begin();
  const state = new URL(url).searchParams.get('state') ?? '';
  const answer = await answerOf(redirect, state, patienceMs, () => show(url));
  const { access_token, refresh_token } = await oauth.finish(answer, attempt);
  await file.write({
    ...application,
    baseUrl: checkBaseUrl(application.baseUrl),
    id: newConnectionId(),
    tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) },
  });
}

function loopback(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) && url.port !== '') return url;
  throw new Error(
    `The redirect address ${address} cannot be used. It must be on this machine and have a port, such as http://localhost:9000.`,
  );
}

/**
 * Waits for the answer with our `state`. Any other request, such as one from another page on this machine, is refused and changes nothing.
 */
function answerOf(redirect: URL, state: string, patienceMs: number, onListening: () => void): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      server.close();
      server.closeIdleConnections();
      settle();
    };
    const server = createServer((request, response) => {
      void readAnswer(request, redirect, state).then((answer) => {
        if (answer === undefined) return page(response, 400, 'This answer does not belong to a sign-in that was started here.');
        if ((answer.get('code') ?? '') !== '') {
          page(response, 200, `Connected to ${brand.name}. You can close this page.`);
          return end(() => resolve(answer));
        }
        page(response, 200, 'Not connected. You can close this page.');
        return end(() => reject(new Error(`The account was not connected: ${reasonIn(answer)}.`)));
      });
    });
    const timer = setTimeout(
      () => end(() => reject(new Error('The account was not connected, because the consent page did not answer. Try again.'))),
      patienceMs,
    );
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${redirect.port} is taken. Stop what uses it, or register another redirect address and pass it with --redirect.`;
      end(() => reject(error.code === 'EADDRINUSE' ? new Error(taken) : error));
    });
    server.listen(Number(redirect.port), redirect.hostname.replace(/^\[|\]$/g, ''), onListening);
  });
}

async function readAnswer(
  { method, url = '', headers }: IncomingMessage,
  redirect: URL,
  state: string,
): Promise<URLSearchParams | undefined> {
  const address = URL.canParse(url, redirect.origin) ? new URL(url, redirect.origin) : undefined;
  if (method !== 'GET' || headers.host !== redirect.host || address?.pathname !== redirect.pathname) return undefined;
  return (await isSame(address.searchParams.get('state') ?? '', state)) ? address.searchParams : undefined;
}

function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
    'referrer-policy': 'no-referrer',
  });
  response.end(text);
}
