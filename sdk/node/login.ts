import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { brand } from '../../shared/brand.ts';
import { checkBaseUrl } from '../../shared/oauth/oauth.ts';
import { isServiceError, type ServiceFailure } from '../errors.ts';
import type { Credentials } from '../oauth/connection.ts';
import { createOAuth, reasonIn } from '../oauth/oauth.ts';
import { isSame } from '../oauth/random.ts';
import { newConnectionId, type ConnectionFile } from './connectionFile.ts';
import { harmless } from '../cli/print.ts';
import { askPerson } from './person.ts';

/** The options of the commands that connect an account. */
export const loginOptions = {
  redirect: { type: 'string', default: 'http://localhost:9000' },
  'no-browser': { type: 'boolean', default: false },
} as const;

interface Asking {
  /** Where the consent page sends the answer: an address of this machine, exactly as it is registered for the application. */
  redirectUri: string;
  /** Shows the person the address of the consent page. */
  show: (address: string) => void;
  /** Ends the waiting for the person. */
  signal?: AbortSignal;
}

/**
 * Connects an account: shows the consent page, receives its answer at an address of this machine, and saves the tokens. The page that the
 * person comes back to says so only after that.
 *
 * @throws ServiceError if the tokens were refused; an error for people if they did not agree or did not answer, or, before they are asked,
 *   if the tokens could not be saved
 */
export async function login(file: ConnectionFile, application: Credentials, asking: Asking): Promise<void> {
  await file.prepare();
  const { redirectUri } = asking;
  const redirect = loopback(redirectUri);
  const oauth = createOAuth({ ...application, redirectUri });
  const { url, attempt } = await oauth.begin();
  await withAnswer(redirect, url, asking, async (answer) => {
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

/**
 * Waits for the answer with the `state` of the consent page, uses it, and shows its sender how that ended. Any other request, such as one from another page on
 * this machine, is refused and changes nothing.
 *
 * @throws the error of `use`
 */
async function withAnswer(
  redirect: URL,
  consent: string,
  { show, signal }: Asking,
  use: (answer: URLSearchParams) => Promise<void>,
): Promise<void> {
  const state = new URL(consent).searchParams.get('state') ?? '';
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      let used: Promise<void> | undefined;
      server.on('request', (request, response) => {
        // Once the page is sent, or the browser has left.
        const isOver = new Promise<void>((over) => response.once('close', over));
        void readAnswer(request, redirect, state).then(async (answer) => {
          if (answer === undefined) return page(response, 400, 'This answer does not belong to a sign-in that was started here.');
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
      signal?.addEventListener('abort', () => {
        const isLate = (signal.reason as Error).name === 'TimeoutError';
        const why = isLate ? 'the consent page did not answer. Try again' : 'the program is ending';
        reject(new Error(`The account was not connected, because ${why}.`));
      });
      server.listen(Number(redirect.port), redirect.hostname.replace(/^\[|\]$/g, ''), () => show(consent));
    });
  } finally {
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
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  response.writeHead(status, { ...headers, connection: 'close' }).end(text);
}

/** Long enough for a person to read, think and agree. */
const consentMs = 10 * 60 * 1000;

/** What is known before the person is asked. */
export interface Connecting {
  baseUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
  redirectUri: string;
  /** Whether the consent page is opened, in addition to printing its address. */
  opensBrowser: boolean;
  openInBrowser: (address: string) => void;
  say: (line: string) => void;
  /** Gets the address of the consent page too, for somebody who does not read what is said. */
  show?: (address: string) => void;
  /** Reads the user of the new connection. */
  readUser: () => Promise<User>;
  /** Ends the waiting for the person. */
  signal?: AbortSignal;
  /** What to do next, as a sentence. */
  next: string;
}

/** Whether the base URL leads to something else: its sign-in works, and its API is not there. */
const isElsewhere = (error: unknown): error is ServiceFailure =>
  isServiceError(error) && ['notFound', 'unreadable', 'redirected'].includes(error.kind);

/** As much of a user as names them. */
interface User {
  readonly name?: unknown;
  readonly email?: unknown;
}

/** Whose account it is: `Connected as Ada (ada@example.com).` A service that shows neither is believed without. */
export function connectedAs({ name, email }: User): string {
  const [first, second] = [name, email].filter((each): each is string => typeof each === 'string' && each !== '');
  const who = second === undefined ? first : `${first} (${second})`;
  return who === undefined ? 'Connected.' : `Connected as ${harmless(who)}.`;
}

/**
 * Connects an account with the person at this terminal: asks for what is missing and opens the consent page.
 *
 * @throws as {@link login}
 */
export async function connectPerson(
  file: ConnectionFile,
  { baseUrl, clientId, clientSecret, redirectUri, opensBrowser, openInBrowser, say, show: alsoShow, readUser, signal, next }: Connecting,
): Promise<void> {
  const application = {
    baseUrl,
    clientId: clientId ?? (await askPerson('Client id (SCHEDULING_CLIENT_ID)')),
    clientSecret: clientSecret ?? (await askPerson('Client secret (SCHEDULING_CLIENT_SECRET)', { isSecret: true })),
  };
  const show = (address: string): void => {
    say(`Allow access on the consent page of ${brand.name}:\n\n  ${address}\n`);
    alsoShow?.(address);
    if (opensBrowser) openInBrowser(address);
  };
  const late = AbortSignal.timeout(consentMs);
  await login(file, application, { redirectUri, show, signal: signal === undefined ? late : AbortSignal.any([late, signal]) });
  // The account is connected, whether or not its user can be read now.
  say(await readUser().then(connectedAs, (error: unknown) => `Connected.${isElsewhere(error) ? ` ${error.sentence}` : ''}`));
  say(
    `The tokens and the client secret are saved in ${file.path}, which only your user can read. They are not encrypted: anyone who can read your files can use them. \`logout\` revokes and deletes them.`,
  );
  if (next !== '') say(next);
}
