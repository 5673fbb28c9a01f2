import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { brand } from '../../shared/brand.ts';
import { checkBaseUrl } from '../../shared/oauth/oauth.ts';
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
  /** Ends the waiting. */
  signal?: AbortSignal;
}

/**
 * Connects an account: shows the consent page, receives its answer at an address of this machine, and saves the tokens. The page that the
 * person comes back to says so only after that.
 *
 * @throws ServiceError if the tokens were refused; an error for people if they did not agree or did not answer, or, before they are asked,
 *   if the tokens could not be saved
 */
export async function login(
  file: ConnectionFile,
  application: OwnApplication,
  { redirectUri, show, patienceMs, signal }: Asking,
): Promise<void> {
  await file.prepare();
  const redirect = loopback(redirectUri);
  const oauth = createOAuth({ ...application, redirectUri });
  const { url, attempt } = await oauth.begin();
  const state = new URL(url).searchParams.get('state') ?? '';
  await withAnswer({ redirect, state, patienceMs, signal, onListening: () => show(url) }, async (answer) => {
    if ((answer.get('code') ?? '') === '') throw new Error(`The account was not connected: ${reasonIn(answer)}.`);
    const { access_token, refresh_token } = await oauth.finish(answer, attempt);
    const connected = {
      ...application,
      baseUrl: checkBaseUrl(application.baseUrl),
      id: newConnectionId(),
      tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) },
    };
    await file.withLock(() => file.write(connected));
  });
}

function loopback(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) && url.port !== '') return url;
  throw new Error(
    `The redirect address ${address} cannot be used. It must be on this machine and have a port, such as http://localhost:9000.`,
  );
}

interface Awaited {
  redirect: URL;
  state: string;
  patienceMs: number;
  signal: AbortSignal | undefined;
  onListening: () => void;
}

/**
 * Waits for the answer with our `state`, uses it, and shows its sender how that ended. Any other request, such as one from another page on
 * this machine, is refused and changes nothing.
 *
 * @throws the error of `use`
 */
async function withAnswer(
  { redirect, state, patienceMs, signal, onListening }: Awaited,
  use: (answer: URLSearchParams) => Promise<void>,
): Promise<void> {
  const server = createServer();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let used: Promise<void> | undefined;
      server.on('request', (request, response) => {
        // Once the page is sent, or the browser has left.
        const isOver = new Promise<void>((over) => response.once('close', over));
        void readAnswer(request, redirect, state).then(async (answer) => {
          if (answer === undefined) return page(response, 400, 'This answer does not belong to a sign-in that was started here.');
          clearTimeout(timer);
          // A browser may send it twice. The code in it can be used once.
          used ??= use(answer);
          const text = await used.then(
            () => `Connected to ${brand.name}. You can close this page.`,
            () => 'Not connected. The program that opened this page says why. You can close this page.',
          );
          page(response, 200, text);
          await isOver;
          resolve(used);
        });
      });
      server.once('error', (error: NodeJS.ErrnoException) => {
        const taken = `Port ${redirect.port} is taken. If another consent page is open, answer that one. Otherwise stop what uses the port, or register another redirect address and pass it with --redirect.`;
        reject(error.code === 'EADDRINUSE' ? new Error(taken) : error);
      });
      signal?.addEventListener('abort', () => reject(new Error('The account was not connected, because the program is ending.')));
      timer = setTimeout(
        () => reject(new Error('The account was not connected, because the consent page did not answer. Try again.')),
        patienceMs,
      );
      server.listen(Number(redirect.port), redirect.hostname.replace(/^\[|\]$/g, ''), onListening);
    });
  } finally {
    clearTimeout(timer);
    server.close();
    // Browsers open connections that they may need later.
    server.closeAllConnections();
  }
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
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    connection: 'close',
    'referrer-policy': 'no-referrer',
  });
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${inHtml(brand.name)}</title>
<style>
:root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif;color:light-dark(#1b2430,#e5eaf1);background:light-dark(#f4f6f9,#10141a)}
body{max-width:34rem;margin:15vh auto 0;padding:0 1rem}
p{margin:.75rem 0;padding:1.25rem;border:1px solid light-dark(#dde2ea,#2c3542);border-radius:.75rem;background:light-dark(#fff,#191f28)}
</style>
<strong>${inHtml(brand.name)}</strong>
<p>${inHtml(text)}</p>`);
}

const inHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
