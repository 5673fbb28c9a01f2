import { createServer, type IncomingMessage, type Server } from 'node:http';
import { ServiceError } from '../../shared/api/errors.ts';

export interface Reply {
  status: number;
  body?: unknown;
  location?: string;
}

/** What a server does, by method and path. */
export type Routes = Record<string, (request: IncomingMessage, url: URL) => Promise<Reply>>;

/** More than any form of a person needs. Bytes. */
const mostOfAForm = 64 * 1024;

/**
 * A server on this machine's loopback address. No request ends the process, whatever it holds.
 *
 * @param isAllowed whether a request may be looked at; others are answered with 403
 */
export function serve(routes: Routes, port: number, isAllowed: (request: IncomingMessage) => boolean, onListening?: () => void): Server {
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    if (!isAllowed(request))
      return { status: 403, body: 'This page belongs to the person at this machine: open it there, by its own address.' };
    // Not relative to an address: `//` would then begin a host.
    const url = new URL(`http://localhost${request.url ?? '/'}`);
    const name = `${request.method ?? 'GET'} ${url.pathname}`;
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (route === undefined) return { status: 404, body: `There is ${Object.keys(routes).join(', ')}.` };
    return route(request, url);
  };
  const server = createServer((request, response) => {
    void answer(request)
      .catch(refusal)
      .then(({ status, body, location }) => {
        response
          .writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) })
          .end(body === undefined ? '' : JSON.stringify(body));
      });
  });
  server.listen(port, '127.0.0.1', onListening);
  return server;
}

/**
 * Whether a request comes from this machine, and from no page of somebody else: a tunnel and a name that was pointed here bring a `Host`
 * of their own, a foreign page that sends something brings its `Origin`, and browsers say whose page has asked.
 */
export function isOfThisMachine({ headers: { host, origin, 'sec-fetch-site': askedBy = 'none' } }: IncomingMessage, port: number): boolean {
  const mine = [`127.0.0.1:${port}`, `localhost:${port}`];
  return (
    mine.includes(host ?? '') &&
    (origin === undefined || mine.some((each) => origin === `http://${each}`)) &&
    ['none', 'same-origin'].includes(String(askedBy))
  );
}

/** What went wrong, in the sentence that the core has for it. */
function refusal(error: unknown): Reply {
  // A token endpoint may refuse with status 200: here that is no success.
  if (error instanceof ServiceError)
    return { status: error.status === undefined ? 400 : error.status < 400 ? 502 : error.status, body: error.sentence };
  return { status: 500, body: error instanceof Error ? error.message : String(error) };
}

/** @throws ServiceError where a body is no JSON object, or too long for a form */
export async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > mostOfAForm)
      throw new ServiceError('invalid', { message: 'The form is too long.', advice: 'Send the fields of one booking.', status: 413 });
  }
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('invalid', { message: 'The body is not a JSON object.', advice: 'Send the fields of the booking as JSON.' });
  return { ...value };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
