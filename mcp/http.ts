import type { HttpBindings } from '@hono/node-server';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
  type Server,
} from '@modelcontextprotocol/server';
import { parsed } from '../shared/values.ts';
import { isSame } from '../sdk/oauth/random.ts';
import { UnreadableBody } from '../sdk/webhooks/body.ts';
import { httpHandler, isSentBy } from './adapter/answerForms.ts';
import { asMeant, bearerIn } from './adapter/requestForms.ts';
import { listenAt, textOf, unreadAnswer } from './adapter/serving.ts';

export interface HttpListening {
  port: number;
  /** The key that callers must send as a bearer token; `undefined` if none is required. */
  key: string | undefined;
  log: (line: string) => void;
}

/** Larger than any call, and longer than any call takes to arrive. Bytes and milliseconds. */
const bounds = { bodyBytes: 1_000_000, bodyMs: 60_000 };

/** Whether a request comes from a page of this server itself. Other pages on this machine have another port. */
function isSameOrigin({ headers }: Request): boolean {
  const origin = headers.get('origin') ?? '';
  return URL.canParse(origin) && new URL(origin).host === headers.get('host');
}

/** The response under any other name of this machine, such as programs in containers use. */
const otherName =
  'Without a key, this server answers only at 127.0.0.1 and localhost. Start it with SCHEDULING_MCP_KEY, and send that key as a bearer token.';

/** The response at any other address. A client without the key looks for a sign-in there, and shows its person the last response. */
const elsewhere = (isKnown: boolean): string =>
  `The address ends in /mcp.${isKnown ? '' : ' There is no sign-in: the key is sent as a bearer token, and is missing or wrong.'}`;

export interface HttpHandle {
  address: string;
  close(): Promise<void>;
}

/**
 * Serves the protocol over HTTP to programs on this machine. Browser pages are refused, even those from this machine. Without a key,
 * unknown host names are refused as well, because somebody may have pointed them at this machine (DNS rebinding).
 *
 * @throws an error for people if the port is taken
 */
export async function serveHttp(factory: () => Server, { port, key, log }: HttpListening): Promise<HttpHandle> {
  const handler = httpHandler(factory, {
    onerror: ({ name }) => log(`A request failed (${name}).`),
  });
  const answer = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    // With a key, pointing a host name at this machine gains an attacker nothing.
    if (key === undefined && hostHeaderValidationResponse(request, localhostAllowedHostnames()) !== undefined)
      return new Response(otherName, { status: 403 });
    const refused = isSameOrigin(request) ? undefined : originValidationResponse(request, []);
    if (refused !== undefined) return refused;
    const isKnown = key === undefined || isSame(bearerIn(request), key);
    if (!/^\/mcp\/?$/.test(new URL(request.url).pathname)) return new Response(elsewhere(isKnown), { status: 404 });
    if (!isKnown) return new Response('The key is missing or wrong.', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { isSent: isSentBy(outgoing) } };
    if (request.method !== 'POST') return handler.fetch(request, { authInfo });
    return handler.fetch(request, { authInfo, parsedBody: asMeant(parsed(await textOf(incoming, bounds))) ?? null });
  };
  const fetch = (request: Request, bindings: HttpBindings): Promise<Response> =>
    answer(request, bindings).catch((error: unknown) => {
      if (error instanceof UnreadableBody) return unreadAnswer(error);
      throw error;
    });
  const { server, address } = await listenAt({ host: '127.0.0.1', port, chosenBy: '--http' }, fetch);
  // A client that is silent for longer than any call takes has gone, or does not read.
  server.setTimeout(120_000);
  return {
    address: `${address}/mcp`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
