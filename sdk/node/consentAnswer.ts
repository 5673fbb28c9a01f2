import { copied } from '../../shared/values.ts';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { brand } from '../../shared/brand.ts';
import { isSame } from '../oauth/random.ts';
import { codeOf } from './lock.ts';
import { eachLine } from './person.ts';

/** How to wait for the response of a consent page. */
export interface ConsentWaiting {
  /** The address on this machine, with a port, to which the consent page sends the browser. */
  redirect: URL;
  /** The `state` that was sent to the consent page. */
  state: string;
  /** Shows the person the consent page. */
  show: () => void;
  /** Tells the person at the terminal something. If it is missing, the response cannot be pasted there. */
  say?: ((line: string) => void) | undefined;
  /** Stops waiting for the person. */
  signal?: AbortSignal | undefined;
}

/**
 * Waits for the response of a consent page and uses it. A browser on this machine delivers it, or the person pastes the address at which
 * their browser on another machine ended. A response with another `state` is refused and changes nothing.
 *
 * @throws the error of `use`; an error with a message for people if the person does not respond, or if another program uses the port and
 * nobody can paste
 */
export async function consentAnswer(
  { redirect, state, show, say, signal }: ConsentWaiting,
  use: (answer: URLSearchParams) => Promise<void>,
): Promise<void> {
  let used: Promise<void> | undefined;
  // A browser may send the response twice, but its code can be used only once.
  const useOnce = (answer: URLSearchParams): Promise<void> => (used ??= use(answer));
  const over = new AbortController();
  const servers: Server[] = [];
  try {
    const taken = await listen(redirect, servers);
    if (taken !== undefined) {
      const otherwise = 'stop what uses the port, or register another redirect address and pass that one.';
      if (say === undefined || !process.stdin.isTTY)
        throw new Error(`${taken} If another consent page is open, answer that one. Otherwise ${otherwise}`);
      say(`${taken} Your browser may reach another program instead of this one: then paste its address here, or ${otherwise}`);
    }
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        const isLate = (signal.reason as Error).name === 'TimeoutError';
        const why = isLate ? 'the consent page did not answer. Try again' : 'the program is ending';
        reject(new Error(`The account was not connected, because ${why}.`));
      });
      const answered: RequestListener = (request, response) => {
        // Resolves once the page is sent, or the browser has disconnected.
        const isOver = new Promise<void>((gone) => response.once('close', gone));
        void answerOf(request, redirect, state).then(async (answer) => {
          if (answer === undefined) return page(response, 400, 'This answer does not belong to a sign-in that was started here.');
          const ended = useOnce(answer);
          const text = await ended.then(
            () => `Connected to ${brand.name}. You can close this page.`,
            () => 'Not connected. The program that opened this page says why. You can close this page.',
          );
          page(response, 200, text);
          await isOver;
          resolve(ended);
        });
      };
      for (const server of servers) server.on('request', answered);
      show();
      if (say !== undefined) eachLine((line) => void takePasted(line, say), over.signal);

      // An email program or a narrow window may have broken the address into several lines.
      let begun = '';
      async function takePasted(line: string, tell: (line: string) => void): Promise<void> {
        const text = copied(line);
        begun = text.startsWith(redirect.origin) ? text : begun === '' || text.includes('://') ? '' : begun + text;
        const whole = begun === text ? undefined : pastedAnswer(begun, state);
        const isWhole = whole !== undefined && isSame(whole.get('state') ?? '', state);
        const answer = isWhole ? whole : pastedAnswer(line, state);
        if (answer === undefined) return tell(`That is not an address from the consent page. ${howToPaste}`);
        if (!isSame(answer.get('state') ?? '', state))
          return tell(
            'That address belongs to another sign-in. Open the address above, and paste the address that your browser is sent to.',
          );
        resolve(useOnce(answer));
      }
    });
  } finally {
    over.abort();
    for (const server of servers) {
      server.close();
      // Browsers open spare connections that would keep the server running.
      server.closeAllConnections();
    }
  }
}

export const howToPaste =
  'If your browser is on another machine, it is sent to an address that it cannot open. Copy that address from the browser and paste it here.';

/** A browser may try both addresses of `localhost`, and another program may use either. */
const addresses: Readonly<Record<string, readonly string[]>> = { localhost: ['127.0.0.1', '::1'], '[::1]': ['::1'] };

/**
 * Listens at each address.
 *
 * @param servers receives the servers that listen
 * @returns a sentence if another program uses the port at one of them
 */
async function listen({ hostname, port }: URL, servers: Server[]): Promise<string | undefined> {
  const taken: string[] = [];
  for (const host of addresses[hostname] ?? [hostname]) {
    const server = createServer();
    const fault = await new Promise<Error | undefined>((resolve) => {
      server.once('error', resolve);
      server.listen(Number(port), host, () => resolve(undefined));
    });
    if (fault === undefined) servers.push(server);
    else if (codeOf(fault) === 'EADDRINUSE') taken.push(host);
    // Not every machine has both IPv4 and IPv6.
    else if (hostname !== 'localhost' || !['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(codeOf(fault)))) throw fault;
  }
  if (taken.length === 0) return undefined;
  return `Port ${port} is taken${servers.length === 0 ? '' : ` at ${taken.join(' and ')}`}.`;
}

async function answerOf(
  { method, url = '', headers }: IncomingMessage,
  redirect: URL,
  state: string,
): Promise<URLSearchParams | undefined> {
  const address = URL.canParse(url, redirect.origin) ? new URL(url, redirect.origin) : undefined;
  if (method !== 'GET' || headers.host !== redirect.host || address?.pathname !== redirect.pathname) return undefined;
  return isSame(address.searchParams.get('state') ?? '', state) ? address.searchParams : undefined;
}

/**
 * Reads what a person pasted: the address that their browser ended at, its query, or only the code. A code on its own has no `state` to
 * check, but PKCE also proves that it belongs to this sign-in.
 *
 * @returns `undefined` if it contains no response
 */
function pastedAnswer(line: string, state: string): URLSearchParams | undefined {
  const text = copied(line).replace(/^</, '').replace(/>$/, '');
  const query = new URLSearchParams((text.split('#', 1)[0] ?? '').replace(/^[^?]*\?/, ''));
  if (query.has('code') || query.has('error')) return query;
  if (text === '' || /\s|:\/\/|[&?]/.test(text)) return undefined;
  return new URLSearchParams({ code: new URLSearchParams(`code=${text.replaceAll('+', '%2B')}`).get('code') ?? '', state });
}

function page(response: ServerResponse, status: number, text: string): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  response.writeHead(status, { ...headers, connection: 'close' }).end(text);
}
